/// A position in the tree of views, with the states that are kept for it.
@MainActor final class Node {
  let graph: Graph
  private let depth: Int
  private var type: (any View.Type)?
  private var states: [AnyObject] = []
  private var identity: AnyHashable?
  private var children: [Node] = []
  private var rows: [AnyHashable: Node] = [:]
  /// Screens that are not in the path of their stack any more, and slide away.
  private var leaving: [Node] = []
  /// The view that was drawn last.
  private var drawn: Any?
  /// The locations of the bindings that the view has as properties.
  private(set) var installed: Set<ObjectIdentifier> = []
  private var redraw: (() -> Void)?
  private var drawings = 0
  private var hasAppeared = false
  /// What the node shows for the elements of its path, if it is a stack.
  let destinations = Destinations()
  var element: Element?
  var appearance: (appear: (() -> Void)?, disappear: (() -> Void)?)

  init(_ graph: Graph, depth: Int = 0) {
    self.graph = graph
    self.depth = depth
  }

  var elements: [Element] { (element.map { [$0] } ?? []) + children.flatMap(\.elements) }

  /// Keeps the children as long as the identity stays the same.
  func keepChildren(identifiedBy identity: some Hashable) {
    if self.identity != AnyHashable(identity) { children = [] }
    self.identity = identity
  }

  func child(_ index: Int) -> Node {
    while children.count <= index { children.append(Node(graph, depth: depth + 1)) }
    return children[index]
  }

  /// Draws a child for each identity, and keeps the children whose identities stay.
  func drawRows<V: View>(_ views: [(identity: AnyHashable, view: V)]) {
    let known = rows
    (children, rows) = ([], [:])
    for (identity, view) in views {
      let row = known[identity] ?? Node(graph, depth: depth + 1)
      children.append(row)
      rows[identity] = row
      row.draw(view)
    }
  }

  /// Draws the screens of a stack.
  ///
  /// Those that go stay visible until they have slid away.
  func drawScreens(_ screens: [(identity: AnyHashable, view: AnyScreen?)]) {
    let gone = rows.filter { row in !screens.contains { $0.identity == row.key } }
    leaving += gone.values
    drawRows(screens.map { ($0.identity, $0.view) })
  }

  /// The screens that slide away, in this part of the tree.
  var allLeaving: [Node] { leaving + children.flatMap(\.allLeaving) }

  func endSliding() {
    leaving = []
    for child in children { child.endSliding() }
  }

  /// Draws a view, unless it is the same as the view that was drawn last.
  func draw<V: View>(_ view: V) {
    if type == V.self, let drawn = drawn as? V, areSame(drawn, view) { return }
    if type != V.self {
      type = V.self
      (states, identity, children) = ([], nil, [])
    }
    drawn = view
    redraw = { [unowned self] in drawAnew(view) }
    drawAnew(view)
  }

  private func drawAnew<V: View>(_ view: V) {
    graph.validate(self)
    (element, appearance, installed) = (nil, (nil, nil), [])
    drawings += 1
    let outer = graph.drawing
    graph.drawing = self
    defer { graph.drawing = outer }
    var kept = 0
    connectProperties(of: view, counted: &kept)
    if let primitive = view as? any PrimitiveView {
      primitive.draw(in: self)
    } else {
      child(0).draw(body(of: view))
    }
  }

  private func body<V: View>(of view: V) -> V.Body {
    let drawing = drawings
    let outer = graph.reading
    graph.reading = self
    defer { graph.reading = outer }
    return withObservationTracking {
      view.body
    } onChange: { [weak self] in
      MainActor.assumeIsolated {
        if let self, self.drawings == drawing { self.invalidate() }
      }
    }
  }

  private func connectProperties(of container: Any, counted count: inout Int) {
    for child in Mirror(reflecting: container).children {
      if let binding = child.value as? any BindingProperty {
        installed.insert(binding.locationIdentity)
      } else if let holder = child.value as? any StatePropertyHolder {
        let known = count < states.count ? states[count] : nil
        let kept = holder.property.connect(to: known, in: WeakNode(node: self))
        if known == nil { states.append(kept) }
        count += 1
      } else if child.value is any DynamicProperty {
        connectProperties(of: child.value, counted: &count)
      }
    }
  }

  /// Marks the view for redrawing.
  func invalidate() { graph.invalidate(self, depth: depth) }

  func drawAgain() { redraw?() }

  func setVisible(_ isVisible: Bool) {
    if isVisible != hasAppeared {
      hasAppeared = isVisible
      if isVisible { appearance.appear?() } else { appearance.disappear?() }
    }
    for child in children { child.setVisible(isVisible) }
  }
}
