import Signalbox
import SignalboxTesting
import Testing

/// Tests which changes count as those of an event whose effects send more events.
@Suite(.timeLimit(.minutes(60))) @MainActor struct EffectAssertionTests {
  private struct Page: Equatable {
    var isLoading = false
    var rows: [Int] = []
  }

  private enum Feed: Transducer {
    typealias State = Page
    typealias Env = Void
    enum Event: Equatable {
      case appear, appearWithTask, appearAtOnce, done
      case row(Int)
    }

    static func update(_ state: inout Page, event: Event) -> TransducerEffect<Event, Void, Void>? {
      switch event {
      case .appear:
        state.isLoading = true
        return .run { input, _ in
          try await input.send(.row(1))
          try await input.send(.row(2))
        }
      case .appearWithTask:
        state.isLoading = true
        return .task { _ in .row(1) }
      case .appearAtOnce:
        state.isLoading = true
        return .event(.row(1))
      case .row(let row):
        state.rows.append(row)
        return row == 2 ? .run { input, _ in try await input.send(.done) } : nil
      case .done:
        state.isLoading = false
        return nil
      }
    }
  }

  private func makeStore(exhaustive: Bool) -> TestStore<Page, Feed.Event> {
    TestStore(state: Page(), transducer: Feed.self, exhaustive: exhaustive)
  }

  @Test(
    "T5 what an effect sends is received and does not count for its event",
    arguments: [true, false])
  func effects(exhaustive: Bool) async {
    let store = makeStore(exhaustive: exhaustive)
    await store.dispatch(.appear) { $0.isLoading = true }
    await store.receive(.row(1)) { $0.rows = [1] }
    await store.receive(.row(2)) { $0.rows = [1, 2] }
    await store.receive(.done) { $0.isLoading = false }
    await store.finish()
  }

  @Test("T5 an effect with a task is like one that runs", arguments: [true, false])
  func task(exhaustive: Bool) async {
    let store = makeStore(exhaustive: exhaustive)
    await store.dispatch(.appearWithTask) { $0.isLoading = true }
    await store.receive(.row(1)) { $0.rows = [1] }
    await store.finish()
  }

  @Test("T5 X2 what follows in the same dispatch counts for its event", arguments: [true, false])
  func followUp(exhaustive: Bool) async {
    let store = makeStore(exhaustive: exhaustive)
    await store.dispatch(.appearAtOnce) {
      $0.isLoading = true
      $0.rows = [1]
    }
    await store.receive(.row(1))
    await store.finish()
  }
}
