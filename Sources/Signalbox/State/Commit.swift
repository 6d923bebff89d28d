/// A change of the state on its way to those who watch what it changed.
@MainActor final class Commit {
  let id: Int
  /// The parts that have changed.
  private(set) var changed: [Node] = []
  /// Who subscribed later than this is not told (S3).
  var limit: UInt64 = 0
  /// The values of parts that were changed again before everyone was told who may ask for them.
  private var boxes: [(node: Node, value: AnyObject)] = []

  init(_ id: Int) { self.id = id }

  /// A part whose value is the one in the state, until that changes.
  func add(_ node: Node) {
    guard node.live != id else { return }
    node.live = id
    changed.append(node)
  }

  /// A part whose value is not in the state but computed from it.
  func add(computed node: Node) {
    changed.append(node)
    keep(node.boxed(), for: node)
  }

  func keep(_ value: AnyObject, for node: Node) { boxes.append((node, value)) }

  func box(of node: Node) -> AnyObject? { boxes.first { $0.node === node }?.value }

  /// Tells everyone, in the order in which they subscribed, each once (S1).
  func deliver(for observers: Observers) {
    for node in changed { node.telling = id }
    if changed.count == 1 {
      observers.tell(watchersOf: changed[0], upTo: limit)
    } else {
      for watcher in watchers() {
        observers.reached = watcher.order
        watcher.receiveCommit()
      }
    }
    for node in changed { node.telling = 0 }
    drop()
  }

  /// Tells those who need not wait for their turn.
  ///
  /// But what a tracker writes waits all the same: a loop of trackers must not become a recursion
  /// (S17), and the Observation framework tells a tracker again while it is being told.
  func tellTrackers() {
    guard !ObservationCell.isTelling else { return }
    for node in changed where node.hasTrackers {
      for watcher in node.watchers.elements where watcher.isTracker { watcher.receiveCommit() }
    }
  }

  /// Is not told, or no longer.
  func drop() {
    for node in changed where node.live == id { node.live = 0 }
  }

  private func watchers() -> [Watcher] {
    var watchers = changed.flatMap { $0.watchers.elements }
    watchers.sort { $0.order < $1.order }
    var last: UInt64 = 0
    watchers.removeAll { watcher in
      defer { last = watcher.order }
      return watcher.order == last || watcher.order > limit
    }
    return watchers
  }
}
