/// A change of the state that is to be delivered to the watchers of the changed parts.
@MainActor final class Commit {
  let id: Int
  private(set) var changed: [ObservedPart] = []
  /// Subscribers that subscribed later than this are not notified (S3).
  private(set) var limit: UInt64
  /// The event that records the commit; `nil` if there is none.
  var cause: Propagation.Cause?
  /// The dependents that have changed, which are reported after the commit.
  var derived: [(node: StateNode, change: DerivedChange)] = []
  /// Watchers that subscribed during the batch, with the parts that have changed since.
  private var latecomers: [(watcher: Watcher, part: ObservedPart)] = []
  /// Values of computed parts, and of parts that changed again before all readers were notified.
  private var boxes: [ObjectIdentifier: (part: ObservedPart, value: AnyObject)] = [:]

  init(_ id: Int, limit: UInt64 = 0) {
    self.id = id
    self.limit = limit
  }

  var isEmpty: Bool { changed.isEmpty && latecomers.isEmpty }
  var hasComposites: Bool { parts.contains(where: \.hasComposites) }

  private var parts: [ObservedPart] {
    latecomers.isEmpty ? changed : changed + latecomers.map(\.part)
  }

  /// Adds a part whose value is read from the state until the part changes again.
  func add(_ part: ObservedPart) {
    guard part.live != id else { return }
    part.live = id
    changed.append(part)
  }

  func add(computed part: ObservedPart) {
    changed.append(part)
    keep(part.boxed(), for: part)
  }

  func exclude(laterThan limit: UInt64) { self.limit = min(self.limit, limit) }

  func add(_ part: ObservedPart, for watcher: Watcher) {
    latecomers.append((watcher, part))
    if part.path.hasRange { part.live = id } else { keep(part.boxed(), for: part) }
  }

  func keep(_ value: AnyObject, for part: ObservedPart) {
    let id = ObjectIdentifier(part)
    if boxes[id] == nil { boxes[id] = (part, value) }
  }

  func concerns(_ part: ObservedPart) -> Bool {
    box(of: part) != nil || parts.contains { $0 === part }
  }

  func box(of part: ObservedPart) -> AnyObject? { boxes[ObjectIdentifier(part)]?.value }

  /// Notifies each watcher once, in the order in which they subscribed (S1).
  func deliver(in transaction: Transaction) {
    for part in parts { part.telling = id }
    if changed.count == 1, latecomers.isEmpty {
      transaction.tell(watchersOf: changed[0], upTo: limit)
    } else {
      for watcher in watchers() {
        transaction.reached = watcher.order
        watcher.receiveCommit()
      }
    }
    for part in parts { part.telling = 0 }
    drop()
  }

  /// Notifies the trackers, which do not wait for their turn.
  // If they keep writing what other trackers read, they wait, and the loop ends as any other (S17).
  func tellTrackers() {
    guard ObservationCell.canTell else { return }
    for part in parts where part.hasTrackers {
      for watcher in part.receivers.elements where watcher.isTracker { watcher.receiveCommit() }
    }
  }

  /// Ends the commit, whether it was delivered or not.
  func drop() {
    for part in parts where part.live == id { part.live = 0 }
  }

  private func watchers() -> [Watcher] {
    var watchers = changed.flatMap { $0.receivers.elements }.filter { $0.order <= limit }
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
