import Signalbox

/// Handles the actions and hooks of the search.
struct SearchInteractor: Interactor {
  let service: SearchService
  /// The number of paths that are kept, which is more than a window shows.
  var limit = 1_000
  var clock: any Clock<Duration> = ContinuousClock()

  func onAction(
    _ action: SearchAction, store: MutatingStore<SearchState, SearchAction>
  ) async {
    switch action {
    case .wait:
      store.phase = .waiting
    case .search(let query):
      store.findings = Findings(limit: limit)
      guard !query.allSatisfy(\.isWhitespace) else {
        store.phase = .idle
        return
      }
      store.phase = .searching
      for await step in service.search(query) { store.findings.add(step) }
      store.phase = .finished
    case .cancel:
      switch store.phase {
      case .waiting, .searching: store.phase = .stopped
      case .idle, .finished, .stopped: store.query = ""
      }
    }
  }

  func subscription(
    for hook: SearchHook, store: MutatingStore<SearchState, SearchAction>
  ) -> Subscription {
    switch hook {
    case .typingPaused:
      store.publisher.query
        .debounce(for: .milliseconds(150), clock: clock)
        // Does nothing if the user has pressed Return or Escape meanwhile.
        .filter { _ in store.phase == .waiting }
        .assign(toAction: SearchAction.search, using: store)
    case .queryTyped:
      store.publisher.query.assign(toAction: .wait, using: store)
    }
  }
}

extension SearchAction: CancellableAction {
  /// All actions have the same name, so the newest one supersedes a running search.
  var cancelIdentifier: String? { "search" }
}
