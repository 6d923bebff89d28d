import Signalbox
import SignalboxTesting
import Testing

/// The state of a search that debounces, requests and waits between attempts.
private struct Draft: Equatable {
  var text = ""
  var saved: [String] = []
  var ticks = 0
}

private enum DraftAction: Equatable, CancellableAction {
  case tick(Int, every: Duration)
  case save(String)
  var cancelIdentifier: String? { if case .save = self { "save" } else { nil } }
}

private struct Editor: Interactor {
  enum Hook: CaseIterable { case typed }
  let clock: any Clock<Duration>

  func onAction(_ action: DraftAction, store: MutatingStore<Draft, DraftAction>) async throws {
    switch action {
    case .tick(let count, let interval):
      for _ in 0..<count {
        try await clock.sleep(for: interval)
        store.ticks += 1
      }
    case .save(let text):
      try await clock.sleep(for: .milliseconds(20))
      store.saved.append(text)
    }
  }

  func onError(_ error: any Error, action: DraftAction, store: MutatingStore<Draft, DraftAction>) {}

  func subscription(for hook: Hook, store: MutatingStore<Draft, DraftAction>) -> Subscription {
    store.publisher.text.debounce(for: .milliseconds(300), clock: clock)
      .assign(toAction: { .save($0) }, using: store)
  }
}

@MainActor struct TestClockTests {
  private let clock = TestClock()

  private func makeStore() -> TestStore<Draft, DraftAction> {
    TestStore(state: Draft(), interactor: Editor(clock: clock))
  }

  @Test("T3 a test of a debounce takes no time, even a thousand times")
  func debounce() async {
    for _ in 0..<1_000 {
      let store = makeStore()
      store.text = "h"
      await clock.advance(by: .milliseconds(200))
      store.text = "hi"
      await clock.advance(by: .milliseconds(299))
      #expect(store.triggeredActions.isEmpty)
      await clock.advance(by: .milliseconds(1))
      #expect(store.triggeredActions == [.save("hi")])
      #expect(store.saved.isEmpty)
      await clock.advance(by: .milliseconds(20))
      #expect(store.saved == ["hi"])
    }
  }

  @Test("T3 work that has just been sent goes to sleep before the clock moves")
  func justSent() async {
    for _ in 0..<300 {
      let store = makeStore()
      store.send(.tick(3, every: .seconds(1)))
      await clock.advance(by: .seconds(3))
      #expect(store.ticks == 3)
      #expect(store.runningCount == 0)
    }
  }

  @Test("T3 run wakes sleepers until none is left")
  func run() async {
    let store = makeStore()
    store.send(.tick(100, every: .seconds(60)))
    await clock.run()
    #expect(store.ticks == 100)
    #expect(clock.now.offset == .seconds(6_000))
  }
}
