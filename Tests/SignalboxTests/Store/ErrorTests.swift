import Signalbox
import Testing

@MainActor struct ErrorTests {
  let gate = StoreGate()

  private func makeStore(
    _ handle: @escaping @MainActor (Job, DeskHandle) async throws -> Void
  ) -> DeskStore {
    DeskStore(
      state: Desk(),
      actionable: HandlingErrors(
        handle: handle, recover: { error, job, store in store.log.append("\(job): \(error)") }))
  }

  @Test("A8 the error of a current action goes to onError, which may change the state")
  func errorsReachOnError() async {
    let store = makeStore { _, store in
      store.log.append("begins")
      try await gate.pass("door")
    }
    let task = store.send("go")
    gate.fail("door", Refusal(reason: "no"))
    await task.value
    #expect(store.log == ["begins", "go: Refusal(reason: \"no\")"])
    await #expect(throws: Refusal.self) { try await task.result.get() }
  }

  @Test("A8 onError has run when dispatch returns if the action throws synchronously")
  func synchronousErrors() {
    let store = makeStore { _, _ in throw Refusal() }
    store.send("go")
    #expect(store.log == ["go: Refusal(reason: \"\")"])
    #expect(store.runningCount == 0)
  }

  @Test("A8 the error of a superseded action is dropped")
  func supersededErrors() async {
    let returned = StoreMoment()
    let store = makeStore { job, store in
      defer { if job.text == "one" { returned.happen() } }
      try await gate.pass(job.text)
    }
    let journal = StoreJournal(store)
    store.send(Job("one", id: "x"))
    let two = store.send(Job("two", id: "x"))
    gate.fail("one", Refusal())
    await returned.arrival
    gate.open("two")
    await two.value
    #expect(store.log.isEmpty)
    #expect(
      journal.lines == [
        "started", "dispatched one", "dispatched two", "cancelled one", "finished two",
      ])
  }

  @Test("A8 the CancellationError of cancelled work is dropped")
  func cancellationOfCancelledWork() async {
    let returned = StoreMoment()
    let store = makeStore { _, _ in
      defer { returned.happen() }
      // No value is ever sent, so the loop waits until the task is cancelled.
      for await _ in AsyncStream<Void>.makeStream().stream {}
      try Task.checkCancellation()
    }
    let journal = StoreJournal(store)
    store.send("go").cancel()
    await returned.arrival
    #expect(store.log.isEmpty)
    #expect(journal.lines == ["started", "dispatched go", "cancelled go"])
  }

  @Test("A8 a CancellationError that current work throws is treated like any other error")
  func cancellationOfCurrentWork() async {
    let store = makeStore { job, store in
      if job == "run" {
        store.run { _ in throw CancellationError() }
      } else {
        throw CancellationError()
      }
    }
    let task = store.send("go")
    store.send("run")
    #expect(store.log == ["go: CancellationError()", "run: CancellationError()"])
    #expect(!task.isCancelled)
    await #expect(throws: CancellationError.self) { try await task.result.get() }
  }

  @Test("A8 without onError, an error is reported as unhandled, with its action")
  func unhandledErrors() {
    let store = DeskStore(
      state: Desk(), actionable: Handling { _, _ in throw Refusal(reason: "no") })
    let journal = StoreJournal(store)
    store.send("go")
    #expect(
      journal.tree == [
        "started", "dispatched go", "failed go ← dispatched go",
        "unhandled Refusal(reason: \"no\") of go ← failed go",
      ])
  }

  @Test("A8 an error does not affect other work")
  func errorsHarmNoOthers() async {
    let store = makeStore { job, store in
      try await gate.pass(job.text)
      store.log.append(job.text)
    }
    let tasks = [
      store.send("fails"), store.send("a"), store.send(Job("b", id: "x")),
      store.send(Job("c", id: "x", .queue)),
    ]
    gate.fail("fails", Refusal())
    await tasks[0].value
    gate.open("a")
    gate.fail("b", Refusal())
    await tasks[2].value
    gate.open("c")
    for task in tasks { await task.value }
    #expect(store.log.filter { !$0.contains("Refusal") } == ["a", "c"])
    #expect(store.runningCount == 0)
  }

  @Test("A8 onError can write, dispatch and run, also after it has returned")
  func onErrorIsCurrent() async {
    let store = DeskStore(
      state: Desk(),
      actionable: HandlingErrors(
        handle: { job, store in
          if job == "go" { throw Refusal() }
          store.log.append("\(job)")
        },
        recover: { _, _, store in
          #expect(store.isCurrent)
          store.send("retry")
          store.run { store in
            try await gate.pass("door")
            store.log.append("run")
          }
        }))
    let task = store.send("go")
    gate.open("door")
    await task.settled
    #expect(store.log == ["retry", "run"])
  }

  @Test("A8 the error of an action that cancels itself and then throws is dropped")
  func cancelledThenThrowing() {
    let store = makeStore { _, store in
      store.cancel(id: "x")
      throw Refusal()
    }
    store.send(Job("go", id: "x"))
    #expect(store.log.isEmpty)
  }

  @Test("A8 an action that onError retries is handled once, and keeps writing meanwhile")
  func onErrorSupersedes() async {
    let store = DeskStore(
      state: Desk(),
      actionable: HandlingErrors(
        handle: { job, store in
          store.log.append(job.text)
          if job.text == "go" { throw Refusal() }
        },
        recover: { _, job, store in
          store.send(Job("retry", id: "x"))
          store.log.append("handled")
        }))
    let task = store.send(Job("go", id: "x"))
    #expect(store.log == ["go", "retry", "handled"])
    #expect(!task.isCancelled && task.isFinished && store.runningCount == 0)
  }
}
