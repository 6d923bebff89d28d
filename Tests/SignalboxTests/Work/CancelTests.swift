import Signalbox
import Testing

@MainActor struct CancelTests {
  let gate = StoreGate()

  private func store(
    middleware: Wrapping<Desk, Job> = Wrapping { job, _, next in try await next(job) },
    _ handle: @escaping @MainActor (Job, DeskHandle) async throws -> Void
  ) -> DeskStore {
    DeskStore(state: Desk(), actionable: Handling(handle), middleware: middleware)
  }

  /// Expects that the first action, which cancels itself while it runs, was cancelled.
  private func expectCancelled(_ store: DeskStore, wrote log: [String]) async {
    let task = store.send(Job("go", id: "x"))
    #expect(task.isFinished && task.isCancelled)
    #expect(!store.isRunning(id: "x"))
    #expect(store.runningCount == 0)
    #expect(store.log == log)
    await #expect(throws: CancellationError.self) { try await task.result.get() }
    #expect(store.log == log)
  }

  @Test("A3 an action can be cancelled from its own synchronous part")
  func cancelFromWithin() async {
    let store = store { _, store in
      store.log.append("before")
      store.cancel(id: "x")
      store.log.append("after")
    }
    await expectCancelled(store, wrote: ["before"])
  }

  @Test("A3 a task that was cancelled before it suspended sees that at its first suspension")
  func theTaskKnows() async {
    var knew = false
    let ended = StoreMoment()
    let store = store { _, store in
      store.cancel(id: "x")
      try await gate.pass("door")
      knew = Task.isCancelled
      ended.happen()
    }
    let task = store.send(Job("go", id: "x"))
    #expect(task.isCancelled)
    gate.open("door")
    await ended.arrival
    #expect(knew)
  }

  @Test("A3 an action can be cancelled by a hook that its first write fires")
  func cancelFromAHook() async {
    let store = DeskStore(
      state: Desk(),
      interactor: Hooking<Desk, Job, OneHook>(
        connect: { _, store in store.publisher.log.sink { _ in store.cancel(id: "x") } },
        handle: { _, store in
          store.log.append("before")
          store.log.append("after")
        }))
    await expectCancelled(store, wrote: ["before"])
  }

  @Test("A3 an action can be cancelled by middleware before it reaches the interactor")
  func cancelFromMiddleware() async {
    let store = store(
      middleware: Wrapping { job, store, next in
        store.cancel(id: "x")
        try await next(job)
      }
    ) { _, store in store.log.append("never") }
    await expectCancelled(store, wrote: [])
  }

  @Test("A3 an action can be cancelled by a subscriber to its dispatched event")
  func cancelFromAnEvent() async {
    let store = store { _, store in store.log.append("never") }
    let subscription = store.events.sink { [weak store] in
      if case .dispatched = $0.kind { store?.cancel(id: "x") }
    }
    // The cancel must take effect whether the event comes before or after the work is registered.
    let task = store.send(Job("go", id: "x"))
    #expect(task.isCancelled)
    #expect(store.log.isEmpty)
    subscription.cancel()
  }

  @Test("A3 an action that is superseded in its own synchronous part is stale at once")
  func supersedeFromWithin() async {
    let store = store { job, store in
      store.log.append("\(job) begins")
      if job.text == "one" { store.send(Job("two", id: "x")) }
      store.log.append("\(job) ends")
    }
    let one = store.send(Job("one", id: "x"))
    #expect(one.isCancelled)
    #expect(store.log == ["one begins", "two begins", "two ends"])
    #expect(store.runningCount == 0)
  }

  @Test("A7 cancelled work leaves the records at once, not when its body ends")
  func booksAtOnce() async {
    let ended = StoreMoment()
    let store = store { _, store in
      try await gate.pass("door")
      store.log.append("late")
      ended.happen()
    }
    store.send(Job("a", id: "x"))
    #expect(store.isRunning(id: "x") && store.runningCount == 1)
    store.cancel(id: "x")
    #expect(!store.isRunning(id: "x") && store.runningCount == 0)
    gate.open("door")
    await ended.arrival
    #expect(store.log.isEmpty && store.runningCount == 0)
  }

