import Signalbox
import Testing

/// Tests the results of two callers of the same name under each overlap.
@MainActor struct CallerTests {
  enum Seen: Sendable { case waits, ended, failed, cancelled }

  enum Event: Sendable {
    case answer(Int)
    case fail(Int)
    /// Cancels through the caller: the handle, or the task that awaits the dispatch.
    case cancel(Int)
  }

  enum Way: CaseIterable, Sendable { case handle, awaited, run }

  struct Row: Sendable, CustomTestStringConvertible {
    let overlap: Overlap
    let events: [Event]
    let seen: [Seen]
    let began: [Int]
    let errors: Int

    init(_ overlap: Overlap, _ events: [Event], _ seen: Seen..., began: [Int], errors: Int = 0) {
      self.overlap = overlap
      self.events = events
      self.seen = seen
      self.began = began
      self.errors = errors
    }

    var testDescription: String { "\(overlap) \(events)" }
  }

  // The second piece of work arrives with the overlap while the first one runs.
  nonisolated static let rows: [Row] = [
    Row(.latest, [], .cancelled, .waits, began: [0, 1]),
    Row(.latest, [.answer(0)], .cancelled, .waits, began: [0, 1]),
    Row(.latest, [.fail(0), .answer(1)], .cancelled, .ended, began: [0, 1]),
    Row(.latest, [.fail(1)], .cancelled, .failed, began: [0, 1], errors: 1),
    Row(.latest, [.cancel(0), .answer(1)], .cancelled, .ended, began: [0, 1]),
    Row(.latest, [.cancel(1)], .cancelled, .cancelled, began: [0, 1]),

    Row(.first, [], .waits, .cancelled, began: [0]),
    Row(.first, [.answer(0)], .ended, .cancelled, began: [0]),
    Row(.first, [.fail(0)], .failed, .cancelled, began: [0], errors: 1),
    Row(.first, [.cancel(1)], .waits, .cancelled, began: [0]),
    Row(.first, [.cancel(0)], .cancelled, .cancelled, began: [0]),

    Row(.join, [], .waits, .waits, began: [0]),
    Row(.join, [.answer(0)], .ended, .ended, began: [0]),
    Row(.join, [.fail(0)], .failed, .failed, began: [0], errors: 1),
    Row(.join, [.cancel(1)], .waits, .cancelled, began: [0]),
    Row(.join, [.cancel(1), .answer(0)], .ended, .cancelled, began: [0]),
    Row(.join, [.cancel(0)], .cancelled, .waits, began: [0]),
    Row(.join, [.cancel(0), .answer(0)], .cancelled, .ended, began: [0]),
    Row(.join, [.cancel(0), .fail(0)], .cancelled, .failed, began: [0], errors: 1),
    Row(.join, [.cancel(0), .cancel(1)], .cancelled, .cancelled, began: [0]),
    Row(.join, [.cancel(1), .cancel(0), .fail(0)], .cancelled, .cancelled, began: [0]),

    Row(.queue, [], .waits, .waits, began: [0]),
    Row(.queue, [.answer(0)], .ended, .waits, began: [0, 1]),
    Row(.queue, [.fail(0), .answer(1)], .failed, .ended, began: [0, 1], errors: 1),
    Row(.queue, [.cancel(0)], .cancelled, .waits, began: [0, 1]),
    Row(.queue, [.cancel(0), .fail(1)], .cancelled, .failed, began: [0, 1], errors: 1),
    Row(.queue, [.cancel(1)], .waits, .cancelled, began: [0]),
    Row(.queue, [.cancel(1), .answer(0)], .ended, .cancelled, began: [0]),

    Row(.concurrent, [], .waits, .waits, began: [0, 1]),
    Row(.concurrent, [.answer(1)], .waits, .ended, began: [0, 1]),
    Row(.concurrent, [.fail(1), .answer(0)], .ended, .failed, began: [0, 1], errors: 1),
    Row(.concurrent, [.cancel(0), .answer(1)], .cancelled, .ended, began: [0, 1]),
    Row(.concurrent, [.cancel(1), .answer(0)], .ended, .cancelled, began: [0, 1]),
  ]

