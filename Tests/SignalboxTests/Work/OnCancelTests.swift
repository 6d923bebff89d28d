import Signalbox
import Testing

/// Tests when `onCancel` runs for a cancelled action, and with which store (A12).
@MainActor struct OnCancelTests {
  /// Handles actions and their cancels with closures.
  private struct Tidying: Actionable {
    let handle: @MainActor (Job, DeskHandle) async throws -> Void
    var recover: @MainActor (any Error, Job, DeskHandle) -> Void = { _, _, _ in }
    let tidyUp: @MainActor (Job, DeskHandle) -> Void

    func onAction(_ job: Job, store: DeskHandle) async throws { try await handle(job, store) }

    func onError(_ error: any Error, action: Job, store: DeskHandle) {
      recover(error, action, store)
    }

    func onCancel(_ job: Job, store: DeskHandle) { tidyUp(job, store) }
  }

  let gate = StoreGate()

  /// Each action logs its start and waits at the door of its name.
  ///
  /// Its cancel is logged.
  private func makeStore(
    _ tidyUp: @escaping @MainActor (Job, DeskHandle) -> Void = { job, store in
      store.log.append("\(job)x")
    }
  ) -> DeskStore {
    DeskStore(
      state: Desk(),
      actionable: Tidying(
        handle: { [gate] job, store in
          store.log.append("\(job)+")
          try await gate.pass(job.text)
          store.log.append("\(job)-")
        }, tidyUp: tidyUp))
  }

  enum Way: CaseIterable, Sendable { case handle, name, action, all, fromAnAction }

  @Test(
    "A12 onCancel has run when the cancel returns, however it was requested",
    arguments: Way.allCases)
  func byRequest(way: Way) async {
    let store = makeStore { job, store in
      #expect(store.isCurrent && store.log == ["a+"])
      store.log.append("\(job)x")
    }
    let job = Job("a", id: "x")
    let task = store.send(job)
    switch way {
    case .handle: task.cancel()
    case .name: store.cancel(id: "x")
    case .action: store.cancel(job)
    case .all: store.cancelAll()
    case .fromAnAction:
      let other = Store(
        state: 0, actionable: Handling<Int, Int> { _, _ in store.cancel(id: "x") })
      other.send(1)
    }
    #expect(store.log == ["a+", "ax"])
    task.cancel()
    store.cancelAll()
    gate.open("a")
    await task.settled
    #expect(store.log == ["a+", "ax"])
  }

  @Test("A12 onCancel runs when the task that awaits the action is cancelled")
  func byCaller() async {
    let store = makeStore()
    let caller = Task.atOnce { await store.dispatch("a") }
    caller.cancel()
    #expect(store.log == ["a+", "ax"])
    await caller.value
    gate.open("a")
  }

  @Test("A12 onCancel runs for a cancelled action and for those it awaits, outermost first")
  func chain() async {
    let store = DeskStore(
      state: Desk(),
      actionable: Tidying(
        handle: { [gate] job, store in
          if job == "inner" { try await gate.pass("door") } else { await store.dispatch("inner") }
        }, tidyUp: { job, store in store.log.append("\(job)x") }))
    store.send(Job("outer", id: "x"))
    store.cancel(id: "x")
    #expect(store.log == ["outerx", "innerx"])
    gate.open("door")
  }

  @Test("A12 onCancel does not run for superseded, ignored or queued work, nor on release")
  func notCalled() async {
    var cancels: [String] = []
    var store: DeskStore? = makeStore { job, _ in cancels.append("\(job)") }
    store?.send(Job("superseded", id: "x"))
    store?.send(Job("latest", id: "x"))
    store?.send(Job("ignored", id: "x", .first))
    let queued = store?.send(Job("queued", id: "x", .queue))
    queued?.cancel()
    #expect(queued?.isCancelled == true && cancels.isEmpty)
    store = nil
    #expect(cancels.isEmpty)
    for door in ["superseded", "latest"] { gate.open(door) }
  }

  @Test("A12 onCancel does not run for an action that is cancelled before it has started")
  func beforeItsBeginning() {
    let store = makeStore()
    let events = store.events.sink { [weak store] in
      if case .dispatched = $0.kind { store?.cancelAll() }
    }
    let task = store.send("a")
    #expect(task.isCancelled && store.log.isEmpty)
    events.cancel()
  }

