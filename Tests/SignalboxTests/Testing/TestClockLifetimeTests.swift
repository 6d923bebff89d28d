import Signalbox
import SignalboxTesting
import Testing

@Suite(.timeLimit(.minutes(60))) @MainActor struct TestClockLifetimeTests {
  private let clock = TestClock()

  private func ticking(
    _ clock: TestClock, every interval: Duration = .seconds(1), onEnd: @escaping () -> Void = {}
  ) -> Handling<Desk, Job> {
    Handling { _, store in
      defer { onEnd() }
      while true {
        try await clock.sleep(for: interval)
        store.count += 1
      }
    }
  }

  @Test("T3 run fails if work goes to sleep again without end")
  func endless() async {
    let store = DeskTest(state: Desk(), actionable: ticking(clock))
    store.send("tick")
    let line = #line + 2
    let failures = await kitFailures {
      await clock.run(timeout: .seconds(60))
    }
    #expect(failures.map(\.line) == [line])
    let text = failures.first?.text ?? ""
    #expect(text.hasPrefix("run() has woken sleepers 10000 times and come to 10000.0 seconds"))
    #expect(store.count == 10_000)
    store.cancelAll()
  }

  @Test("T3 work that hangs elsewhere fails at the timeout by name, and the clock has moved")
  func hangs() async {
    let gate = StoreGate()
    let store = DeskTest(
      state: Desk(),
      actionable: Handling { [clock] job, store in
        try await clock.sleep(for: .seconds(1))
        store.run(id: "lookup") { _ in try await gate.pass("never") }
        try await gate.pass("never")
      })
    store.send("go")
    let text = await failures {
      await clock.advance(by: .seconds(3), timeout: .milliseconds(5))
    }.only
    #expect(
      text.headline == """
        advance(by: 3.0 seconds) waited 0.005 seconds for work that neither ended nor slept on a test \
        clock: go, run lookup. First let the test answer what that work waits for.
        """)
    #expect(clock.now.offset == .seconds(3))
    for _ in 0..<2 { gate.open("never") }
    await store.settle(timeout: .seconds(60))
  }

  @Test("T3 a store that is released while its work sleeps cancels it, and the clock continues")
  func storeReleased() async {
    let end = StoreMoment()
    var store: DeskTest? = DeskTest(
      state: Desk(), actionable: ticking(clock, onEnd: { end.happen() }))
    store?.send("tick")
    await clock.advance(by: .seconds(2))
    #expect(store?.count == 2)
    weak let released = store
    store = nil
    #expect(released == nil)
    await end.arrival
    await clock.run()
    #expect(clock.now.offset == .seconds(2))
  }

  @Test("T3 a store that is released while its work hangs does not delay the clock")
  func hangingStoreReleased() async {
    let gate = StoreGate()
    var store: DeskTest? = DeskTest(
      state: Desk(), actionable: Handling { _, _ in try await gate.pass("never") })
    store?.send("go")
    store = nil
    await clock.advance(by: .seconds(1), timeout: .zero)
    gate.open("never")
  }

  @Test("T3 a clock is released together with the stores that used it")
  func clockReleased() async {
    var clock: TestClock? = TestClock()
    weak let released = clock
    let input = Emitter<String>()
    var store: DeskTest?
    if let clock {
      store = DeskTest(
        state: Desk(),
        interactor: Hooking<Desk, Job, OneHook>(
          connect: { _, store in
            input.debounce(for: .seconds(1), clock: clock).sink { store.title = $0 }
          }))
    }
    input.send("a")
    await clock?.advance(by: .milliseconds(500))
    store = nil
    clock = nil
    #expect(released == nil)
    _ = store
  }

  @Test("T3 a dispatch whose action sleeps returns when another task moves the clock")
  func dispatchThatSleeps() async {
    let store = DeskTest(
      state: Desk(),
      actionable: Handling { [clock] _, store in
        try await clock.sleep(for: .seconds(1))
        store.count = 1
      })
    let mover = Task { await clock.advance(by: .seconds(1)) }
    await store.dispatch("go", timeout: .seconds(60)) { $0.count = 1 }
    await mover.value
  }

  @Test("T3 a sleeping task of the test itself is woken, too")
  func ownSleeper() async {
    let deadline = clock.now.advanced(by: .seconds(1))
    let sleeper = Task.atOnce { [clock] in try await clock.sleep(until: deadline) }
    // The sleep begins on another thread, and the clock waits only for the work of stores.
    await clock.nextSleep(timeout: .seconds(600))
    await clock.advance(by: .seconds(1))
    // Too late for a sleeper that the clock has woken.
    sleeper.cancel()
    await #expect(throws: Never.self) { try await sleeper.value }
  }
}
