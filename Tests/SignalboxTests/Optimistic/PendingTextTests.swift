import Signalbox
import SignalboxTesting
import Testing

/// Tests what a test store says of pending changes (O7).
@Suite(.timeLimit(.minutes(60))) @MainActor struct PendingTextTests {
  private let clock = TestClock()

  private func makeStore() -> DeskTest {
    DeskTest(
      state: Desk(),
      actionable: Handling { [clock] job, store in
        store.optimistic { $0.title = job.text }
        try await clock.sleep(for: .seconds(1))
      }, exhaustive: true)
  }

  @Test("O7 T8 an exhaustive store fails at finish() while a change is pending")
  func finish() async {
    let failures = await failures {
      let store = makeStore()
      store.send("a")
      store.expect { $0.title = "a" }
      await store.finish()
    }
    #expect(
      failures.map(\.headline) == [
        "finish(): still running at the end: a.", "finish(): a change is still pending.",
      ])
  }

  @Test("O7 T5 a test store expects what is shown, and what a failure takes back")
  func expectations() async {
    let store = makeStore()
    let task = store.send("a")
    store.expect { $0.title = "a" }
    task.cancel()
    store.expect { $0.title = "" }
    store.send("b")
    store.expect { $0.title = "b" }
    await clock.advance(by: .seconds(1))
    await store.finish()
    #expect(store.title == "b")
  }
}
