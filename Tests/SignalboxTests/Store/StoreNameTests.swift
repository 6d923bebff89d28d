import Signalbox
import SignalboxTesting
import Testing

@MainActor struct StoreNameTests {
  private enum Turn: Transducer {
    typealias State = Int
    typealias Event = Int

    static func update(_ state: inout Int, event: Int) -> Effect? {
      state += event
      return nil
    }
  }

  private struct Quiet: Hookable {
    typealias Action = Job
    func subscription(for hook: OneHook, store: MutatingStore<Desk, Job>) -> Subscription {
      .empty
    }
  }

  private func storeNames<State, Action>(of store: Store<State, Action>) -> [String?] {
    var names: [String?] = [store.storeName]
    let events = store.events.sink { names.append($0.storeName) }
    events.cancel()
    return names
  }

  @Test("H4 a store has the name that it was made with, and so have its events")
  func names() {
    let middleware = LoggingMiddleware<Desk, Job> { _ in }
    let interactor = Hooking<Desk, Job, OneHook>(connect: { _, _ in .empty })
    #expect(
      storeNames(
        of: Store(state: Desk(), interactor: interactor, middleware: middleware, name: "a"))
        == ["a", "a"])
    #expect(storeNames(of: Store(state: Desk(), interactor: interactor, name: "b")) == ["b", "b"])
    #expect(
      storeNames(of: DeskStore(state: Desk(), actionable: Handling { _, _ in }, name: "c"))
        == ["c", "c"])
    #expect(storeNames(of: DeskStore(state: Desk(), hookable: Quiet(), name: "d")) == ["d", "d"])
    #expect(storeNames(of: Store(state: 1, name: "e")) == ["e", "e"])
    #expect(storeNames(of: Store(state: 1, transducer: Turn.self, name: "f")) == ["f", "f"])
    #expect(storeNames(of: Store(state: 1)) == [nil, nil])
  }

  @Test("T4 a failure names its store if the store has a name")
  func failures() async {
    let one = DeskTest(state: Desk(), actionable: Handling { _, _ in }, name: "left")
    let two = DeskTest(state: Desk(), actionable: Handling { _, _ in })
    let found = await SignalboxTests.failures {
      await one.dispatch("go") { $0.count = 1 }
      await two.dispatch("go") { $0.count = 1 }
    }
    #expect(
      found.map(\.headline) == [
        "left: dispatch(go): nothing changed.", "dispatch(go): nothing changed.",
      ])
    #expect(one.storeName == "left" && two.storeName == nil)
  }

  @Test("T3 a timeout failure names the store of the work that a clock waits for")
  func clock() async {
    let gate = StoreGate()
    let stores = ["left", "right"].map { name in
      DeskTest(
        state: Desk(), actionable: Handling { _, _ in try await gate.pass("door") }, name: name)
    }
    let clock = TestClock()
    for store in stores { store.send("go") }
    let found = await SignalboxTests.failures {
      await clock.advance(by: .seconds(1), timeout: .milliseconds(5))
    }
    #expect(found.only.contains("left: go, right: go"), "\(found)")
    for store in stores { store.cancelAll() }
    for _ in stores { gate.open("door") }
  }

  @Test(
    "A8 H4 the message on standard error names the store", .enabled(if: SystemLog.isStandardError))
  func standardError() async {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      await StoreNameTests.failUnheard()
    }
    let text = result.errorText
    #expect(text.contains("Signalbox (left): The action go threw Refusal"), "\(text)")
    #expect(text.contains("Signalbox: The action go threw Refusal"), "\(text)")
  }

  fileprivate static func failUnheard() async {
    let actionable = Handling<Desk, Job> { _, _ in throw Refusal(reason: "no") }
    await DeskStore(state: Desk(), actionable: actionable, name: "left").dispatch("go")
    await DeskStore(state: Desk(), actionable: actionable).dispatch("go")
  }
}

// There is only one log. These tests filter it by the type of the state, and run serially.
extension DebugStoreTests {
  @Test("D1 two stores of one type are told apart by their names")
  func named() async {
    struct Pane: Equatable { var count = 0 }
    let log = await logged(.include([Pane.self])) {
      let left = Store(state: Pane(), name: "left")
      let right = Store(state: Pane(), name: "right")
      let middle = Store(state: Pane())
      left.publisher.count.sink { right.binder.count.wrappedValue = $0 }.cancel()
      for store in [left, right, middle] {
        let watch = store.events.sink { _ in }
        store.binder.count.wrappedValue = 1
        watch.cancel()
      }
    }
    #expect(
      log.map { $0.split(separator: "\n").first } == [
        "left: started", "right: started", "Pane: started", "left: changed", "right: changed",
        "Pane: changed",
      ])
  }
}