  /// A waiting caller, with what it has received and a way to cancel it.
  @MainActor private final class Caller {
    private(set) var seen = Seen.waits
    private let cancelHandle: @MainActor () -> Void
    private var waiting: Task<Void, Never>?

    init(_ task: ActionTask) {
      cancelHandle = { task.cancel() }
      waiting = Task.atOnce { [weak self] in
        self?.seen =
          switch await task.result {
          case .success: .ended
          case .failure(is CancellationError): .cancelled
          case .failure: .failed
          }
      }
    }

    /// A caller that awaits a dispatch sees that it has ended, but not how.
    init(_ waiting: Task<Void, Never>) {
      cancelHandle = { waiting.cancel() }
      self.waiting = Task.atOnce { [weak self] in
        await waiting.value
        self?.seen = .ended
      }
    }

    func cancel() { cancelHandle() }
    var arrival: Void { get async { await waiting?.value } }
  }

  @Test(
    "A4 each caller gets its result as soon as the overlap says, however it waits",
    .timeLimit(.minutes(60)), arguments: rows, Way.allCases)
  func callers(row: Row, way: Way) async {
    let gate = StoreGate()
    let counters = (0..<2).map { _ in StoreMoment() }
    var began: [Int] = []
    var errors = 0
    var handle: DeskHandle?

    @MainActor func work(_ number: Int) async throws {
      began.append(number)
      defer { counters[number].happen() }
      try await gate.pass("\(number)")
    }
    let store = DeskStore(
      state: Desk(),
      actionable: HandlingErrors(
        handle: { job, store in
          if let number = Int(job.text) { try await work(number) } else { handle = store }
        }, recover: { _, _, _ in errors += 1 }))
    let events = store.events.sink { if case .unhandled = $0.kind { errors += 1 } }
    store.send("handle")

    func call(_ number: Int, _ overlap: Overlap) -> Caller? {
      let job = Job("\(number)", id: "x", overlap)
      return switch way {
      case .handle: Caller(store.send(job))
      case .awaited: Caller(Task.atOnce { await store.dispatch(job) })
      case .run:
        handle.map { Caller($0.run(id: "x", overlap: overlap) { _ in try await work(number) }) }
      }
    }
    let callers = [call(0, .concurrent), call(1, row.overlap)].compactMap { $0 }
    for event in row.events {
      switch event {
      case .cancel(let number): callers[number].cancel()
      case .answer(let number):
        gate.open("\(number)")
        await counters[number].arrival
      case .fail(let number):
        gate.fail("\(number)", Refusal())
        await counters[number].arrival
      }
    }
    for (caller, seen) in zip(callers, row.seen) where seen != .waits { await caller.arrival }
    let expected = way == .awaited ? row.seen.map { $0 == .waits ? .waits : .ended } : row.seen
    #expect(callers.map { $0.seen } == expected)
    #expect(began == row.began && errors == row.errors)
    #expect(store.isRunning(id: "x") == row.seen.contains(.waits))
    store.cancelAll()
    for number in 0..<2 { gate.open("\(number)") }
    for caller in callers { await caller.arrival }
    events.cancel()
  }

  @Test(
    "A4 joining a run or an action that was cancelled starts afresh",
    arguments: [false, true], [false, true])
  func joinCancelled(isRun: Bool, byName: Bool) async {
    let gate = StoreGate()
    var began = 0
    var handle: DeskHandle?
    @MainActor func work() async throws {
      began += 1
      try await gate.pass("door")
    }
    let store = DeskStore(
      state: Desk(),
      actionable: Handling { job, store in
        if job == "handle" { handle = store } else { try await work() }
      })
    store.send("handle")
    func join() -> ActionTask? {
      isRun
        ? handle?.run(id: "x", overlap: .join) { _ in try await work() }
        : store.send(Job("go", id: "x", .join))
    }
    let first = join()
    if byName { store.cancel(id: "x") } else { first?.cancel() }
    let second = join()
    #expect(began == 2 && first?.isCancelled == true && second?.isFinished == false)
    gate.open("door")
    gate.open("door")
    await second?.value
    #expect(second?.isCancelled == false)
  }
}
