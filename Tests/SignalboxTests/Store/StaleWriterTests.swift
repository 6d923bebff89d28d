import Signalbox
import Testing

@MainActor struct StaleWriterTests {
  let gate = StoreGate()

  /// Starts an action, cancels it, and lets its stale body run.
  private func stale(
    _ body: @escaping @MainActor (DeskHandle) async -> Void
  ) async -> (DeskStore, StoreJournal<Desk, Job>) {
    let returned = StoreMoment()
    let store = DeskStore(
      state: Desk(),
      actionable: Handling { job, store in
        guard job == "go" else { return store.log.append("\(job)") }
        store.count = 1
        try await gate.pass("door")
        await body(store)
        returned.happen()
      })
    let journal = StoreJournal(store)
    store.send("go").cancel()
    gate.open("door")
    await returned.arrival
    #expect(store.state == Desk(count: 1))
    #expect(store.runningCount == 0)
    return (store, journal)
  }

  @Test("A6 a stale writer reads its own writes, and none of them reaches the store")
  func readsItsOwnWrites() async {
    let (_, journal) = await stale { store in
      #expect(store.count == 1)
      store.count = 2
      store.count += 40
      store.log.append("a")
      store.log.append("b")
      #expect(store.state == Desk(log: ["a", "b"], count: 42))
      store.state = Desk(title: "new")
      store.state.title += "er"
      store.set(\.count, 5)
      #expect(store.state == Desk(count: 5, title: "newer"))
    }
    #expect(journal.lines.filter { $0 == "dropped change" }.count == 7)
  }

  @Test("A6 update and batch of a stale writer are local to it, and each is reported once")
  func updateAndBatch() async {
    let (_, journal) = await stale { store in
      let old = store.update {
        $0.log.append("a")
        $0.title = "b"
        return $0.count
      }
      #expect(old == 1)
      store.batch {
        store.count += 1
        store.batch { store.title += "c" }
      }
      #expect(store.state == Desk(log: ["a"], count: 2, title: "bc"))
    }
    #expect(journal.lines.filter { $0 == "dropped change" }.count == 2)
  }

