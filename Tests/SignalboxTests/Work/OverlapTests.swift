import Signalbox
import Testing

@MainActor struct OverlapTests {
  let gate = StoreGate()

  /// Each action logs its start, waits at the door of its name and logs its end.
  private func makeStore() -> DeskStore {
    DeskStore(
      state: Desk(),
      actionable: HandlingErrors(
        handle: { job, store in
          store.log.append("\(job)+")
          if job.text.hasPrefix("sync") { return }
          try await gate.pass(job.text)
          store.log.append("\(job)-")
        }, recover: { _, job, store in store.log.append("\(job)!") }))
  }

  private func send(_ text: String, _ overlap: Overlap, to store: DeskStore) -> ActionTask {
    store.send(Job(text, id: "x", overlap))
  }

  @Test("A4 latest cancels all work of its name: running, concurrent and queued")
  func latestCancelsAll() {
    let store = makeStore()
    let tasks = [
      send("a", .concurrent, to: store), send("b", .concurrent, to: store),
      send("c", .queue, to: store),
    ]
    let latest = send("d", .latest, to: store)
    #expect(tasks.areAllCancelled)
    #expect(!latest.isCancelled && store.runningCount == 1)
    #expect(store.log == ["a+", "b+", "d+"])
    store.cancelAll()
    for door in ["a", "b", "d"] { gate.open(door) }
  }

  @Test("A4 first ignores the new work, which ends as cancelled and never starts")
  func firstIgnores() async {
    let store = makeStore()
    let one = send("a", .first, to: store)
    let two = send("b", .first, to: store)
    #expect(two.isFinished && two.isCancelled && !one.isFinished)
    await store.dispatch(Job("c", id: "x", .first))
    gate.open("a")
    await one.value
    #expect(store.log == ["a+", "a-"])
    let three = send("d", .first, to: store)
    gate.open("d")
    await three.value
    #expect(store.log == ["a+", "a-", "d+", "d-"])
  }

