import Signalbox
import Testing

@MainActor struct RunTests {
  let gate = StoreGate()

  private func makeStore(
    _ handle: @escaping @MainActor (Job, DeskHandle) async throws -> Void
  ) -> DeskStore {
    DeskStore(
      state: Desk(),
      actionable: HandlingErrors(
        handle: handle, recover: { error, job, store in store.log.append("\(job): \(error)") }))
  }

  @Test("A5 a run starts at once and runs up to its first suspension")
  func startsAtOnce() async {
    let store = makeStore { _, store in
      let run = store.run { store in
        store.log.append("run")
        try await gate.pass("door")
        store.log.append("end")
      }
      store.log.append("next line")
      await run.value
      store.log.append("after")
    }
    let task = store.send("go")
    #expect(store.log == ["run", "next line"])
    #expect(store.runningCount == 2)
    gate.open("door")
    await task.value
    #expect(store.log == ["run", "next line", "end", "after"])
  }

  @Test("A5 cancelling an action does not cancel the runs that it made")
  func belongsToTheStore() async {
    let store = makeStore { _, store in
      store.run(id: "run") { store in
        try await gate.pass("run")
        store.log.append("run")
      }
      try await gate.pass("action")
      store.log.append("action")
    }
    store.send("go").cancel()
    #expect(store.isRunning(id: "run"))
    gate.open("action")
    gate.open("run")
    await store.settle()
    #expect(store.log == ["run"])
  }

  @Test("A5 a run has the priority that it was given")
  func priority() {
    var priorities: [TaskPriority] = []
    let store = makeStore { _, store in
      for priority in [TaskPriority.background, .high] {
        store.run(priority: priority) { _ in priorities.append(Task.currentPriority) }
      }
    }
    store.send("go")
    #expect(priorities == [.background, .high])
  }

  @Test("A5 runs follow the policies of actions")
  func policies() async {
    var handle: DeskHandle?
    let store = makeStore { _, store in handle = store }
    store.send("go")
    func run(_ name: String, _ overlap: Overlap) -> ActionTask? {
      handle?.run(id: "x", overlap: overlap) { store in
        store.log.append(name)
        try await gate.pass(name)
      }
    }
    let a = run("a", .latest)
    let b = run("b", .first)
    let c = run("c", .queue)
    let d = run("d", .join)
    let e = run("e", .concurrent)
    #expect(store.log == ["a", "e"])
    #expect(b?.isCancelled == true)
    #expect(store.runningCount == 3)
    gate.open("e")
    await e?.value
    gate.open("a")
    await a?.value
    #expect(store.log == ["a", "e", "c"])
    let f = run("f", .latest)
    #expect(c?.isCancelled == true)
    gate.open("c")
    gate.open("f")
    await f?.value
    await d?.value
  }

  @Test("A5 a run that a hook makes starts at once, belongs to the store and can be cancelled")
  func fromAHook() async {
    let emitter = Emitter<String>()
    let store = DeskStore(
      state: Desk(),
      interactor: Hooking<Desk, Job, OneHook>(connect: { _, store in
        emitter.sink { text in
          store.run(id: "load") { store in
            try await gate.pass(text)
            store.title = text
          }
        }
      }))
    emitter.send("a")
    emitter.send("b")
    #expect(store.runningCount == 1)
    gate.open("b")
    gate.open("a")
    await store.settle()
    #expect(store.title == "b")
    emitter.send("c")
    store.deactivateHooks()
    gate.open("c")
    await store.settle()
    #expect(store.title == "c", "the run is the store's and not the hook's")
  }

  @Test("A8 an error that a run throws goes to the action in which it was made")
  func errorsGoToTheAction() async {
    let store = makeStore { job, store in
      let run = store.run { store in
        let inner = store.run { _ in
          try await gate.pass("inner")
        }
        await inner.value
        throw Refusal(reason: "outer")
      }
      await run.value
      store.log.append("\(job) goes on")
    }
    let task = store.send("go")
    gate.fail("inner", Refusal(reason: "inner"))
    await task.value
    #expect(
      store.log == [
        "go: Refusal(reason: \"inner\")", "go: Refusal(reason: \"outer\")", "go goes on",
      ])
  }

  @Test("A8 the error of a run goes to its action's onError even if the action has ended")
  func errorsOutliveTheAction() async {
    let store = makeStore { _, store in
      store.run { _ in try await gate.pass("door") }
    }
    let task = store.send("go")
    #expect(task.isFinished)
    gate.fail("door", Refusal(reason: "late"))
    await task.settled
    #expect(store.log == ["go: Refusal(reason: \"late\")"])
  }

  @Test("A8 the error of a run goes to onError even if its action was cancelled meanwhile")
  func errorsOutliveACancelledAction() async {
    let store = makeStore { _, store in
      store.run(id: "run") { _ in try await gate.pass("run") }
      try await gate.pass("action")
    }
    let task = store.send("go")
    task.cancel()
    gate.fail("run", Refusal())
    await store.settle()
    #expect(store.log == ["go: Refusal(reason: \"\")"])
    gate.open("action")
  }

  @Test("A8 an error that the run of a hook throws is reported as unhandled")
  func errorsOfAHooksRun() async {
    let emitter = Emitter<Void>()
    let store = DeskStore(
      state: Desk(),
      interactor: Hooking<Desk, Job, OneHook>(connect: { _, store in
        emitter.sink { store.run { _ in throw Refusal() } }
      }))
    let journal = StoreJournal(store)
    emitter.send()
    #expect(journal.lines.last == "unhandled Refusal(reason: \"\")")
  }

  @Test("A8 the error of a cancelled run is dropped")
  func errorsOfCancelledRuns() async {
    let returned = StoreMoment()
    let store = makeStore { _, store in
      store.run(id: "run") { _ in
        defer { returned.happen() }
        try await gate.pass("door")
      }
    }
    let journal = StoreJournal(store)
    store.send("go")
    store.cancel(id: "run")
    gate.fail("door", Refusal())
    await returned.arrival
    #expect(store.log.isEmpty)
    #expect(
      journal.lines == [
        "started", "dispatched go", "run run", "finished go", "cancelled run run",
      ])
  }
}
