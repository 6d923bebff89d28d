import Dispatch
import Foundation
internal import Signalbox

/// The file of a recording, which another thread writes.
///
///     main actor ──▶ pending events ──▶ queue: lines ──▶ file
///
/// The events wait as values, because making text of them takes as long as making them.
final class TraceFile: Sendable {
  /// What the main actor has to know.
  enum News: Sendable {
    /// Events were left out, and now there is room again.
    case hasRoom
    case hasFailed
  }

  private struct Pending {
    var events: [TraceEvent] = []
    var weight = 0
    var isScheduled = false
    /// Whether an event found no room.
    var wasFull = false
    var isClosed = false
  }

  /// The weight of the events that may wait, roughly in bytes of memory.
  private let mostWeight: Int
  private let pending = LockedValue(Pending())
  /// Used on `queue` only.
  private let writer: LockedValue<TraceWriter>
  private let reason = LockedValue<String?>(nil)
  private let receiver = LockedValue<(@MainActor @Sendable (News) -> Void)?>(nil)
  private let queue = DispatchQueue(label: "SignalboxTrace", qos: .utility)

  let url: URL

  init(_ writer: sending TraceWriter, at url: URL, mostWeight: Int) {
    self.url = url
    self.writer = LockedValue(writer)
    self.mostWeight = mostWeight
  }

  /// Has a closure called on the main actor, some time after each piece of news.
  func whenNews(_ receiver: @escaping @MainActor @Sendable (News) -> Void) {
    self.receiver.withLock { $0 = receiver }
  }

  /// Whether few enough events wait; if not, `.hasRoom` follows.
  var hasRoom: Bool {
    pending.withLock { pending in
      if pending.weight < mostWeight || pending.isClosed { return true }
      // Something waits, so that a drain follows.
      pending.wasFull = true
      return false
    }
  }

  var failure: String? { reason.withLock { $0 } }

  func append(_ event: TraceEvent, weight: Int) {
    let mustSchedule = pending.withLock { pending in
      if pending.isClosed { return false }
      pending.events.append(event)
      pending.weight += weight
      return !exchange(&pending.isScheduled, with: true)
    }
    if mustSchedule { queue.async { self.drain() } }
  }

  /// Writes all events that wait, and returns when they are in the file.
  func flush() { queue.sync { drain() } }

  /// Writes all events that wait, and nothing more.
  func close() {
    queue.sync {
      drain()
      pending.withLock { $0.isClosed = true }
      writer.withLock { $0.close() }
    }
  }

  /// Stops the writing, once it has written all events so far.
  func hold() {
    flush()
    queue.suspend()
  }

  func release() { queue.resume() }

  private func drain() {
    while true {
      let (events, weight, wasFull) = pending.withLock { pending in
        let isEmpty = pending.events.isEmpty
        if isEmpty { pending.isScheduled = false }
        let wasFull = isEmpty && exchange(&pending.wasFull, with: false)
        return (exchange(&pending.events, with: []), pending.weight, wasFull)
      }
      if wasFull { tell(.hasRoom) }
      if events.isEmpty { return }
      do {
        try writer.withLock { try $0.write(events) }
      } catch {
        fail("\(error)")
        return
      }
      // What was added while these were written waits with its weight.
      pending.withLock { $0.weight -= min(weight, $0.weight) }
    }
  }

  private func fail(_ text: String) {
    reason.withLock { $0 = text }
    pending.withLock { $0 = Pending(isScheduled: true, isClosed: true) }
    writer.withLock { $0.close() }
    tell(.hasFailed)
  }

  private func tell(_ news: News) {
    guard let receiver = receiver.withLock({ $0 }) else { return }
    Task { @MainActor in receiver(news) }
  }
}
