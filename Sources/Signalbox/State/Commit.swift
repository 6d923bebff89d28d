/// A change of the state on its way to those who watch what it changed.
@MainActor final class Commit {
  let id: Int
  /// The parts that have changed.
  private(set) var changed: [Node] = []
  /// Subscribers that came later than this are not told (S3).
  private(set) var limit: UInt64
  /// The event that the commit was recorded as.
  var cause: Propagation.Cause?
  /// Subscribers that came during the batch, and the parts that have changed since.
  private var latecomers: [(watcher: Watcher, node: Node)] = []
  /// The values of parts that were changed again before everyone was told who may ask for them.
  private var boxes: [ObjectIdentifier: (node: Node, value: AnyObject)] = [:]

  init(_ id: Int, limit: UInt64 = 0) {
    self.id = id
    self.limit = limit
  }

  var isEmpty: Bool { changed.isEmpty && latecomers.isEmpty }
  var hasComposites: Bool { nodes.contains(where: \.hasComposites) }

  private var nodes: [Node] {
    latecomers.isEmpty ? changed : changed + latecomers.map(\.node)
  }

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

  /// Only those who subscribed no later than a limit are told what has changed.
  func exclude(laterThan limit: UInt64) { self.limit = min(self.limit, limit) }

  /// A part that has changed since a later subscriber came.
  func add(_ node: Node, for watcher: Watcher) {
    latecomers.append((watcher, node))
    if node.place.hasRange { node.live = id } else { keep(node.boxed(), for: node) }
  }

  func keep(_ value: AnyObject, for node: Node) {
    let id = ObjectIdentifier(node)
    if boxes[id] == nil { boxes[id] = (node, value) }
  }

  func box(of node: Node) -> AnyObject? { boxes[ObjectIdentifier(node)]?.value }

  /// Tells everyone, in the order in which they subscribed, each once (S1).
  func deliver(for observers: Observers) {
    for node in nodes { node.telling = id }
    if changed.count == 1, latecomers.isEmpty {
      observers.tell(watchersOf: changed[0], upTo: limit)
    } else {
      for watcher in watchers() {
        observers.reached = watcher.order
        watcher.receiveCommit()
      }
    }
    for node in nodes { node.telling = 0 }
    drop()
  }

  /// Tells those who need not wait for their turn.
  ///
  /// What a tracker writes is told to trackers at once as well, unless they write to one another
  /// without end: then it waits, and the end of such a loop is that of any other (S17).
  func tellTrackers() {
    guard ObservationCell.canTell else { return }
    for node in nodes where node.hasTrackers {
      for watcher in node.watchers.elements where watcher.isTracker { watcher.receiveCommit() }
    }
  }

  /// Is not told, or no longer.
  func drop() {
    for node in nodes where node.live == id { node.live = 0 }
  }

  private func watchers() -> [Watcher] {
    var watchers = changed.flatMap { $0.watchers.elements }.filter { $0.order <= limit }
    watchers += latecomers.map(\.watcher)
    watchers.sort { $0.order < $1.order }
    var last: UInt64 = 0
    watchers.removeAll { watcher in
      defer { last = watcher.order }
      return watcher.order == last
    }
    return watchers
  }
}