  @Test("A12 onCancel of an action that others have joined runs when the last of them is cancelled")
  func joined() async {
    let store = makeStore()
    let leader = store.send(Job("a", id: "x", .join))
    let followers = ["b", "c"].map { store.send(Job($0, id: "x", .join)) }
    leader.cancel()
    followers[0].cancel()
    #expect(store.log == ["a+"])
    followers[1].cancel()
    #expect(store.log == ["a+", "ax"])
    gate.open("a")
  }

  @Test("A12 the next work in the queue starts after onCancel of the work before it")
  func beforeTheNext() async {
    let store = makeStore()
    let first = store.send(Job("a", id: "x", .queue))
    let second = store.send(Job("b", id: "x", .queue))
    first.cancel()
    #expect(store.log == ["a+", "ax", "b+"])
    gate.open("a")
    gate.open("b")
    await second.value
  }

  @Test("A12 onCancel may dispatch, cancel, and release the store")
  func whatItMayDo() async {
    weak var weakStore: DeskStore?
    var kept: DeskStore?
    let store = makeStore { job, store in
      switch job.text {
      case "dispatches": store.send(Job("again", id: "x"))
      case "cancels": store.cancel(id: "x")
      case "releases": kept = nil
      default: store.log.append("\(job)x")
      }
    }
    store.send(Job("dispatches", id: "x"))
    store.cancel(id: "x")
    #expect(store.log == ["dispatches+", "again+"] && store.isRunning(id: "x"))
    let cancels = store.send("cancels")
    cancels.cancel()
    #expect(store.log == ["dispatches+", "again+", "cancels+", "againx"])
    for door in ["dispatches", "again", "cancels"] { gate.open(door) }

    kept = makeStore { _, _ in kept = nil }
    weakStore = kept
    kept?.send("other")
    let releases = kept?.send("releases")
    releases?.cancel()
    #expect(kept == nil && weakStore == nil)
    for door in ["other", "releases"] { gate.open(door) }
    await store.settle()
  }

  @Test("A12 H4 the cause of what onCancel does is the cancel")
  func causes() {
    let store = makeStore()
    let journal = StoreJournal(store)
    store.send(Job("a", id: "x"))
    store.cancel(id: "x")
    #expect(
      journal.tree == [
        "started", "dispatched a", "change ← dispatched a", "cancelled a ← dispatched a",
        "change ← cancelled a",
      ])
    gate.open("a")
  }

  @Test("A12 A11 middleware passes onCancel through to the interactor")
  func middleware() {
    let store = DeskStore(
      state: Desk(),
      actionable: Tidying(
        handle: { [gate] _, _ in try await gate.pass("door") },
        tidyUp: { job, store in store.log.append("\(job)x") }),
      middleware: LoggingMiddleware { _ in }, Wrapping { action, _, next in try await next(action) }
    )
    store.send("a").cancel()
    #expect(store.log == ["ax"])
    gate.open("door")
  }

  @Test("A12 A8 onCancel does not run for an action that has thrown")
  func whileItFails() async {
    var task: ActionTask?
    var tidied = false
    let store = DeskStore(
      state: Desk(),
      actionable: Tidying(
        handle: { [gate] _, _ in try await gate.pass("door") },
        recover: { _, _, _ in task?.cancel() }, tidyUp: { _, _ in tidied = true }))
    let sent = store.send("a")
    task = sent
    gate.fail("door", Refusal())
    await sent.value
    #expect(!tidied)
  }

  @Test("A13 A12 marks of cancelled work end although the onCancel of other work cancels all")
  func cancelsAll() {
    struct Form: Equatable { var isSaving = false }
    struct Saving: Actionable {
      let gate: StoreGate
      let tidyUp: @MainActor () -> Void
      func onAction(_ job: Job, store: MutatingStore<Form, Job>) async throws {
        if job == "marks" { store.mark(\.isSaving) }
        try await gate.pass(job.text)
      }
      func onCancel(_ job: Job, store: MutatingStore<Form, Job>) {
        if job == "tidies" { tidyUp() }
      }
    }
    weak var own: Store<Form, Job>?
    let store = Store(
      state: Form(), actionable: Saving(gate: gate, tidyUp: { own?.cancelAll() }))
    own = store
    store.send("marks")
    store.send("tidies")
    #expect(store.isSaving)
    store.cancelAll()
    #expect(!store.isSaving)
    gate.open("marks")
    gate.open("tidies")
  }
}
