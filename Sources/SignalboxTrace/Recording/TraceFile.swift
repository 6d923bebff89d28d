import Dispatch
import Foundation
internal import Signalbox

/// The file of a recording, which another thread writes.
///
///     main actor ──▶ pending events ──▶ queue: lines ──▶ file
///
/// The events wait as values, because making text of them takes as long as making them.
final class TraceFile: Sendable {
  /// The events that wait.
  private struct Pending {
    var events: [TraceEvent] = []
    var weight = 0
    var isScheduled = false
    /// Whether nothing is written any more.
    var isClosed = false
  }

  /// The weight of the events that may wait, roughly in bytes of memory.
  private let mostWeight: Int
  private let pending = LockedValue(Pending())
  /// Used on `queue` only.
  private let writer: LockedValue<TraceWriter>
  private let reason = LockedValue<String?>(nil)
  private let queue = DispatchQueue(label: "SignalboxTrace", qos: .utility)

  let url: URL

  init(_ writer: sending TraceWriter, at url: URL, mostWeight: Int) {
    self.url = url
    self.writer = LockedValue(writer)
    self.mostWeight = mostWeight
  }

  /// Whether few enough events wait.
  var hasRoom: Bool { pending.withLock { $0.weight < mostWeight || $0.isClosed } }

  /// Why nothing more is written; `nil` while all is well.
  var failure: String? { reason.withLock { $0 } }

  /// Adds an event, which is written soon.
  func append(_ event: TraceEvent) {
    let weight = event.weight
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

  func hold() { queue.suspend() }
  func release() { queue.resume() }

  private func drain() {
    while true {
      let (events, weight) = pending.withLock { pending in
        if pending.events.isEmpty { pending.isScheduled = false }
        return (exchange(&pending.events, with: []), pending.weight)
      }
      if events.isEmpty { return }
      do {
        try writer.withLock { try $0.write(events) }
      } catch {
        reason.withLock { $0 = "\(error)" }
        pending.withLock { $0 = Pending(isScheduled: true, isClosed: true) }
        return
      }
      // What was added while these were written waits with its weight.
      pending.withLock { $0.weight -= min(weight, $0.weight) }
    }
  }
}