  @Test("A7 cancelled work that ends late does not remove its successor from the records")
  func lateWorkLeavesItsSuccessor() async {
    let ended = StoreMoment()
    let store = store { job, store in
      try await gate.pass(job.text)
      store.log.append(job.text)
      if job.text == "one" { ended.happen() }
    }
    store.send(Job("one", id: "x"))
    let two = store.send(Job("two", id: "x"))
    gate.open("one")
    await ended.arrival
    store.send("other")
    #expect(store.isRunning(id: "x"))
    #expect(store.runningCount == 2)
    store.cancel(id: "x")
    #expect(two.isCancelled)
    gate.open("two")
    gate.open("other")
    await store.settle()
    #expect(store.log == ["other"])
  }

  @Test("A7 cancel by action cancels work of its name, and nil names nothing")
  func cancelByAction() async {
    let store = store { _, _ in try await gate.pass("door") }
    let named = store.send(Job("a", id: "x"))
    let unnamed = store.send(Job("b"))
    store.cancel(Job("whatever"))
    #expect(!named.isCancelled && !unnamed.isCancelled)
    store.cancel(Job("whatever", id: "x"))
    #expect(named.isCancelled && !unnamed.isCancelled)
    store.cancelAll()
    gate.open("door")
    gate.open("door")
  }

  @Test("A7 cancelAll cancels named, unnamed and queued work, and runs")
  func cancelAll() async {
    var handle: DeskHandle?
    let store = store { _, store in
      handle = store
      try await gate.pass("door")
      store.log.append("written")
    }
    let tasks = [
      store.send("a"), store.send(Job("b", id: "x")), store.send(Job("c", id: "x", .queue)),
    ]
    let run = handle?.run(id: 7) { _ in try await gate.pass("door") }
    #expect(store.runningCount == 4)
    store.cancelAll()
    #expect(store.runningCount == 0)
    #expect(!store.isRunning(id: "x") && !store.isRunning(id: 7))
    #expect(tasks.areAllCancelled && run?.isCancelled == true)
    for _ in 0..<3 { gate.open("door") }
    let next = store.send("next")
    gate.open("door")
    await next.value
    #expect(store.log == ["written"], "only the next one is current")
  }

  @Test("A7 cancelling an unknown identifier is not an error")
  func unknownIdentifiers() {
    let store = store { _, store in
      store.cancel(id: "nobody")
      store.cancel(Job("nobody", id: "nobody"))
      store.log.append("still here")
    }
    store.cancel(id: "nobody")
    store.cancelAll()
    #expect(!store.isRunning(id: "nobody"))
    store.send(Job("go", id: "x"))
    #expect(store.log == ["still here"])
  }

  @Test("A7 settle is resumed when the last work is cancelled through its handle")
  func settleAfterCancel() async {
    let store = store { _, _ in try await gate.pass("door") }
    let task = store.send("a")
    let settled = StoreMoment()
    Task.atOnce {
      await store.settle()
      settled.happen()
    }
    task.cancel()
    // Cancelled work has ended, so settle waits for nothing else.
    await settled.arrival
    #expect(gate.count(at: "door") == 1)
    gate.open("door")
  }

  @Test("A7 a subscriber to the end of an action cannot cancel the action any more")
  func cancelWhenFinished() async {
    let store = store { _, _ in }
    let journal = StoreJournal(store)
    let events = store.events.sink { [weak store] in
      if case .finished = $0.kind { store?.cancelAll() }
    }
    let task = store.send("go")
    #expect(!task.isCancelled)
    await #expect(throws: Never.self) { try await task.result.get() }
    #expect(journal.lines == ["started", "dispatched go", "finished go"])
    events.cancel()
  }
}
