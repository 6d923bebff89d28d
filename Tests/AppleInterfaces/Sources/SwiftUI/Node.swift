/// A position in the tree of views, with the states that are kept for it.
@MainActor final class Node {
  let graph: Graph
  private let depth: Int
  private var type: (any View.Type)?
  private var states: [AnyObject] = []
  private var identity: AnyHashable?
  private var children: [Node] = []
  private var rows: [AnyHashable: Node] = [:]
  private var drawnBytes: [UInt8] = []
  /// The view that was drawn last, so that no other object gets the address of one of its objects.
  private var kept: Any?
  private var redraw: (() -> Void)?
  private var drawings = 0
  private var hasAppeared = false
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
      row.drawIfChanged(view)
    }
  }

  /// Draws a view, unless it is bit by bit the view that was drawn last.
  ///
  /// SwiftUI skips such a view, too.
  private func drawIfChanged<V: View>(_ view: V) {
    let bytes = withUnsafeBytes(of: view) { Array($0) }
    if type == V.self, bytes == drawnBytes { return }
    drawnBytes = bytes
    kept = view
    draw(view)
  }

  func draw<V: View>(_ view: V) {
    if type != V.self {
      type = V.self
      (states, identity, children) = ([], nil, [])
    }
    (redraw, element, appearance) = (nil, nil, (nil, nil))
    drawings += 1
    if let primitive = view as? any PrimitiveView {
      primitive.draw(in: self)
    } else {
      redraw = { [unowned self] in draw(view) }
      child(0).draw(body(of: view))
    }
  }

  private func body<V: View>(of view: V) -> V.Body {
    var kept = 0
    connectStates(of: view, counted: &kept)
    let drawing = drawings
    let outer = graph.reading
    graph.reading = self
    Graph.current = graph
    defer {
      graph.reading = outer
      if outer == nil { Graph.current = nil }
    }
    return withObservationTracking {
      view.body
    } onChange: { [weak self] in
      MainActor.assumeIsolated {
        if let self, self.drawings == drawing { self.invalidate() }
      }
    }
  }

  private func connectStates(of container: Any, counted count: inout Int) {
    for child in Mirror(reflecting: container).children {
      if let holder = child.value as? any StatePropertyHolder {
        let known = count < states.count ? states[count] : nil
        let kept = holder.property.connect(to: known)
        if known == nil { states.append(kept) }
        count += 1
      } else if child.value is any DynamicProperty {
        connectStates(of: child.value, counted: &count)
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
