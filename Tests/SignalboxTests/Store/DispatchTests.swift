import Signalbox
import Testing

@MainActor struct DispatchTests {
  @Test("A1 dispatch runs the action up to its first suspension before it returns")
  func dispatchRunsToTheFirstSuspension() async {
    let gate = StoreGate()
    let store = DeskStore(
      state: Desk(),
      actionable: Handling { _, store in
        store.log.append("one")
        store.log.append("two")
        try await gate.pass("door")
        store.log.append("three")
      })
    let task = store.send("go")
    #expect(store.log == ["one", "two"])
    gate.open("door")
    await task.value
    #expect(store.log == ["one", "two", "three"])
  }

  @Test("A1 a store for a preview has its state and drops every action")
  func preview() async {
    let store: DeskStore = .preview(Desk(count: 3))
    let task = store.send("go")
    await store.dispatch("go")
    #expect(task.isFinished)
    #expect(store.state == Desk(count: 3))
    store.binder.count.wrappedValue = 4
    #expect(store.count == 4)
  }

  @Test("A1 an action that another action dispatches reaches its first suspension by the next line")
  func nestedDispatchIsSynchronous() {
    let store = DeskStore(
      state: Desk(),
      actionable: Handling { job, store in
        guard job == "outer" else { return store.log.append("inner") }
        store.send("inner")
        store.log.append("after \(store.log.count)")
      })
    store.send("outer")
    #expect(store.log == ["inner", "after 1"])
  }

  @Test("A1 an action that awaits but never really suspends has ended when dispatch returns")
  func awaitsThatDoNotSuspendDoNotHop() {
    @MainActor func load() async -> Int { 7 }
    let wrap = Wrapping<Desk, Job> { job, _, next in try await next(job) }
    let store = DeskStore(
      state: Desk(), actionable: Handling { _, store in store.count = await load() },
      middleware: wrap, wrap)
    let task = store.send("go")
    #expect(store.count == 7)
    #expect(task.isFinished)
    #expect(store.runningCount == 0)
  }

  @Test("A1 a dispatch inside a sink changes the state at once")
  func dispatchInsideASink() {
    let store = DeskStore(
      state: Desk(), actionable: Handling { job, store in store.log.append(job.text) })
    let emitter = Emitter<String>()
    var seen: [[String]] = []
    let subscription = emitter.sink {
      store.send(Job($0))
      seen.append(store.log)
    }
    emitter.send("a")
    #expect(seen == [["a"]])
    subscription.cancel()
  }

  @Test("A2 await dispatch returns when the action has ended, not earlier")
  func awaitDispatch() async {
    let gate = StoreGate()
    let store = DeskStore(
      state: Desk(),
      actionable: Handling { job, store in
        try await gate.pass("door")
        store.log.append("\(job) is done")
        if job == "go" { store.send("child") }
      })
    // The gate opens only when this task runs, which is after the main task has begun to wait.
    Task { gate.open("door") }
    await store.dispatch("go")
    #expect(store.log == ["go is done"])
    #expect(store.runningCount == 1, "the child is not waited for")
    gate.open("door")
    await store.settle()
  }

  @Test("A2 await dispatch returns if the action throws and if a middleware swallows it")
  func awaitDispatchOfOthers() async {
    let store = DeskStore(
      state: Desk(),
      actionable: HandlingErrors(
        handle: { _, _ in throw Refusal() },
        recover: { _, job, store in store.log.append("error of \(job)") }),
      middleware: Wrapping { job, _, next in if job != "swallow" { try await next(job) } })
    await store.dispatch("fail")
    await store.dispatch("swallow")
    #expect(store.log == ["error of fail"])
  }

  @Test("A2 cancelling the task that awaits a dispatch cancels the action and resumes the task")
  func cancellingTheAwaiterCancels() async {
    let gate = StoreGate()
    let store = DeskStore(
      state: Desk(),
      actionable: Handling { _, store in
        try await gate.pass("door")
        store.log.append("too late")
      })
    let journal = StoreJournal(store)
    let waiter = Task.atOnce { await store.dispatch("go") }
    #expect(store.runningCount == 1)
    waiter.cancel()
    #expect(store.runningCount == 0)
    await waiter.value
    #expect(journal.lines == ["started", "dispatched go", "cancelled go"])
    gate.open("door")
    #expect(store.log.isEmpty)
  }

  @Test("A2 a task that is cancelled off the main actor cancels the action that it awaits")
  func cancellingTheAwaiterFromElsewhere() async {
    let gate = StoreGate()
    let store = DeskStore(
      state: Desk(), actionable: Handling { _, _ in try await gate.pass("door") })
    let waiter = Task.atOnce { await store.dispatch("go") }
    await Task.detached { waiter.cancel() }.value
    await waiter.value
    #expect(store.runningCount == 0)
    gate.open("door")
  }

  @Test("A2 a task that is already cancelled cancels the action it awaits at its first suspension")
  func alreadyCancelledAwaiter() async {
    let gate = StoreGate()
    let store = DeskStore(
      state: Desk(),
      actionable: Handling { _, store in
        store.log.append("started")
        try await gate.pass("door")
        store.log.append("too late")
      })
    let waiter = Task { await store.dispatch("go") }
    waiter.cancel()
    await waiter.value
    #expect(store.log == ["started"])
    #expect(store.runningCount == 0)
    gate.open("door")
  }

  @Test("A2 cancelling an action cancels the action whose dispatch it awaits")
  func cancelReachesWhatIsAwaited() async {
    let gate = StoreGate()
    let store = DeskStore(
      state: Desk(),
      actionable: Handling { job, store in
        if job == "outer" { await store.dispatch("inner") } else { try await gate.pass("door") }
      })
    let journal = StoreJournal(store)
    let outer = store.send("outer")
    #expect(store.runningCount == 2)
    outer.cancel()
    #expect(store.runningCount == 0)
    #expect(journal.lines.suffix(2) == ["cancelled outer", "cancelled inner"])
    gate.open("door")
  }

  @Test("A2 cancelling an action does not cancel actions that it dispatched without awaiting")
  func cancelDoesNotReachWhatIsNotAwaited() async {
    let gate = StoreGate()
    let store = DeskStore(
      state: Desk(),
      actionable: Handling { job, store in
        if job == "outer" { store.send("inner") }
        try await gate.pass(job.text)
        store.log.append(job.text)
      })
    let outer = store.send("outer")
    outer.cancel()
    #expect(store.runningCount == 1)
    gate.open("inner")
    gate.open("outer")
    await store.settle()
    #expect(store.log == ["inner"])
  }
}
