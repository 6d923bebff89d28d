import RandomPrograms
import Signalbox
import Testing

/// Random programs in which every callback acts on the current work.
///
/// The callbacks are subscribers, bodies, middleware, `onError` and `onCancel`.
@MainActor struct ReentrantLaws {
  @Test(
    "A2 A4 A7 whatever callbacks do, all work ends and the records are right",
    .timeLimit(.minutes(60)), arguments: [false, true])
  func callbacks(isReleased: Bool) async {
    for seed in LawPrograms.seeds(150) {
      let program = ReentrantProgram(seed: seed, mayRelease: isReleased)
      await program.run()
      #expect(program.mistakes.isEmpty, "seed \(seed): \(program.mistakes)")
      if let store = program.store { expectEmptyBooks(store) }
    }
  }
}

/// A random program.
@MainActor private final class ReentrantProgram {
  private(set) var store: DeskStore?
  private(set) var mistakes: [String] = []

  private var random: SeededRandom
  private let mayRelease: Bool
  private let gate = StoreGate()
  private var doors: [String] = []
  private var isEnding = false
  private var handles: [DeskHandle] = []
  private var tasks: [ActionTask] = []
  private var started: Set<String> = []
  private var ended: [String: [String]] = [:]
  private var dispatched: [String] = []
  private var count = 0
  private var depth = 0
  private var budget = 150
  private var listener: Subscription?

  init(seed: UInt64, mayRelease: Bool) {
    random = SeededRandom(seed: seed)
    self.mayRelease = mayRelease
    store = DeskStore(
      state: Desk(),
      actionable: HandlingErrors<Desk, Job>(
        handle: { [weak self] job, store in try await self?.body(job.text, store) },
        recover: { [weak self] _, _, store in self?.act(store) }),
      middleware: Wrapping { [weak self] job, store, next in
        self?.act(store)
        try await next(job)
        self?.act(store)
      })
    listener = store?.events.sink { [weak self] in self?.hear($0.kind) }
  }

  func run() async {
    if let root = store?.send("root") { tasks.append(root) }
    for _ in 0..<12 {
      act(handles.last)
      await othersHaveTheirTurn()
      openSome()
      await othersHaveTheirTurn()
    }
    isEnding = true
    budget = 0
    for door in doors { gate.open(door) }
    for task in tasks { await task.settled }
    judge()
    listener = nil
  }

  /// Lets other tasks run.
  ///
  /// The result does not depend on which task runs first.
  private func othersHaveTheirTurn() async { await Task {}.value }

  private func judge() {
    if let running = store?.runningCount, running != 0 { mistakes.append("\(running) running") }
    if !tasks.allSatisfy(\.isFinished) { mistakes.append("settled and not ended") }
    // The events finish with the store, even if some cancels have not been reported yet.
    guard store != nil else { return }
    for job in dispatched {
      let ends = ended[job, default: []]
      // A subscriber that receives the end of work may still cancel that work.
      if ends.count != 1, ends.count != 2 || ends[1] != "cancelled" {
        mistakes.append("\(job) ended \(ends)")
      }
    }
  }

  private func openSome() {
    while let door = doors.popLast() {
      if random.oneIn(5) { gate.fail(door, Refusal()) } else { gate.open(door) }
      if random.oneIn(3) { return }
    }
  }

  private func hear(_ kind: StoreEvent<Desk, Job>.Kind) {
    switch kind {
    case .dispatched(let job): dispatched.append(job.text)
    case .finished(let job, _): ended[job.text, default: []].append("finished")
    case .cancelled(let job): ended[job.text, default: []].append("cancelled")
    case .failed(let job, _): ended[job.text, default: []].append("failed")
    default: break
    }
    if random.oneIn(4) { act(handles.last) }
  }

  private func body(_ name: String, _ store: DeskHandle) async throws {
    if !started.insert(name).inserted { mistakes.append("\(name) started twice") }
    handles.append(store)
    act(store)
    for _ in 0..<random.below(3) {
      switch random.below(4) {
      case 0: try await pass(name)
      case 1:
        try await withTaskCancellationHandler {
          try await pass(name)
        } onCancel: { [weak self] in
          MainActor.assumeIsolated { if let self { self.act(self.handles.last) } }
        }
      case 2: if spend() { await store.dispatch(makeJob()) }
      default: break
      }
      act(store)
    }
    if random.oneIn(4) { throw Refusal() }
  }

  private func pass(_ door: String) async throws {
    if isEnding { return }
    doors.append(door)
    try await gate.pass(door)
  }

  private func spend() -> Bool {
    budget -= 1
    return budget >= 0
  }

  private func pickOverlap() -> Overlap {
    random.pick([.latest, .first, .join, .queue, .concurrent])
  }

  private func pickName() -> String? { random.pick(["x", "x", "y", nil]) }

  private func makeJob() -> Job {
    count += 1
    return Job("job \(count)", id: pickName(), pickOverlap())
  }

  private func makeRun(_ handle: DeskHandle) {
    count += 1
    let name = "run \(count)"
    tasks.append(
      handle.run(id: pickName(), overlap: pickOverlap()) { [weak self] in
        try await self?.body(name, $0)
      })
  }

  private func act(_ handle: DeskHandle?) {
    guard depth < 6 else { return }
    depth += 1
    defer { depth -= 1 }
    for _ in 0..<random.below(3) { actOnce(handle) }
  }

  private func actOnce(_ handle: DeskHandle?) {
    switch random.below(15) {
    case 0...3: if spend(), let handle { tasks.append(handle.send(makeJob())) }
    case 4...6: if spend(), let store { tasks.append(store.send(makeJob())) }
    case 7: if spend(), let handle { makeRun(handle) }
    case 8: store?.cancel(id: "x")
    case 9: handle?.cancel(id: "y")
    case 10, 11: if !tasks.isEmpty { random.pick(tasks).cancel() }
    case 12: if random.oneIn(6) { store?.cancelAll() }
    case 13:
      handle?.batch {
        handle?.count += 1
        handle?.title += "."
      }
    default: if mayRelease, random.oneIn(10) { _ = store.take() }
    }
  }
}
