/// A change of the state on its way to those who watch what it changed.
@MainActor final class Commit {
  let id: Int
  /// The parts that have changed.
  private(set) var changed: [ObservedPart] = []
  /// Subscribers that came later than this are not told (S3).
  private(set) var limit: UInt64
  /// The event that the commit was recorded as.
  var cause: Propagation.Cause?
  /// Subscribers that came during the batch, and the parts that have changed since.
  private var latecomers: [(watcher: Watcher, part: ObservedPart)] = []
  /// The values of parts that were changed again before everyone was told who may ask for them.
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

  /// A part whose value is the one in the state, until that changes.
  func add(_ part: ObservedPart) {
    guard part.live != id else { return }
    part.live = id
    changed.append(part)
  }

  /// A part whose value is not in the state but computed from it.
  func add(computed part: ObservedPart) {
    changed.append(part)
    keep(part.boxed(), for: part)
  }

  /// Only those who subscribed no later than a limit are told what has changed.
  func exclude(laterThan limit: UInt64) { self.limit = min(self.limit, limit) }

  /// A part that has changed since a later subscriber came.
  func add(_ part: ObservedPart, for watcher: Watcher) {
    latecomers.append((watcher, part))
    if part.path.hasRange { part.live = id } else { keep(part.boxed(), for: part) }
  }

  func keep(_ value: AnyObject, for part: ObservedPart) {
    let id = ObjectIdentifier(part)
    if boxes[id] == nil { boxes[id] = (part, value) }
  }

  func box(of part: ObservedPart) -> AnyObject? { boxes[ObjectIdentifier(part)]?.value }

  /// Tells everyone, in the order in which they subscribed, each once (S1).
  func deliver(for observers: ObserverRegistry) {
    for part in parts { part.telling = id }
    if changed.count == 1, latecomers.isEmpty {
      observers.tell(watchersOf: changed[0], upTo: limit)
    } else {
      for watcher in watchers() {
        observers.reached = watcher.order
        watcher.receiveCommit()
      }
    }
    for part in parts { part.telling = 0 }
    drop()
  }

  /// Tells those who need not wait for their turn.
  ///
  /// What a tracker writes is told to trackers at once as well, unless they write to one another
  /// without end: then it waits, and the end of such a loop is that of any other (S17).
  func tellTrackers() {
    guard ObservationCell.canTell else { return }
    for part in parts where part.hasTrackers {
      for watcher in part.watchers.elements where watcher.isTracker { watcher.receiveCommit() }
    }
  }

  /// Is not told, or no longer.
  func drop() {
    for part in parts where part.live == id { part.live = 0 }
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
