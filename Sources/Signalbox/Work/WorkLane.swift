/// The work of one name: what runs, and what waits for its turn.
@MainActor struct WorkLane {
  private(set) var running: [Work] = []
  /// A queue: what has left it at the front is `nil`, up to `head`.
  private var queued: [Work?] = []
  private var head = 0

  init(running work: Work? = nil) {
    if let work { running = [work] }
  }

  var all: [Work] { running + queued.compactMap(\.self) }
  var isEmpty: Bool { running.isEmpty && head == queued.count }
  /// Between two, the next in the queue is as good as running.
  var first: Work? { running.first ?? (head < queued.count ? queued[head] : nil) }

  /// What has to end before a queued one can start.
  func before(_ work: Work) -> [Work] {
    guard let index = queued.firstIndex(where: { $0 === work }) else { return [] }
    return running + queued[..<index].compactMap(\.self)
  }

  mutating func run(_ work: Work) { running.append(work) }

  mutating func enqueue(_ work: Work) { queued.append(work) }

  /// Moves the first in the queue to those that run, if none does.
  mutating func advance() -> Work? {
    guard running.isEmpty, head < queued.count, let next = queued[head].take() else { return nil }
    head += 1
    // Half of it gone: to close the gap each time would make a long queue dear.
    if head > 16, head * 2 > queued.count {
      queued.removeFirst(head)
      head = 0
    }
    running.append(next)
    return next
  }

  mutating func remove(_ work: Work) -> Bool {
    if let index = running.firstIndex(where: { $0 === work }) {
      running.remove(at: index)
    } else if let index = queued.firstIndex(where: { $0 === work }) {
      queued.remove(at: index)
    } else {
      return false
    }
    return true
  }
}
