import Signalbox

/// The chains of the loops that a store has stopped.
@MainActor final class LoopReports {
  private(set) var chains: [[String]] = []
  private var subscription: Subscription?

  init<State, Action>(_ store: Store<State, Action>) {
    subscription = store.events.sink { [weak self] in
      if case .loopStopped(let chain) = $0.kind { self?.chains.append(chain) }
    }
  }
}
