import Signalbox
import Testing

@testable import SignalboxTesting

/// Tests when a test store rests: nothing hangs (T6), and busy is not late (T7).
@Suite(.timeLimit(.minutes(60))) @MainActor struct RestTests {
  private let clock = TestClock()
  private let gate = StoreGate()

  private func makeStore(
    _ handle: @escaping @MainActor (Job, DeskHandle) async throws -> Void
  ) -> DeskTest {
    DeskTest(state: Desk(), actionable: Handling(handle))
  }

  // MARK: - T6

  @Test(
    "T6 a dispatch whose action waits for the outside fails at the timeout and names the action")
  func dispatchHangs() async {
    let store = makeStore { [gate] _, _ in try await gate.pass("never") }
    let line = #line + 2
    let failures = await kitFailures {
      await store.dispatch(Job("go", id: "x"), timeout: .milliseconds(5)) { $0.count = 1 }
    }
    #expect(failures.map(\.line) == [line])
    let text = masked(failures.first?.text ?? "")
    #expect(text.headline == "go has not ended: waited 0.005 seconds.")
    #expect(
      text.section("In flight:") == [
        "go, named \"x\" (latest), sent at RestTests.swift:…, for … ms, waits for something that "
          + "the test kit cannot see"
      ])
    store.cancelAll()
    gate.open("never")
  }

  @Test("T6 cancelling the task that dispatches ends the wait and the action, without a failure")
  func cancelledDispatch() async {
    let store = makeStore { [gate] _, _ in try await gate.pass("never") }
    let found = await failures {
      let task = Task.atOnce {
        await store.dispatch("go", timeout: .seconds(600)) { $0.count = 1 }
      }
      #expect(store.runningCount == 1)
      task.cancel()
      await task.value
    }
    #expect(found.isEmpty)
    #expect(store.runningCount == 0)
    gate.open("never")
  }

  @Test("T6 cancelling the task of the test ends every wait")
  func cancelledWaits() async {
    let store = makeStore { [gate] _, _ in try await gate.pass("never") }
    let endpoint = TestEndpoint<Int, Int>("lookup")
    store.send("go")
    let waits: [@MainActor () async -> Void] = [
      { await store.settle(timeout: .seconds(600)) },
      { await store.finish(timeout: .seconds(600)) },
      { await store.receive("x", timeout: .seconds(600)) },
      { [clock] in await clock.advance(by: .seconds(1), timeout: .seconds(600)) },
      { [clock] in await clock.nextSleep(timeout: .seconds(600)) },
      { _ = await endpoint.next(timeout: .seconds(600)) },
    ]
    for wait in waits {
      let task = Task.atOnce { await wait() }
      task.cancel()
      await task.value
    }
    store.cancelAll()
    gate.open("never")
  }

  @Test("T6 work that runs without an end is a failure, not a hang")
  func restless() async {
    let store = makeStore { _, _ in
      while !Task.isCancelled { await farAway() }
    }
    store.scope.activity.mostChanges = 1_000
    store.send("spin")
    let text = await failures { await store.settle() }.only
    #expect(text.headline.hasPrefix("settle(): never comes to rest: spin runs in a loop"))
    store.cancelAll()
  }

  // MARK: - T7

  @Test("T7 what a store that was released still does counts for the next stores of the test")
  func released() async {
    let log = SignalLog<String>()
    var first: DeskTest? = makeStore { _, _ in
      for _ in 1...1_000 { await elsewhere() }
      log.add("over")
    }
    first?.send("go")
    first = nil
    _ = first
    let second = makeStore { _, _ in }
    await second.settle()
    #expect(log.entries == ["over"])
  }

  @Test("T7 settle waits for child tasks, groups and actor hops, also beside a sleeping child task")
  func children() async {
    let far = FarCounter()
    let store = makeStore { [clock] _, store in
      async let sleep: Void = clock.sleep(for: .seconds(1))
      for _ in 0..<50 {
        await farAway()
        await far.increment()
      }
      await withTaskGroup { group in
        for _ in 0..<20 {
          group.addTask {
            await farAway()
            await far.increment()
          }
        }
      }
      store.count = await far.count
      try await sleep
      store.title = "awake"
    }
    for round in 1...20 {
      store.send("go")
      await store.settle(timeout: .zero)
      #expect(store.count == 70 * round)
      await clock.advance(by: .seconds(1), timeout: .zero)
      #expect(store.title == "awake")
      store.title = ""
    }
  }

  @Test("T7 many hops do not use up a timeout, however many stores hop at once", arguments: 0..<8)
  func hops(number: Int) async {
    let store = makeStore { _, store in
      for _ in 0..<200 { await farAway() }
      store.count = number
    }
    await store.dispatch("go", timeout: .zero) { $0.count = number }
  }

  @Test("T7 a value that a stream has received is delivered before a store has settled")
  func stream() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let store = DeskTest(
      state: Desk(),
      interactor: Hooking<Desk, Job, OneHook>(
        connect: { _, store in Signal(stream).sink { store.count = $0 } }))
    continuation.yield(5)
    await store.settle()
    #expect(store.count == 5)
  }

  @Test("T7 settle waits for the body of cancelled work if it is asked to")
  func bodies() async {
    let store = makeStore { [gate] _, store in
      try await gate.pass("door")
      await farAway()
      store.count = 1
    }
    store.send("go")
    store.cancelAll()
    await store.settle(timeout: .zero)
    let text = await failures {
      await store.settle(includingCancelled: true, timeout: .milliseconds(5))
    }.only
    #expect(text.headline.hasPrefix("settle(): still running at the end: go."))
    gate.open("door")
    await store.settle(includingCancelled: true)
    #expect(store.count == 0)
  }

  @Test("T7 the body of an action has run up to its first suspension when send returns")
  func synchronousStart() async {
    let store = makeStore { job, store in
      store.title = job.text
      if job == "outer" { store.send("inner") }
      store.count += 1
      await farAway()
      store.count += 1
    }
    store.send("outer")
    #expect(store.title == "inner")
    #expect(store.count == 2)
    await store.settle()
    #expect(store.count == 4)
  }
}

/// Counts on another actor.
private actor FarCounter {
  private(set) var count = 0
  func increment() { count += 1 }
}
