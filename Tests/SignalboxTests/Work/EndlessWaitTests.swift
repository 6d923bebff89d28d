import Signalbox
import Testing

/// Tests that work that would wait for itself continues.
@MainActor struct EndlessWaitTests {
  private func makeStore(
    _ handle: @escaping @MainActor (Job, DeskHandle) async throws -> Void
  ) -> DeskStore {
    DeskStore(state: Desk(), actionable: Handling(handle))
  }

  private func waits(_ journal: StoreJournal<Desk, Job>) -> [String] {
    journal.events.compactMap {
      guard case .unhandled(let error, let action) = $0.kind, error is EndlessWait else {
        return nil
      }
      return "\(action.map { "\($0)" } ?? "-")"
    }
  }

  @Test(
    "A2 awaiting an action that queues behind this one or joins it does not deadlock",
    .timeLimit(.minutes(60)), arguments: [Overlap.queue, .join])
  func onItself(overlap: Overlap) async {
    let store = makeStore { job, store in
      store.log.append("\(job)+")
      if job.text == "first" { await store.dispatch(Job("second", id: "x", overlap)) }
      store.log.append("\(job)-")
    }
    let journal = StoreJournal(store)
    let task = store.send(Job("first", id: "x", overlap))
    await task.settled
    #expect(
      store.log
        == (overlap == .queue
          ? ["first+", "first-", "second+", "second-"] : ["first+", "first-"]))
    #expect(waits(journal) == ["first"])
    #expect(store.runningCount == 0)
  }

  @Test(
    "A2 awaiting such an action through other actions does not deadlock", .timeLimit(.minutes(60)))
  func byWayOfOthers() async {
    let gate = StoreGate()
    let store = makeStore { job, store in
      store.log.append("\(job)+")
      switch job.text {
      case "first": await store.dispatch("middle")
      case "middle":
        try await gate.pass("door")
        await store.dispatch(Job("last", id: "x", .queue))
      default: break
      }
      store.log.append("\(job)-")
    }
    let journal = StoreJournal(store)
    let task = store.send(Job("first", id: "x"))
    gate.open("door")
    await task.settled
    #expect(store.log == ["first+", "middle+", "middle-", "first-", "last+", "last-"])
    #expect(waits(journal) == ["middle"])
  }

  @Test("A2 a run that awaits work that waits for the run continues", .timeLimit(.minutes(60)))
  func runs() async {
    let store = makeStore { job, store in
      guard job.text == "go" else { return store.log.append("\(job)") }
      store.run(id: "x") { store in
        await store.dispatch(Job("queued", id: "x", .queue))
        store.log.append("run")
      }
    }
    let journal = StoreJournal(store)
    await store.send("go").settled
    #expect(store.log == ["run", "queued"])
    #expect(waits(journal) == ["go"])
  }

  @Test("A2 an action that awaits work queued behind other work of that name keeps waiting")
  func honestWaits() async {
    let gate = StoreGate()
    let store = makeStore { job, store in
      store.log.append("\(job)+")
      switch job.text {
      case "outer": await store.dispatch(Job("inner", id: "x", .queue))
      default: try await gate.pass("\(job)")
      }
      store.log.append("\(job)-")
    }
    let journal = StoreJournal(store)
    store.send(Job("head", id: "x"))
    let outer = store.send(Job("outer", id: "y"))
    gate.open("head")
    await store.arrival(of: "inner+")
    #expect(store.log == ["head+", "outer+", "head-", "inner+"])
    gate.open("inner")
    await outer.value
    #expect(store.log.suffix(2) == ["inner-", "outer-"])
    #expect(waits(journal).isEmpty)
  }

  @Test("A2 an action that runs only for others cannot await what is queued behind it")
  func runsForOthers() async {
    let gate = StoreGate()
    let store = makeStore { job, store in
      guard job.text == "first" else { return }
      try await gate.pass("door")
      await store.dispatch(Job("second", id: "x", .queue))
    }
    let journal = StoreJournal(store)
    let first = store.send(Job("first", id: "x"))
    store.send(Job("joins", id: "x", .join))
    first.cancel()
    gate.open("door")
    await gate.departure(from: "door")
    await mainActorCatchesUp()
    #expect(waits(journal) == ["first"])
    store.cancelAll()
  }

  @Test("A2 an action that queues its own successor without awaiting it makes the successor wait")
  func notAwaited() async {
    let gate = StoreGate()
    let store = makeStore { job, store in
      store.log.append("\(job)+")
      if job.text == "first" {
        store.send(Job("second", id: "x", .queue))
        try await gate.pass("door")
      }
      store.log.append("\(job)-")
    }
    let journal = StoreJournal(store)
    let task = store.send(Job("first", id: "x"))
    gate.open("door")
    await task.settled
    #expect(store.log == ["first+", "first-", "second+", "second-"])
    #expect(waits(journal).isEmpty)
  }
}

extension Store where State == Desk, Action == Job {
  /// Waits until a line is in the log.
  fileprivate func arrival(of line: String) async {
    for await log in publisher.log.values where log.contains(line) { return }
  }
}
