import Signalbox
import SignalboxSources
import SignalboxTesting
import Testing

/// Runs the connection of a store in every order of answers, failures, timers and cancels.
@Suite(.timeLimit(.minutes(60))) @MainActor struct ReconnectingOrderTests {
  private struct State: Equatable {
    var health = ConnectionHealth.idle
    var values: [Int] = []
    var isEnabled = false
  }

  private enum Hook: CaseIterable { case health }

  /// Shows the health, and subscribes to the values while it is enabled.
  private struct Feed: Hookable {
    let source: Reconnecting<Int>

    func subscription(for hook: Hook, store: MutatingStore<State, Never>) -> Subscription {
      source.health.assign(to: \.health, using: store)
    }
  }

  @Test("E2 E3 in every order, one attempt at a time, and nothing of an earlier connection")
  func orders() async {
    let report = await explore(limit: 100) { world in
      var calls = 0
      var mostPending = 0
      let open = world.endpoint(
        "open", failing: ScriptedServer.Refusal(description: "no"), heedsCancellation: false
      ) { (attempt: Int) in attempt }
      let source = Reconnecting<Int>(clock: world.clock, seed: 1) { @MainActor in
        calls += 1
        mostPending = max(mostPending, open.pending.count + 1)
        let attempt = try await open(calls)
        return AsyncStream { $0.yield(attempt) }
      }
      let store = TestStore(state: State(), hookable: Feed(source: source))
      var told: [Int] = []
      var subscription: Subscription? = source.sink { told.append($0) }
      world.may("cancel") { subscription = nil }
      world.may("subscribe again") { subscription = source.sink { told.append($0) } }
      world.may("give up") { subscription = nil }
      world.always("one attempt at a time") { mostPending <= 1 }
      world.always("a value arrives only while the connection is up, and once") {
        told == told.sorted() && Set(told).count == told.count
          && (store.health == .up) == (subscription != nil && told.last == calls)
      }
      world.always("the state is idle exactly without subscribers") {
        (store.health == .idle) == (subscription == nil)
      }
      await world.run()
      world.outcome("\(store.health)")
      store.deactivateHooks()
    }
    #expect(report.failure == nil && report.orders == 100)
  }
}