  @Test("A4 queue runs one piece of work after the other, in order, even if one throws")
  func queueKeepsOrder() async {
    let store = makeStore()
    let tasks = ["a", "b", "c", "sync", "d"].map { send($0, .queue, to: store) }
    #expect(store.log == ["a+"] && store.runningCount == 5)
    gate.open("a")
    await tasks[0].value
    #expect(store.log == ["a+", "a-", "b+"])
    gate.fail("b", Refusal())
    await tasks[1].value
    gate.open("c")
    await tasks[2].value
    gate.open("d")
    await tasks[4].value
    #expect(
      store.log == ["a+", "a-", "b+", "b!", "c+", "c-", "sync+", "d+", "d-"])
    #expect(store.runningCount == 0)
  }

  @Test("A4 cancelling the running head of a queue starts the next work in it")
  func cancelTheHead() async {
    let store = makeStore()
    let tasks = ["a", "b", "c"].map { send($0, .queue, to: store) }
    tasks[0].cancel()
    #expect(store.log == ["a+", "b+"])
    #expect(store.runningCount == 2)
    tasks[2].cancel()
    gate.open("b")
    await tasks[1].value
    #expect(store.log == ["a+", "b+", "b-"] && store.runningCount == 0)
    gate.open("a")
  }

  @Test("A4 cancelling a name empties its queue")
  func cancelTheQueue() {
    let store = makeStore()
    let tasks = ["a", "b", "c"].map { send($0, .queue, to: store) }
    store.cancel(id: "x")
    #expect(tasks.areAllCancelled)
    #expect(store.log == ["a+"] && !store.isRunning(id: "x"))
    gate.open("a")
  }

  @Test("A4 queued work starts when all concurrent work before it has ended")
  func queueAfterConcurrent() async {
    let store = makeStore()
    let a = send("a", .concurrent, to: store)
    let b = send("b", .concurrent, to: store)
    let c = send("c", .queue, to: store)
    gate.open("a")
    await a.value
    #expect(store.log.last == "a-")
    b.cancel()
    #expect(store.log.last == "c+")
    gate.open("c")
    await c.value
    gate.open("b")
  }

  @Test("A4 join waits for the running work, takes its result and does not run")
  func joinWaits() async {
    let store = makeStore()
    let leader = send("a", .join, to: store)
    let joined = send("b", .join, to: store)
    #expect(!joined.isFinished)
    gate.open("a")
    await joined.value
    #expect(leader.isFinished && store.log == ["a+", "a-"])

    let failing = send("c", .join, to: store)
    let alike = send("d", .join, to: store)
    gate.fail("c", Refusal(reason: "c"))
    await #expect(throws: Refusal(reason: "c")) { try await alike.result.get() }
    #expect(failing.isFinished)
    #expect(store.log == ["a+", "a-", "c+", "c!"], "the error is handled once")
  }

  @Test("A4 cancelling a caller that joined leaves the work to the others")
  func cancelOneWhoJoined() async {
    let store = makeStore()
    let leader = send("a", .join, to: store)
    let joined = send("b", .join, to: store)
    let other = send("c", .join, to: store)
    joined.cancel()
    #expect(joined.isFinished && joined.isCancelled)
    #expect(!leader.isFinished && !other.isFinished && store.isRunning(id: "x"))
    gate.open("a")
    await other.value
    #expect(store.log == ["a+", "a-"])
  }

  @Test("A2 cancelling a task that awaits a joined action leaves the work to the others")
  func cancelTheAwaiterOfAJoined() async {
    let store = makeStore()
    let leader = send("a", .join, to: store)
    let waiter = Task.atOnce { await store.dispatch(Job("b", id: "x", .join)) }
    waiter.cancel()
    await waiter.value
    #expect(!leader.isFinished)
    gate.open("a")
    await leader.value
    #expect(store.log == ["a+", "a-"])
  }

  @Test("A4 cancelling the caller that started the work leaves it to those that joined")
  func cancelTheOneWhoBegan() async {
    let store = makeStore()
    let leader = send("a", .join, to: store)
    let joined = send("b", .join, to: store)
    leader.cancel()
    #expect(leader.isFinished && !joined.isFinished)
    #expect(store.isRunning(id: "x"))
    gate.open("a")
    await joined.value
    #expect(store.log == ["a+", "a-"])
  }

  @Test("A4 joining cancelled work starts afresh")
  func joinCancelledWork() async {
    let store = makeStore()
    send("a", .join, to: store).cancel()
    let fresh = send("b", .join, to: store)
    #expect(store.log == ["a+", "b+"])
    gate.open("b")
    await fresh.value
    #expect(!fresh.isCancelled)
    gate.open("a")
  }

  @Test("A4 cancelling a name cancels the callers that joined")
  func cancelThoseWhoJoined() async {
    let store = makeStore()
    _ = send("a", .join, to: store)
    let joined = send("b", .join, to: store)
    store.cancel(id: "x")
    #expect(joined.isFinished)
    #expect(joined.isCancelled)
    await #expect(throws: CancellationError.self) { try await joined.result.get() }
    gate.open("a")
  }

  @Test("A4 concurrent work runs beside other work, and each piece ends on its own")
  func concurrent() async {
    let store = makeStore()
    let tasks = ["a", "b", "c"].map { send($0, .concurrent, to: store) }
    #expect(store.runningCount == 3)
    gate.open("b")
    await tasks[1].value
    #expect(store.isRunning(id: "x") && store.runningCount == 2)
    store.cancel(id: "x")
    #expect(tasks[0].isCancelled && !tasks[1].isCancelled && tasks[2].isCancelled)
    gate.open("a")
    gate.open("c")
  }

  @Test("A4 the policy of the new work applies, whatever is running")
  func theNewcomersPolicy() {
    let store = makeStore()
    let first = send("a", .first, to: store)
    let second = send("b", .concurrent, to: store)
    #expect(!first.isCancelled && !second.isCancelled && store.runningCount == 2)
    let third = send("c", .latest, to: store)
    #expect(first.isCancelled && second.isCancelled && !third.isCancelled)
    store.cancelAll()
    for door in ["a", "b", "c"] { gate.open(door) }
  }

  @Test("A4 latest leaves one piece running, even if cancelling the old one dispatches another")
  func latestIsAloneWhenACancelDispatches() {
    let store = makeStore()
    var isFirst = true
    let events = store.events.sink { [weak store] in
      guard case .cancelled = $0.kind, isFirst else { return }
      isFirst = false
      store?.send(Job("b", id: "x"))
    }
    store.send(Job("a", id: "x"))
    store.send(Job("c", id: "x"))
    #expect(store.runningCount == 1)
    events.cancel()
    store.cancelAll()
    for door in ["a", "b", "c"] { gate.open(door) }
  }

  @Test("A4 a long queue of short actions does not overflow the stack")
  func longQueue() async {
    await #expect(processExitsWith: .success) {
      await MainActor.run {
        let gate = StoreGate()
        let store = DeskStore(
          state: Desk(),
          actionable: Handling { job, store in
            if job.text == "head" { try await gate.pass("door") } else { store.count += 1 }
          })
        store.send(Job("head", id: "x"))
        for _ in 0..<20_000 { store.send(Job("next", id: "x", .queue)) }
        store.cancel(id: "nobody")
        gate.open("door")
        return store
      }.settle()
    }
  }
}
