import Signalbox
import SignalboxTesting
import Synchronization
import Testing

/// Tests that nothing in an exhaustive store passes unseen (T5, T8).
@Suite(.timeLimit(.minutes(60))) @MainActor struct ExhaustiveStoreTests {
  private let clock = TestClock()

  private func makeStore(
    _ handle: @escaping @MainActor (Job, DeskHandle) async throws -> Void
  ) -> DeskTest {
    DeskTest(state: Desk(), actionable: Handling(handle), exhaustive: true)
  }

  private func headlines(_ body: @MainActor () async -> Void) async -> [String] {
    await failures(of: body).map(\.headline)
  }

  @Test("T8 an exhaustive store that is released without finish() fails where it was made")
  func released() async {
    var line = 0
    let found = await kitFailures {
      line = #line + 1
      let store = DeskTest(
        state: Desk(), actionable: Handling { job, store in store.title = job.text },
        exhaustive: true)
      await store.send("a").value
    }
    #expect(found.map(\.line) == [line])
    #expect(
      found.first?.text.headline
        == "The exhaustive store was released without finish(): changed and not asserted.")
    let clean = await headlines {
      let store = makeStore { _, _ in }
      await store.dispatch("a")
    }
    #expect(clean.isEmpty)
  }

  @Test("T8 an exhaustive store that another thread releases fails as well")
  func releasedElsewhere() async {
    let found = await kitFailures {
      let store = DeskTest(
        state: Desk(), actionable: Handling { job, store in store.title = job.text },
        exhaustive: true)
      await store.send("a").value
      let holder = Mutex<DeskTest?>(store)
      _ = consume store
      await elsewhere { holder.withLock { $0 = nil } }
      // The release has queued the report on the main actor.
      await Task { @MainActor in }.value
    }
    #expect(
      found.map(\.text.headline) == [
        "The exhaustive store was released without finish(): changed and not asserted."
      ])
  }

  @Test("T8 an exhaustive store fails for what comes after finish()")
  func afterFinish() async {
    let found = await headlines {
      let store = makeStore { job, store in store.title = job.text }
      await store.finish()
      await store.send("late").value
    }
    #expect(
      found == ["The exhaustive store was released without finish(): changed and not asserted."])
  }

  @Test("T5 T8 an earlier action can be received after the test has written a part of the state")
  func arrangedBeforeReceive() async {
    let store = makeStore { job, store in
      if job == "go" { store.send("save") } else { store.log.append(store.title) }
    }
    store.title = "a"
    await store.send("go").value
    store.title = "b"
    store.expect { $0.log = ["a"] }
    await store.receive("save")
    store.title = "c"
    await store.send("go").value
    store.title = "d"
    await store.receive("save") { $0.log = ["a", "c"] }
    await store.finish()
  }

  @Test("T5 two dispatches at once assert one after the other in an exhaustive store")
  func dispatchesAtOnce() async {
    let store = makeStore { [clock] job, store in
      if job == "slow" { try await clock.sleep(for: .seconds(1)) }
      store.log.append(job.text)
    }
    async let slow: Void = store.dispatch("slow", timeout: .seconds(60)) {
      $0.log.append("slow")
    }
    await clock.nextSleep(timeout: .seconds(60))
    await store.dispatch("quick") { $0.log.append("quick") }
    await clock.advance(by: .seconds(1))
    await slow
    await store.finish()
  }

  /// A state with a computed property that leads elsewhere when the list changes.
  private struct Shelf: Equatable {
    var items: [Int] = []
    var size = 1
    var left = 0
    var right = 0
    var isLeft = true
    var selected: Int {
      get { items[0] }
      set { items[0] = newValue }
    }
    var current: Int {
      get { isLeft ? left : right }
      set { if isLeft { left = newValue } else { right = newValue } }
    }
  }

  @Test("T8 a computed property is not written in an older state")
  func computed() async {
    for isExhaustive in [false, true] {
      let store = TestStore<Shelf, Job>(
        state: Shelf(),
        actionable: Handling { _, store in
          store.items = [1, 2]
          store.isLeft = false
        }, exhaustive: isExhaustive)
      await store.send("go").value
      let found = await headlines {
        store.selected = 1
        store.selected = 7
        store.current = 5
      }
      #expect(found.count == (isExhaustive ? 3 : 0))
      #expect(store.items == [7, 2])
      #expect((store.left, store.right) == (0, 5))
    }
  }

  @Test("T8 arranging a part of the state does not accept its other changes")
  func arranging() async {
    let store = makeStore { _, store in store.count = 5 }
    await store.send("a").value
    let found = await headlines { store.state.title = "x" }
    #expect(
      found == [
        "After this call, the test writes a part of the state that has changed and was not asserted."
      ])
    await store.send("a").value
    #expect(await headlines { store.title = "y" }.isEmpty)
    await store.finish()
  }

  /// A state whose properties are no plain ones, so that they have no offset.
  private struct Form: Equatable {
    var count = 0
    var draft = "" { didSet { edits += 1 } }
    var edits = 0
    @Redacted var secret = ""
  }

  @Test(
    "T5 T8 a property with an observer or a wrapper is arranged like any other",
    arguments: [true, false])
  func observed(isExhaustive: Bool) async {
    let store = TestStore(
      state: Form(), actionable: Handling<Form, Job> { _, store in store.count += 1 },
      exhaustive: isExhaustive)
    let found = await headlines {
      await store.send("a").value
      store.draft = "x"
      store.secret = "y"
      store.expect { $0.count = 1 }
      await store.finish()
    }
    #expect(found.isEmpty)
    #expect((store.draft, store.edits, store.secret) == ("x", 1, "y"))
  }

  @Test("T8 finish of an exhaustive store counts a value that a hook holds back")
  func held() async {
    for clock: any Clock<Duration> in [clock, ContinuousClock()] {
      let store = DeskTest(
        state: Desk(),
        interactor: Hooking<Desk, Job, OneHook>(
          connect: { _, store in
            store.publisher.title.debounce(for: .seconds(36_000), clock: clock).sink { _ in }
          }), exhaustive: true)
      store.title = "x"
      let found = await headlines { await store.finish() }
      #expect(
        found.only.hasPrefix(
          "finish(): still running at the end: the value that hook only holds back"))
      // As the failure suggests.
      store.deactivateHooks()
      await store.finish()
    }
  }

  @Test("T8 an exhaustive store that is released while a hook holds back a value fails")
  func releasedWhileHeld() async {
    let found = await headlines {
      let store = DeskTest(
        state: Desk(),
        interactor: Hooking<Desk, Job, OneHook>(
          connect: { [clock] _, store in
            store.publisher.title.debounce(for: .seconds(36_000), clock: clock).sink { _ in }
          }), exhaustive: true)
      store.title = "x"
    }
    #expect(
      found.only.hasPrefix(
        "The exhaustive store was released without finish(): still running: the value that hook "))
  }

  @Test("T8 what cancelled work has tried must be expected in an exhaustive store")
  func dropped() async {
    let gate = StoreGate()
    let store = makeStore { _, store in
      try await gate.pass("door")
      store.count = 1
    }
    for isExpected in [false, true] {
      store.send("go")
      store.cancelAll()
      gate.open("door")
      await store.settle(includingCancelled: true)
      if isExpected { store.expectDropped() }
      let found = await headlines { await store.finish() }
      #expect(
        found
          == (isExpected
            ? [] : ["finish(): cancelled work has tried something, which was dropped."]))
      if !isExpected { store.expectDropped() }
    }
  }
}

/// Runs a body outside of the main actor.
@concurrent private func elsewhere(_ body: @Sendable () -> Void) async { body() }
