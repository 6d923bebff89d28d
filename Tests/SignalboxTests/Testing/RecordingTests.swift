import Signalbox
import SignalboxTesting
import Testing

@MainActor struct RecordingTests {
  @Test("T1 a batch is one update, an update body is one, and each other write is one")
  func commits() async {
    let store = DeskTest(
      state: Desk(),
      actionable: Handling { _, store in
        store.batch {
          store.count = 1
          store.batch { store.title = "a" }
          store.count = 2
        }
        store.update {
          $0.count = 3
          $0.title = "b"
        }
        store.count = 4
        store.log.append("c")
      })
    await store.dispatch("go")
    #expect(
      store.stateUpdates == [
        Desk(count: 2, title: "a"), Desk(count: 3, title: "b"), Desk(count: 4, title: "b"),
        Desk(log: ["c"], count: 4, title: "b"),
      ])
  }

  @Test("T1 an equal value is not an update, unless it is forced")
  func equalValues() async {
    let store = DeskTest(
      state: Desk(count: 1),
      actionable: Handling { _, store in
        store.count = 1
        store.set(\.count, 1, forceUpdate: true)
        store.title = ""
      })
    await store.dispatch("go")
    #expect(store.stateUpdates == [Desk(count: 1)])
  }

  @Test("T1 writes and dispatches of a superseded action are neither updates nor actions")
  func dropped() async {
    let gate = StoreGate()
    let ends = SignalLog<Void>()
    let store = DeskTest(
      state: Desk(),
      actionable: Handling { job, store in
        if job.id == nil { return }
        try await gate.pass("door")
        store.log.append(job.text)
        store.send(Job("after \(job)"))
        ends.add(())
      })
    store.send(Job("old", id: "x"))
    store.send(Job("new", id: "x"))
    gate.open("door")
    gate.open("door")
    await ends.reach(2)
    #expect(store.triggeredActions.map(\.text) == ["old", "new", "after new"])
    #expect(store.stateUpdates == [Desk(log: ["new"])])
  }

  @Test("T1 ignored, queued and joined actions are recorded once each, when they are dispatched")
  func policies() async {
    let gate = StoreGate()
    let store = DeskTest(
      state: Desk(),
      actionable: Handling { job, store in
        try await gate.pass(job.text)
        store.log.append(job.text)
      })
    let head = store.send(Job("head", id: "x", .queue))
    store.send(Job("ignored", id: "x", .first))
    store.send(Job("joined", id: "x", .join))
    let last = store.send(Job("queued", id: "x", .queue))
    #expect(store.triggeredActions.map(\.text) == ["head", "ignored", "joined", "queued"])
    gate.open("head")
    await head.value
    gate.open("queued")
    await last.value
    #expect(store.triggeredActions.count == 4)
    #expect(store.stateUpdates.map(\.log) == [["head"], ["head", "queued"]])
  }

  @Test("T1 changes of runs and hooks are recorded in the order in which they happen")
  func runsAndHooks() async {
    let store = DeskTest(
      state: Desk(),
      interactor: Hooking<Desk, Job, ThreeHooks>(
        connect: { hook, store in
          switch hook {
          case .first: store.publisher.count.sink { store.title = "\($0)" }
          case .second: store.publisher.title.sink { store.log.append($0) }
          case .third: store.publisher.count.filter { $0 > 9 }.sink { _ in }
          }
        },
        handle: { _, store in
          store.count = 1
          store.run { store in
            await elsewhere()
            store.count = 10
          }
        }))
    await store.dispatch("go")
    await store.settle()
    #expect(store.firedHooks == ["first", "second", "first", "third", "second"])
    #expect(
      store.stateUpdates == [
        Desk(count: 1), Desk(count: 1, title: "1"), Desk(log: ["1"], count: 1, title: "1"),
        Desk(log: ["1"], count: 10, title: "1"), Desk(log: ["1"], count: 10, title: "10"),
        Desk(log: ["1", "10"], count: 10, title: "10"),
      ])
    #expect(store.triggeredActions == ["go"])
  }

  @Test("T1 a test store behaves exactly like the store itself")
  func theRealEngine() async {
    func interactor(_ gate: StoreGate) -> Hooking<Desk, Job, OneHook> {
      Hooking(
        connect: { _, store in
          store.publisher.count.map { Job("\($0)") }.sink { store.dispatch($0) }
        },
        handle: { job, store in
          store.log.append(job.text)
          if store.count < 5 { store.count += 1 }
          try await gate.pass(job.text)
          store.title += job.text
        })
    }
    let gates = [StoreGate(), StoreGate()]
    let real = DeskStore(state: Desk(), interactor: interactor(gates[0]))
    let test = DeskTest(state: Desk(), interactor: interactor(gates[1]))
    let tasks = [real.send("go"), test.send("go")]
    for gate in gates {
      for door in ["2", "go", "5", "1", "4", "3"] {
        gate.open(door)
        await gate.departure(from: door)
      }
    }
    for task in tasks { await task.settled }
    await test.settle()
    #expect(real.title == "2go5143")
    #expect(test.state == real.state)
    #expect(test.log.count == 6)
  }

  @Test("T1 a write through the binder is an update and has the effects of a user's write")
  func binder() {
    let store = DeskTest(
      state: Desk(),
      interactor: Hooking<Desk, Job, OneHook>(
        connect: { _, store in store.publisher.title.map { Job($0) }.assign(to: store) }))
    store.binder.title.wrappedValue = "typed"
    store.binder.title.wrappedValue = "typed"
    #expect(store.stateUpdates == [Desk(title: "typed")])
    #expect(store.triggeredActions == ["typed"])
    #expect(store.didTrigger("typed"))
  }

  @Test("T1 hooks that were deactivated neither fire nor are recorded")
  func deactivated() {
    let input = Emitter<String>()
    let store = DeskTest(
      state: Desk(),
      interactor: Hooking<Desk, Job, OneHook>(
        connect: { _, store in input.sink { store.title = $0 } }))
    input.send("a")
    store.deactivateHooks()
    input.send("b")
    #expect(store.firedHooks == ["only"])
    #expect(store.title == "a")
  }
}

extension SignalConvertible where Value == Job {
  fileprivate func assign(to store: DeskHandle) -> Subscription {
    sink { store.dispatch($0) }
  }
}
