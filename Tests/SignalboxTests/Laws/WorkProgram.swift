import Signalbox
import Testing

/// One random program, carried out by a store and by the oracle at once.
@MainActor final class WorkProgram {
  private let seed: UInt64
  private let overlaps: [Overlap]
  private var random: SeededRandom
  private var program: [String] = []
  private var oracle = WorkOracle()
  private var tasks: [ActionTask] = []
  private let gate = StoreGate()
  private let returned = Returned()
  private let store: DeskStore

  /// Tells when the body of a piece of work has returned, current or stale.
  @MainActor private final class Returned {
    var moments: [String: StoreMoment] = [:]
    subscript(_ number: String) -> StoreMoment {
      let moment = moments[number] ?? StoreMoment()
      moments[number] = moment
      return moment
    }
  }

  init(seed: UInt64, overlaps: [Overlap]) {
    self.seed = seed
    self.overlaps = overlaps
    random = SeededRandom(seed: seed)
    store = DeskStore(
      state: Desk(),
      actionable: HandlingErrors(
        handle: { [gate, returned] job, store in
          defer { returned[job.text].happen() }
          store.log.append("\(job)+")
          try await gate.pass(job.text)
          store.log.append("\(job)-")
        }, recover: { _, job, store in store.log.append("\(job)!") }))
  }

  func check(steps: Int) async {
    for _ in 0..<steps {
      await step()
      guard isAsTheOracleSays() else { break }
    }
    store.cancelAll()
    for number in oracle.waiting { gate.open("\(number)") }
    // Whoever waits for whatever is left is resumed.
    for task in tasks { await task.settled }
    #expect(store.runningCount == 0, "seed \(seed): \(program)")
  }

  private func step() async {
    let id = random.pick(["a", "a", "b", "c", nil])
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<9:
      let overlap = random.pick(overlaps)
      program.append("\(tasks.count): dispatch \(id ?? "nil") \(overlap)")
      oracle.dispatch(id, overlap)
      tasks.append(store.send(Job("\(tasks.count)", id: id, overlap)))
    case 9..<11:
      program.append("cancel \(id ?? "all")")
      if let id {
        oracle.cancel(id)
        store.cancel(id: id)
      } else {
        oracle.cancelAll()
        store.cancelAll()
      }
    case 11..<13:
      guard !tasks.isEmpty else { return }
      let number = Int.random(in: tasks.indices, using: &random)
      program.append("cancel handle \(number)")
      oracle.cancelHandle(number)
      tasks[number].cancel()
    default:
      guard !oracle.waiting.isEmpty else { return }
      await answer(random.pick(oracle.waiting.sorted()), fails: Bool.random(using: &random))
    }
  }

  private func answer(_ number: Int, fails: Bool) async {
    program.append("\(fails ? "fail" : "answer") \(number)")
    let isCurrent = oracle.answer(number, fails: fails)
    if fails { gate.fail("\(number)", Refusal()) } else { gate.open("\(number)") }
    await returned["\(number)"].arrival
    if isCurrent { await tasks[number].value }
  }

  private func isAsTheOracleSays() -> Bool {
    let place: Comment = "seed \(seed): \(program)"
    var isRight = true
    func expect<T: Equatable>(_ value: T, _ expected: T, _ what: String) {
      isRight = isRight && value == expected
      #expect(value == expected, "\(what), \(place)")
    }
    expect(store.log, oracle.log, "log")
    expect(store.runningCount, oracle.runningCount, "runningCount")
    for id in ["a", "b", "c"] {
      expect(store.isRunning(id: id), oracle.isRunning(id), "isRunning \(id)")
    }
    for (number, task) in tasks.enumerated() {
      let fate = oracle.fates[number]
      let isCancelled = fate == .cancelled || fate == .abandoned
      let isFinished = isCancelled || fate == .ended || fate == .failed
      expect(task.isFinished, isFinished, "isFinished of \(number), \(fate)")
      expect(task.isCancelled, isCancelled, "isCancelled of \(number), \(fate)")
    }
    return isRight
  }
}