  @Test("A6 what a stale writer dispatches, runs or cancels is dropped and ends at once")
  func dispatchesAreDropped() async {
    let other = StoreGate()
    let store = DeskStore(
      state: Desk(),
      actionable: Handling { job, store in
        guard job == "go" else {
          try await other.pass("door")
          return store.log.append("\(job)")
        }
        try await gate.pass("door")
        let sent = store.send("sent")
        #expect(sent.isFinished && sent.isCancelled)
        await #expect(throws: CancellationError.self) { try await sent.result.get() }
        await sent.settled
        await store.dispatch("awaited")
        let run = store.run { store in store.log.append("run") }
        #expect(run.isFinished && run.isCancelled)
        store.cancel(id: "other")
        store.cancel(Job("other", id: "other"))
        gate.open("end")
      })
    let journal = StoreJournal(store)
    store.send(Job("other", id: "other"))
    let task = store.send("go")
    let end = Task.atOnce { try await gate.pass("end") }
    task.cancel()
    gate.open("door")
    await #expect(throws: Never.self) { try await end.value }
    #expect(store.isRunning(id: "other"))
    #expect(
      journal.tree.suffix(5) == [
        "dropped sent ← dispatched go", "dropped awaited ← dispatched go",
        "dropped run ← dispatched go", "dropped cancel ← dispatched go",
        "dropped cancel ← dispatched go",
      ])
    other.open("door")
    await store.settle()
    #expect(store.log == ["other"])
  }

  @Test("A6 a dropped change is reported with its would-be result, caused by the stale work")
  func droppedChanges() async {
    let (_, journal) = await stale { store in
      store.title = "stale"
      store.title = "stale"
    }
    let drops = journal.events.compactMap { event -> String? in
      guard case .dropped(.change(let old, let new)) = event.kind else { return nil }
      return "\(old.title)→\(new.title) ← \(event.cause ?? 0)"
    }
    let dispatched = journal.events.first {
      if case .dispatched = $0.kind { true } else { false }
    }
    #expect(drops == ["→stale ← \(dispatched?.id ?? -1)"], "an equal value is silent here, too")
  }

  @Test("A6 drops are reported to a subscriber that subscribed after the work was cancelled")
  func droppedChangesForLateListeners() async {
    let returned = StoreMoment()
    let store = DeskStore(
      state: Desk(),
      actionable: Handling { _, store in
        try await gate.pass("door")
        store.title = "stale"
        returned.happen()
      })
    store.send("go").cancel()
    let journal = StoreJournal(store)
    gate.open("door")
    await returned.arrival
    #expect(journal.lines == ["started", "dropped change"])
  }

  @Test("A6 isCurrent reports whether writes reach the store")
  func isCurrent() async {
    let returned = StoreMoment()
    var kept: [DeskHandle] = []
    let store = DeskStore(
      state: Desk(),
      actionable: Handling { job, store in
        kept.append(store)
        #expect(store.isCurrent)
        try await gate.pass(job.text)
        #expect(store.isCurrent == (job.text == "two"))
        if job.text == "one" { returned.happen() }
      })
    store.send(Job("one", id: "x"))
    let two = store.send(Job("two", id: "x"))
    #expect(kept.map { $0.isCurrent } == [false, true])
    gate.open("one")
    await returned.arrival
    gate.open("two")
    await two.value
    #expect(kept.map { $0.isCurrent } == [false, true])
  }

  @Test("A6 two stale writers have separate copies and do not see each other's writes")
  func copiesAreApart() async {
    let counter = SignalLog<Void>()
    let store = DeskStore(
      state: Desk(),
      actionable: Handling { job, store in
        try await gate.pass(job.text)
        store.log.append(job.text)
        #expect(store.log == [job.text])
        counter.add(())
      })
    store.send("a").cancel()
    store.send("b").cancel()
    gate.open("a")
    gate.open("b")
    await counter.reach(2)
    #expect(store.log.isEmpty)
  }

  @Test("A6 an action that ended on its own leaves its handle working")
  func endedWorkIsCurrent() async {
    var kept: DeskHandle?
    let store = DeskStore(
      state: Desk(),
      actionable: Handling { job, store in
        if job.text == "keep" { kept = store } else { store.log.append(job.text) }
      })
    let task = store.send(Job("keep", id: "x"))
    task.cancel()
    store.cancel(id: "x")
    store.cancelAll()
    store.send(Job("newer", id: "x"))
    kept?.log.append("written")
    kept?.send("sent")
    await kept?.dispatch("awaited")
    kept?.run { $0.log.append("run") }
    #expect(kept?.isCurrent == true)
    #expect(store.log == ["newer", "written", "sent", "awaited", "run"])
  }

  @Test("A6 writes that an action made before its cancel stand, also inside a batch")
  func cancelInsideABatch() {
    let store = DeskStore(
      state: Desk(),
      actionable: Handling { _, store in
        store.batch {
          store.title = "before"
          store.cancel(id: "x")
          store.title = "after"
        }
        #expect(store.title == "after")
      })
    var told: [String] = []
    let subscription = store.publisher.title.sink { told.append($0) }
    store.send(Job("go", id: "x"))
    #expect(store.title == "before")
    #expect(told == ["before"])
    subscription.cancel()
  }

  @Test("A6 sinks that a stale action made write nothing to the store")
  func staleSinks() {
    let emitter = Emitter<Int>()
    var subscriptions: [Subscription] = []
    let store = DeskStore(
      state: Desk(),
      actionable: Handling { _, store in
        subscriptions.append(emitter.assign(to: \.count, using: store))
        try await gate.pass("door")
      })
    let task = store.send("go")
    emitter.send(1)
    #expect(store.count == 1)
    task.cancel()
    emitter.send(2)
    #expect(store.count == 1)
    gate.open("door")
  }

  @Test("A6 a stale writer affects neither observers nor Observation nor the count of commits")
  func observersHearNothing() async {
    let returned = StoreMoment()
    let store = DeskStore(
      state: Desk(),
      actionable: Handling { _, store in
        try await gate.pass("door")
        store.count = 9
        store.log.append("x")
        returned.happen()
      })
    var told = 0
    let subscriptions = [
      store.publisher.sink { _ in told += 1 }, store.publisher.count.sink { _ in told += 1 },
    ]
    store.send("go").cancel()
    gate.open("door")
    await returned.arrival
    #expect(told == 0)
    for subscription in subscriptions { subscription.cancel() }
  }
}
