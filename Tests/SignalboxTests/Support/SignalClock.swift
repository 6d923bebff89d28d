import Foundation

/// A clock that a test moves by hand, and that reports its sleepers.
final class SignalClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    var offset: Duration
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (l: Instant, r: Instant) -> Bool { l.offset < r.offset }
  }

  struct Book {
    /// How many times a task has gone to sleep.
    var calls = 0
    var sleeping = 0
    /// The largest number of simultaneous sleepers.
    var peak = 0
    var deadlines: [Duration] = []
  }

  private struct Sleeper {
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct Watcher {
    let condition: @Sendable (Book) -> Bool
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var now = Instant(offset: .zero)
    var book = Book()
    var nextID = 0
    var sleepers: [Int: Sleeper] = [:]
    var cancelled: Set<Int> = []
    var watchers: [Watcher] = []
  }

  private let lock = NSLock()
  // Guarded by `lock`.
  private nonisolated(unsafe) var state = State()

  var now: Instant { locked { $0.now } }
  var minimumResolution: Duration { .zero }
  var book: Book { locked { $0.book } }

  func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let id = locked { state in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        add(Sleeper(deadline: deadline, continuation: continuation), id)
      }
    } onCancel: {
      cancel(id)
    }
  }

  /// Moves the time and wakes the sleepers whose deadlines it has reached.
  func advance(by duration: Duration) {
    let due = locked { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for id in due.keys { state.sleepers[id] = nil }
      state.book.sleeping = state.sleepers.count
      return due.values.sorted { $0.deadline < $1.deadline }
    }
    for sleeper in due { sleeper.continuation.resume() }
    notify()
  }

  /// Returns when the book satisfies a condition.
  func until(_ condition: @escaping @Sendable (Book) -> Bool) async {
    await withCheckedContinuation { continuation in
      let holds = locked { state in
        if condition(state.book) { return true }
        state.watchers.append(Watcher(condition: condition, continuation: continuation))
        return false
      }
      if holds { continuation.resume() }
    }
  }

  private func add(_ sleeper: Sleeper, _ id: Int) {
    enum Verdict {
      case sleep
      case awake
      case cancelled
    }
    let verdict: Verdict = locked { state in
      if state.cancelled.remove(id) != nil { return .cancelled }
      state.book.calls += 1
      state.book.deadlines.append(sleeper.deadline.offset)
      if sleeper.deadline <= state.now { return .awake }
      state.sleepers[id] = sleeper
      state.book.sleeping = state.sleepers.count
      state.book.peak = max(state.book.peak, state.book.sleeping)
      return .sleep
    }
    switch verdict {
    case .sleep: break
    case .awake: sleeper.continuation.resume()
    case .cancelled: sleeper.continuation.resume(throwing: CancellationError())
    }
    notify()
  }

  private func cancel(_ id: Int) {
    let sleeper: Sleeper? = locked { state in
      guard let sleeper = state.sleepers.removeValue(forKey: id) else {
        state.cancelled.insert(id)
        return nil
      }
      state.book.sleeping = state.sleepers.count
      return sleeper
    }
    sleeper?.continuation.resume(throwing: CancellationError())
    notify()
  }

  private func notify() {
    let ready = locked { state in
      let book = state.book
      let ready = state.watchers.filter { $0.condition(book) }
      state.watchers.removeAll { $0.condition(book) }
      return ready
    }
    for watcher in ready { watcher.continuation.resume() }
  }

  private func locked<Result>(_ body: (inout State) -> Result) -> Result {
    lock.withLock { unsafe body(&state) }
  }
}
