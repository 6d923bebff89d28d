internal import Signalbox

/// Passes the events of all stores of a recording on, with their times.
///
///     StoreRecorder 1 ─┐                  ┌──▶ TraceFile, which another thread writes
///     StoreRecorder 2 ─┴──▶ TraceTape ────┤
///                                         └──▶ History of each store, for `why`
@MainActor final class TraceTape {
  private let file: TraceFile?
  private let start = ContinuousClock.now
  private var histories: [Int: History] = [:]

  init(file: TraceFile?) { self.file = file }

  /// The seconds since the recording was started.
  var now: Double { (ContinuousClock.now - start) / .seconds(1) }

  /// Whether the file keeps up with the events.
  var hasRoom: Bool { file?.hasRoom ?? true }

  /// Adds an event.
  ///
  /// The caller has asked for room, unless the line must not be missing.
  func add(_ event: TraceEvent) {
    file?.append(event)
    guard let store = event.store else { return }
    switch event.kind {
    case .store: histories[store] = History()
    case .released: histories[store] = nil
    default: histories[store]?.note(event)
    }
  }

  func history(of store: Int) -> History? { histories[store] }
}
