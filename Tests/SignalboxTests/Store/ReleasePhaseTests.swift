import Signalbox
import Testing

/// Tests that the last reference to a store may go at any point of an action (A9).
@MainActor struct ReleasePhaseTests {
  enum Phase: CaseIterable, Sendable {
    case firstPart, afterASuspension, fromTheQueue, runFirstPart, runAfterASuspension
    case beforeNext, afterNext, onError, onErrorOfARun, heardOfIt
    /// An action waits for work that a cancel ends, and that work releases the store elsewhere.
    case cancellableWait, cancellableWaitElsewhere

    /// Whether the action has already ended in this phase.
    var isAfterTheAction: Bool { [.runAfterASuspension, .onErrorOfARun].contains(self) }
  }

  /// Holds the last reference, drops it in one phase, and checks what the work can do afterwards.
  @MainActor final class Scene {
    let phase: Phase
    let gate = StoreGate()
    var store: DeskStore?
    private(set) var hasDropped = false
    private var elsewhere: (start: AsyncStream<Never>.Continuation, end: Task<Void, Never>)?

    init(_ phase: Phase) { self.phase = phase }

    func drop() {
      hasDropped = true
      store = nil
      elsewhere?.start.finish()
    }

    func reach(_ phase: Phase, _ handle: DeskHandle) {
      guard phase == self.phase, !hasDropped else { return }
      #expect(handle.isCurrent)
      let count = handle.count
      drop()
      #expect(!handle.isCurrent)
      handle.count += 1
      #expect(handle.count == count + 1, "it reads its own writes")
      #expect(handle.send("never").isCancelled)
      #expect(handle.run { _ in Issue.record("ran") }.isCancelled)
    }

    /// Moves the last reference off the main actor.
    func moveElsewhere() {
      let (go, start) = AsyncStream.makeStream(of: Never.self)
      let end = Task.detached { [store] in
        for await _ in go {}
        _ = store
      }
      elsewhere = (start, end)
      store = nil
    }
  }

  private struct Dropper: Actionable {
    let scene: Scene
    let canary: StoreCanary

    func onAction(_ job: Job, store: DeskHandle) async throws {
      canary.sing()
      guard job == Job("go", id: "x", .queue) else {
        if job == "never" { Issue.record("began") }
        if job != "handle" { try await scene.gate.pass("others") }
        return
      }
      scene.reach(.firstPart, store)
      scene.reach(.fromTheQueue, store)
      switch scene.phase {
      case .afterASuspension:
        try await scene.gate.pass("go")
        scene.reach(.afterASuspension, store)
      case .cancellableWait, .cancellableWaitElsewhere:
        // No value is ever sent, so the loop waits until the task is cancelled.
        for await _ in AsyncStream<Void>.makeStream().stream {}
        #expect(!store.isCurrent)
      case .runFirstPart: store.run { scene.reach(.runFirstPart, $0) }
      case .runAfterASuspension, .onErrorOfARun:
        store.run {
          try await scene.gate.pass("go")
          scene.reach(.runAfterASuspension, $0)
          throw Refusal()
        }
      case .onError: throw Refusal()
      default: break
      }
    }

    func onError(_ error: any Error, action: Job, store: DeskHandle) {
      scene.reach(.onError, store)
      scene.reach(.onErrorOfARun, store)
      canary.sing()
    }
  }

  private struct Outside: Middleware {
    let scene: Scene
    let canary: StoreCanary

    func onAction(
      _ job: Job, store: DeskHandle, next: @MainActor (Job) async throws -> Void
    ) async throws {
      if job.text == "go" { scene.reach(.beforeNext, store) }
      try await next(job)
      if job.text == "go" { scene.reach(.afterNext, store) }
      canary.sing()
    }
  }

