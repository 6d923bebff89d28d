import SignalboxTrace

/// The tree of causes of a recording that grows.
///
/// The lines are in the order of time. A line whose cause is not above it names the cause:
///
///     1.204  .load
///     1.250  hook measured: 17.0
///     1.324    .load finished after 120 ms  ← .load
struct GrowingTree {
  private struct Node {
    let event: TraceEvent
    let depth: Int
    let selectsEffects: Bool
    var isPrinted: Bool
  }

  private let selection: Selection
  private var nodes: [EventKey: Node] = [:]
  /// The keys of `nodes`, oldest first.
  private var keys: [EventKey] = []
  /// The line that was printed last and its causes, outermost first.
  private var path: [EventKey] = []
  /// The number of events that are remembered as causes.
  private let limit: Int

  init(_ selection: Selection, limit: Int = 100_000) {
    self.selection = selection
    self.limit = limit
  }

  mutating func forget() { self = GrowingTree(selection, limit: limit) }

  /// The lines to print for an event: its own, after those of causes that were not printed.
  mutating func add(_ event: TraceEvent, stores: [Int: TraceEvent.StoreInfo]) -> [String] {
    guard event.isShown else { return [] }
    let names = stores.count > 1 ? stores.mapValues { $0.name ?? $0.state } : [:]
    let cause = event.causeKey.flatMap { nodes[$0] }
    let isEffect = cause?.selectsEffects ?? false
    let isSelected = selection.fits(event) || isEffect && selection.fitsAsEffect(event)
    let node = Node(
      event: event, depth: cause.map { $0.depth + 1 } ?? 0,
      selectsEffects: isEffect || selection.selectsEffects(of: event), isPrinted: isSelected)
    remember(node)
    return isSelected ? lines(to: node, names) : []
  }

  private mutating func remember(_ node: Node) {
    guard let key = node.event.key else { return }
    nodes[key] = node
    keys.append(key)
    guard keys.count > limit else { return }
    for key in keys.prefix(limit / 2) { nodes[key] = nil }
    keys.removeFirst(limit / 2)
  }

  private mutating func lines(to node: Node, _ names: [Int: String]) -> [String] {
    var chain = [node]
    while let key = chain.last?.event.causeKey, let cause = nodes[key], !cause.isPrinted {
      nodes[key]?.isPrinted = true
      chain.append(cause)
    }
    return chain.reversed().map { line($0, names) }
  }

  private mutating func line(_ node: Node, _ names: [Int: String]) -> String {
    let line = node.event.line(depth: node.depth, store: names)
    let key = node.event.causeKey
    let isBelowCause = node.depth == 0 || path.count >= node.depth && path[node.depth - 1] == key
    if isBelowCause {
      path.removeLast(max(0, path.count - node.depth))
    } else {
      path = causes(of: node)
    }
    if let key = node.event.key { path.append(key) }
    guard !isBelowCause, let cause = key.flatMap({ nodes[$0] }) else { return line }
    return "\(line)  ← \(cause.event.text)"
  }

  /// The causes of an event, outermost first.
  private func causes(of node: Node) -> [EventKey] {
    var causes: [EventKey] = []
    var next = node.event.causeKey
    while let key = next, let cause = nodes[key] {
      causes.append(key)
      next = cause.event.causeKey
    }
    return causes.reversed()
  }
}
