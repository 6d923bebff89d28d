/// The views of one host, and which of them must be redrawn.
@MainActor final class Graph {
  /// The graph whose views are being read.
  static weak var current: Graph?

  /// The node whose body is being read.
  weak var reading: Node?
  private(set) var faults: [String] = []
  private var invalid: [(node: WeakNode, depth: Int)] = []
  private var animations: [Animation?] = []

  nonisolated init() {}

  func invalidate(_ node: Node, depth: Int) {
    if reading != nil { faults.append("A state was changed while views were being updated.") }
    animations.append(Transaction.current.animation)
    if !invalid.contains(where: { $0.node.node === node }) {
      invalid.append((WeakNode(node: node), depth))
    }
  }

  /// Redraws the views that have changed.
  ///
  /// - Returns: The animations of the changes since the last update.
  func update() -> [Animation?] {
    let animations = animations
    self.animations = []
    while let next = invalid.min(by: { $0.depth < $1.depth }) {
      invalid.removeAll { $0.node.node === next.node.node }
      next.node.node?.drawAgain()
    }
    return animations
  }
}

struct WeakNode {
  weak var node: Node?
}