  /// Returns a scene with a store, and a handle that sends to the store without keeping it alive.
  private func begin(_ phase: Phase, _ ends: inout StoreEnds) -> (Scene, DeskHandle) {
    let scene = Scene(phase)
    let canary = StoreCanary()
    ends.watch(canary)
    var handle: DeskHandle?
    let keeping = Wrapping<Desk, Job> { job, store, next in
      if job == "handle" { handle = store }
      try await next(job)
    }
    let store = DeskStore(
      state: Desk(), actionable: Dropper(scene: scene, canary: canary),
      middleware: keeping, Outside(scene: scene, canary: canary))
    store.send("handle")
    scene.store = store
    return (scene, handle!)
  }

  @Test(
    "A9 an action that releases its own store is stale at once, and nothing is left of it",
    .timeLimit(.minutes(60)), arguments: Phase.allCases)
  func releasedInThePhase(phase: Phase) async {
    var ends = StoreEnds()
    let (scene, handle) = begin(phase, &ends)
    weak let store = scene.store
    let events = scene.store?.events.sink { [weak scene] in
      guard phase == .heardOfIt, case .dispatched(let job) = $0.kind, job.text == "go" else {
        return
      }
      scene?.drop()
    }
    if phase == .cancellableWaitElsewhere { scene.moveElsewhere() }
    if phase == .fromTheQueue { handle.send(Job("others", id: "x", .queue)) }
    let go = handle.send(Job("go", id: "x", .queue))
    let others = [
      handle.send(Job("behind", id: "x", .queue)), handle.send(Job("along", id: "x", .join)),
      handle.send("beside"),
    ]
    let waiters = ([go] + others).flatMap { task in
      [
        Task.atOnce { await task.value }, Task.atOnce { _ = await task.result },
        Task.atOnce { await task.settled },
      ]
    }
    let awaiting = Task.atOnce { await handle.dispatch("beside") }

    scene.gate.open(phase == .fromTheQueue ? "others" : "go")
    if phase == .cancellableWait || phase == .cancellableWaitElsewhere { scene.drop() }
    for waiter in waiters + [awaiting] { await waiter.value }
    #expect(scene.hasDropped && store == nil)
    #expect(go.isCancelled != phase.isAfterTheAction)
    #expect(others[0].isCancelled != phase.isAfterTheAction || others[0].isFinished)
    #expect(others[2].isCancelled && !handle.isCurrent)
    while scene.gate.count(at: "others") > 0 { scene.gate.open("others") }
    await ends.arrival()
    withExtendedLifetime(events) {}
  }

  @Test(
    "A9 a caller that awaits a dispatch keeps the store, and the last such caller releases it",
    .timeLimit(.minutes(60)))
  func theLastAwaiter() async {
    var ends = StoreEnds()
    let (scene, handle) = begin(.afterASuspension, &ends)
    weak let store = scene.store
    let waiters = ["one", "two"].map { job in
      Task.atOnce { [store = scene.store] in await store?.dispatch(Job(job)) }
    }
    let beside = handle.send("beside")
    scene.drop()
    waiters[0].cancel()
    await waiters[0].value
    #expect(store != nil && !beside.isFinished)
    waiters[1].cancel()
    await waiters[1].value
    #expect(store == nil && beside.isCancelled)
    while scene.gate.count(at: "others") > 0 { scene.gate.open("others") }
    await ends.arrival()
  }

  @Test(
    "A9 a task off the main actor that awaits a dispatch may be the last to release the store",
    .timeLimit(.minutes(60)))
  func theLastAwaiterElsewhere() async {
    var ends = StoreEnds()
    let (scene, handle) = begin(.afterASuspension, &ends)
    let beside = handle.send("beside")
    let begun = StoreMoment()
    let events = scene.store?.events.sink {
      if case .dispatched("one") = $0.kind { begun.happen() }
    }
    let waiter = Task.detached { [store = scene.store] in await store?.dispatch("one") }
    await begun.arrival
    scene.drop()
    #expect(!beside.isFinished)
    waiter.cancel()
    await waiter.value
    await beside.value
    #expect(beside.isCancelled && !handle.isCurrent)
    while scene.gate.count(at: "others") > 0 { scene.gate.open("others") }
    await ends.arrival()
    withExtendedLifetime(events) {}
  }
}
