/// The views of one host, and which of them must be redrawn.
@MainActor final class Graph {
  /// The graph whose views are being updated.
  private(set) static weak var current: Graph?

  /// The node that is being drawn.
  weak var drawing: Node?
  /// The node whose body is being read.
  weak var reading: Node?
  private(set) var faults: [String] = []
  private var invalid: [(node: WeakNode, depth: Int)] = []
  private var animations: [Animation?] = []

  /// What the stack shows that is being drawn.
  private(set) var destinations: Destinations?

  nonisolated init() {}

  /// Draws the root of a stack, which says what the stack shows.
  func withDestinations(of node: Node, _ draw: () -> Void) -> Destinations {
    let destinations = node.destinations
    let outer = self.destinations
    self.destinations = destinations
    draw()
    self.destinations = outer
    return destinations
  }

  func invalidate(_ node: Node, depth: Int) {
    if reading != nil { reportWrite() }
    animations.append(Transaction.current.animation)
    if !invalid.contains(where: { $0.node.node === node }) {
      invalid.append((WeakNode(node: node), depth))
    }
  }

  func reportWrite() { faults.append("A state was changed while views were being updated.") }

  /// Whether the view that is being drawn sees the value that a binding to a location has cached.
  func hasCached(_ location: ObjectIdentifier) -> Bool {
    drawing?.installed.contains(location) != true
  }

  /// Redraws the views that have changed.
  ///
  /// - Returns: The animations of the changes since the last update.
  func update() -> [Animation?] {
    let animations = animations
    self.animations = []
    draw {
      var drawings = 0
      while let next = invalid.min(by: { $0.depth < $1.depth }) {
        drawings += 1
        // A test fails where an application would hang.
        if drawings > 1000 { return faults.append("The update of the views has no end.") }
        invalid.removeAll { $0.node.node === next.node.node }
        next.node.node?.drawAgain()
      }
    }
    return animations
  }

  /// Draws views in an update.
  func draw(_ body: () -> Void) {
    Graph.current = self
    body()
    Graph.current = nil
  }

  /// Notes that a view has been drawn, so that it need not be drawn again.
  func validate(_ node: Node) { invalid.removeAll { $0.node.node === node } }
}

struct WeakNode {
  weak var node: Node?
}
