import Signalbox
import SignalboxTesting
import Testing

@Suite(.timeLimit(.minutes(60))) @MainActor struct SettleTests {
  private let clock = TestClock()

  @Test("T3 settle of a store without work returns without waiting")
  func idle() async {
    let store = DeskTest(state: Desk(), actionable: Handling { _, _ in })
    await store.settle(timeout: .zero)
    await store.finish(timeout: .zero)
  }

  @Test("T3 settle waits for actions, for what they dispatch and for runs, at any depth")
  func deep() async {
    let store = DeskTest(
      state: Desk(),
      actionable: Handling { job, store in
        await farAway()
        store.count += 1
        if store.count < 10 { store.send(job) }
        if store.count == 10 {
          store.run { store in
            await farAway()
            store.run { store in
              await farAway()
              store.title = "done"
            }
          }
        }
      })
    store.send("go")
    await store.settle(timeout: .seconds(60))
    #expect(store.count == 10)
    #expect(store.title == "done")
  }

  @Test("T3 settle delivers posted values and waits for the work that they start")
  func posted() async {
    let input = Emitter<String>()
    let store = DeskTest(
      state: Desk(),
      interactor: Hooking<Desk, Job, OneHook>(
        connect: { _, store in
          input.assign(toAction: { Job($0) }, using: store)
        },
        handle: { job, store in
          await farAway()
          store.log.append(job.text)
        }))
    input.post("a")
    input.post("b")
    await store.settle(timeout: .seconds(60))
    #expect(store.log.sorted() == ["a", "b"])
  }

  @Test("T3 settle delivers values posted to an emitter that a hook has switched to")
  func postedToASwitchedOne() async {
    let tabs = Emitter<Int>()
    let rooms = [Emitter<String>(), Emitter<String>()]
    let store = DeskTest(
      state: Desk(),
      interactor: Hooking<Desk, Job, OneHook>(
        connect: { _, store in
          tabs.flatMapLatest { rooms[$0].signal }.sink { store.log.append($0) }
        }))
    tabs.send(1)
    rooms[1].post("hello")
    await store.settle()
    #expect(store.log == ["hello"])
  }

  @Test("T3 settle delivers values that are posted while posted values are delivered")
  func postedByPosts() async {
    let (ping, pong) = (Emitter<Int>(), Emitter<Int>())
    let store = DeskTest(
      state: Desk(),
      interactor: Hooking<Desk, Job, ThreeHooks>(
        connect: { hook, store in
          switch hook {
          case .first:
            pong.sink {
              store.count = $0
              if $0 < 9 { ping.post($0 + 1) }
            }
          case .second:
            ping.sink {
              store.count = $0
              if $0 < 9 { pong.post($0 + 1) }
            }
          case .third: .empty
          }
        }))
    ping.post(1)
    await store.settle()
    #expect(store.count == 9)
  }

  @Test("T3 settle waits for what one store posts to another, whichever was made first")
  func postedAcrossStores() async {
    for newestFirst in [false, true] {
      let (left, right) = (Emitter<Int>(), Emitter<Int>())
      func make(_ from: Emitter<Int>, _ to: Emitter<Int>) -> DeskTest {
        DeskTest(
          state: Desk(),
          interactor: Hooking<Desk, Job, OneHook>(
            connect: { _, store in
              from.sink {
                store.count = $0
                if $0 < 9 { to.post($0 + 1) }
              }
            }))
      }
      let stores = [make(left, right), make(right, left)]
      (newestFirst ? right : left).post(1)
      await clock.advance(by: .zero)
      #expect(stores.map(\.count).max() == 9)
    }
  }

  @Test("T3 work that sleeps on a test clock has settled, and so has the work queued behind it")
  func parked() async {
    let store = DeskTest(
      state: Desk(),
      actionable: Handling { [clock] job, store in
        await farAway()
        try await clock.sleep(for: .seconds(1))
        store.log.append(job.text)
      })
    for text in ["a", "b", "c"] { store.send(Job(text, id: "x", .queue)) }
    await store.settle(timeout: .seconds(60))
    #expect(store.runningCount == 3)
    #expect(store.log.isEmpty)
    await clock.advance(by: .seconds(1), timeout: .seconds(60))
    #expect(store.log == ["a"])
    await clock.advance(by: .seconds(2), timeout: .seconds(60))
    #expect(store.log == ["a", "b", "c"])
  }

  @Test("T3 an action that has joined sleeping work has settled")
  func joined() async {
    let store = DeskTest(
      state: Desk(),
      actionable: Handling { [clock] job, store in
        try await clock.sleep(for: .seconds(1))
        store.log.append(job.text)
      })
    store.send(Job("a", id: "x", .join))
    let joined = store.send(Job("b", id: "x", .join))
    await store.settle(timeout: .seconds(60))
    #expect(!joined.isFinished)
    await clock.advance(by: .seconds(1))
    #expect(joined.isFinished)
    #expect(store.log == ["a"])
  }

  @Test("T3 settle does not wait for superseded work that never returns")
  func superseded() async {
    let gate = StoreGate()
    let store = DeskTest(
      state: Desk(),
      actionable: Handling { job, store in
        if job == Job("old", id: "x") { try await gate.pass("never") }
        store.log.append(job.text)
      })
    store.send(Job("old", id: "x"))
    store.send(Job("new", id: "x"))
    await store.settle(timeout: .seconds(60))
    await store.finish(timeout: .seconds(60))
    #expect(store.log == ["new"])
    gate.open("never")
  }

  @Test("T3 an action that waits for a sleeping action has settled")
  func waitsForOneThatSleeps() async {
    let store = DeskTest(
      state: Desk(),
      actionable: Handling { [clock] job, store in
        if job == "inner" {
          try await clock.sleep(for: .seconds(1))
        } else {
          await store.dispatch("inner")
        }
        store.log.append(job.text)
      })
    store.send("outer")
    await store.settle(timeout: .seconds(1))
    await clock.advance(by: .seconds(1))
    #expect(store.log == ["inner", "outer"])
  }

  @Test("T3 an action that waits for its own sleeping run has settled")
  func waitsForARunThatSleeps() async {
    let store = DeskTest(
      state: Desk(),
      actionable: Handling { [clock] _, store in
        let run = store.run { store in
          try await clock.sleep(for: .seconds(1))
          store.log.append("run")
        }
        await run.value
        store.log.append("action")
      })
    store.send("go")
    await clock.advance(by: .seconds(1))
    #expect(store.log == ["run", "action"])
  }

  @Test("T3 work that hangs fails by name at the caller's line, and work that sleeps does not")
  func hangs() async {
    let gate = StoreGate()
    let store = DeskTest(
      state: Desk(),
      actionable: Handling { [clock] job, store in
        store.run(id: "lookup") { _ in try await gate.pass("never") }
        if job == "sleeps" { try await clock.sleep(for: .seconds(1)) }
        if job == "hangs" { try await gate.pass("never") }
      })
    store.send("sleeps")
    store.send("hangs")
    let line = #line + 2
    let failures = await kitFailures {
      await store.settle(timeout: .milliseconds(5))
    }
    #expect(failures.map(\.line) == [line])
    let text = masked(failures.first?.text ?? "")
    #expect(
      text.headline
        == "settle(): still running at the end: hangs, run lookup. Waited for 0.005 seconds."
    )
    for _ in 0..<3 { gate.open("never") }
    store.cancelAll()
  }
}
