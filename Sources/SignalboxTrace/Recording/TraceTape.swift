internal import Signalbox
internal import SignalboxInspection

/// Passes the events of all stores of a recording on, with their times.
///
///     StoreRecorder 1 ─┐                  ┌──▶ TraceFile, which another thread writes
///     StoreRecorder 2 ─┴──▶ TraceTape ────┤
///                                         └──▶ History of each store, for `why`
@MainActor final class TraceTape {
  private let file: TraceFile?
  private let start = ContinuousClock.now
  private var histories: [Int: History] = [:]
  private var lost = 0
  /// The failure of a test that was added last, if nothing has happened since.
  private var lastFailure: String?

  init(file: TraceFile?) { self.file = file }

  var now: Double { (ContinuousClock.now - start) / .seconds(1) }

  var hasRoom: Bool { file?.hasRoom ?? true }

  /// Adds an event, for which there is room, unless its line must not be missing.
  func add(_ event: TraceEvent, changing parts: [ChangedPart] = []) {
    lastFailure = nil
    let weight = event.weight
    file?.append(event, weight: weight)
    guard let store = event.store else { return }
    switch event.kind {
    case .store: histories[store] = History()
    case .released: histories[store] = nil
    default: histories[store]?.note(event, weight: weight, changing: parts)
    }
  }

  /// Adds a failure of a test, once if a suite and its test both report it.
  func addFailure(_ text: String) {
    if text == lastFailure { return }
    add(TraceEvent(store: nil, time: now, kind: .testFailed(text)))
    lastFailure = text
  }

  /// Notes that a change of a store is lost, so that `why` names no older one.
  func loseChange(of store: Int) { histories[store]?.noteLostChange() }

  func lose(_ count: Int) { lost += count }

  /// Writes how many events were lost that belong to no store in the file.
  func addLost() {
    guard lost > 0 else { return }
    add(TraceEvent(store: nil, time: now, kind: .lost(count: exchange(&lost, with: 0), [])))
  }

  /// Waits until there is room.
  func makeRoom() {
    if let file, !file.hasRoom { file.flush() }
  }

  func history(of store: Int) -> History? { histories[store] }
}
