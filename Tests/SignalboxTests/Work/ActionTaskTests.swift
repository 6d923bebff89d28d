import Signalbox
import Testing

@Suite(.timeLimit(.minutes(60))) @MainActor struct ActionTaskTests {
  let gate = StoreGate()

  private func store(
    _ handle: @escaping @MainActor (Job, DeskHandle) async throws -> Void
  ) -> DeskStore {
    DeskStore(
      state: Desk(),
      actionable: HandlingErrors(
        handle: handle, recover: { error, job, store in store.log.append("\(job): \(error)") }))
  }

  @Test("A2 a handle reports whether its work is finished and whether it was cancelled")
  func aHandleTells() async {
    let store = store { _, _ in try await gate.pass("door") }
    let finished = store.send("a")
    #expect(!finished.isFinished && !finished.isCancelled)
    gate.open("door")
    await finished.value
    #expect(finished.isFinished && !finished.isCancelled)

    let cancelled = store.send("b")
    cancelled.cancel()
    #expect(cancelled.isFinished && cancelled.isCancelled)
    gate.open("door")
  }

  @Test("A2 cancelling work that has ended changes nothing")
  func cancelAfterTheEnd() async throws {
    let store = store { _, store in store.count += 1 }
    let task = store.send("a")
    task.cancel()
    #expect(!task.isCancelled)
    try await task.result.get()
    #expect(store.count == 1)
  }

  @Test("A2 the result of work is its success, its error, or CancellationError")
  func results() async {
    let store = store { job, _ in
      if job == "throws" { throw Refusal(reason: "no") }
      if job == "waits" { try await gate.pass("door") }
    }
    await #expect(throws: Never.self) { try await store.send("returns").result.get() }
    await #expect(throws: Refusal(reason: "no")) { try await store.send("throws").result.get() }
    let waiting = store.send("waits")
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.result.get() }
    gate.open("door")
  }

  @Test("A2 callers that wait for cancelled work are resumed at once, although its body goes on")
  func waitersAreResumedAtOnce() async {
    let store = store { _, _ in try await gate.pass("door") }
    let task = store.send("a")
    let counter = SignalLog<Void>()
    Task.atOnce {
      await task.value
      counter.add(())
    }
    Task.atOnce {
      _ = await task.result
      counter.add(())
    }
    Task.atOnce {
      await task.settled
      counter.add(())
    }
    task.cancel()
    await counter.reach(3)
    #expect(gate.count(at: "door") == 1, "the body still waits")
    gate.open("door")
  }

  @Test("A2 callers that wait for superseded work are resumed at once")
  func waitersOfSupersededWork() async {
    let store = store { job, _ in try await gate.pass(job.text) }
    let first = store.send(Job("one", id: "x"))
    let waiter = Task.atOnce { await first.value }
    let second = store.send(Job("two", id: "x"))
    await waiter.value
    #expect(first.isCancelled && !second.isFinished)
    gate.open("one")
    gate.open("two")
    await second.value
    #expect(!second.isCancelled)
  }

  @Test("A2 waiting on a handle cancels nothing when the waiting task is cancelled")
  func waitingCancelsNothing() async {
    let store = store { _, store in
      try await gate.pass("door")
      store.log.append("done")
    }
    let task = store.send("a")
    let waiters = [
      Task.atOnce { await task.value }, Task.atOnce { _ = await task.result },
      Task.atOnce { await task.settled },
    ]
    for waiter in waiters { waiter.cancel() }
    #expect(store.runningCount == 1)
    #expect(!task.isCancelled)
    gate.open("door")
    for waiter in waiters { await waiter.value }
    #expect(store.log == ["done"])
  }

  @Test("A2 releasing a handle cancels nothing")
  func droppingAHandle() async {
    let store = store { _, store in
      try await gate.pass("door")
      store.log.append("done")
    }
    _ = store.send("a")
    gate.open("door")
    await store.settle()
    #expect(store.log == ["done"])
  }

  @Test("A2 settled waits for everything that the work dispatched or ran, recursively")
  func settledIsRecursive() async {
    let store = store { job, store in
      switch job.text {
      case "root":
        store.send("child")
      case "child":
        store.run { store in
          try await gate.pass("run")
          store.send("leaf")
        }
      default:
        try await gate.pass("leaf")
        store.log.append("leaf")
      }
    }
    let task = store.send("root")
    #expect(task.isFinished)
    let settled = StoreMoment()
    let waiter = Task.atOnce {
      await task.settled
      #expect(store.log == ["leaf"])
      settled.happen()
    }
    let leaf = StoreMoment()
    let events = store.events.sink {
      if case .dispatched("leaf") = $0.kind { leaf.happen() }
    }
    gate.open("run")
    await leaf.arrival
    #expect(!settled.hasHappened)
    gate.open("leaf")
    await waiter.value
    events.cancel()
  }

  @Test("A2 settled of cancelled work waits for the work that it has started")
  func settledOfCancelledWork() async {
    let store = store { job, store in
      if job == "root" {
        store.send("child")
        try await gate.pass("root")
      } else {
        try await gate.pass("child")
        store.log.append("child")
      }
    }
    let task = store.send("root")
    task.cancel()
    let waiter = Task.atOnce {
      await task.settled
      #expect(store.log == ["child"])
    }
    gate.open("child")
    await waiter.value
    gate.open("root")
  }

  @Test("A2 what ended work starts later through its handle does not delay settled")
  func settledIsNotRevived() async {
    var kept: DeskHandle?
    let store = store { job, store in
      if job == "root" { kept = store } else { try await gate.pass("late") }
    }
    let task = store.send("root")
    await task.settled
    kept?.send("late")
    await task.settled
    #expect(store.runningCount == 1)
    gate.open("late")
  }

  @Test("A2 all callers that wait for the same work are resumed")
  func manyWaiters() async {
    let store = store { _, _ in try await gate.pass("door") }
    let task = store.send("a")
    var resumed = 0
    for _ in 0..<1_000 {
      Task.atOnce {
        await task.value
        resumed += 1
      }
    }
    #expect(resumed == 0)
    gate.open("door")
    await store.settle()
    await mainActorCatchesUp()
    #expect(resumed == 1_000)
  }

  @Test("A7 cancelling a task that waits for a store to settle ends only that wait")
  func cancelledSettle() async {
    let store = store { _, _ in try await gate.pass("door") }
    let task = store.send("a")
    let waiter = Task.atOnce { await store.settle() }
    waiter.cancel()
    await waiter.value
    #expect(!task.isFinished && store.runningCount == 1)
    gate.open("door")
  }
}
