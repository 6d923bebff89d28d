import Signalbox
import SignalboxTesting

/// A search while typing, like those of the examples.
struct FinderState: Equatable, Sendable {
  enum Phase: Equatable, Sendable {
    case idle
    case searching(String)
    case failed(FinderError)
  }

  struct Hit: Identifiable, Equatable, Sendable {
    var id: Int
    var title: String
    var score: Double?
  }

  var query = ""
  var phase = Phase.idle
  var hits: [Hit] = []
  var rows: [RowState] = []
}

enum FinderError: Error, Equatable {
  case offline
  case busy(seconds: Int)
}

enum FinderAction: Sendable, Equatable, CancellableAction {
  case search(String)
  case add(row: Int)

  var cancelIdentifier: String? { if case .search = self { "search" } else { nil } }
  var overlap: Overlap { .latest }
}

enum FinderHook: CaseIterable { case paused, remote }

struct Finder: Interactor {
  let search: TestEndpoint<String, [FinderState.Hit]>
  let remote: Signal<FinderState.Hit>
  let clock: TestClock

  func onAction(_ action: FinderAction, store: MutatingStore<FinderState, FinderAction>)
    async throws
  {
    switch action {
    case .search(let text):
      store.phase = .searching(text)
      store.hits = try await search(text)
      store.phase = .idle
    case .add(let id): store.rows.append(RowState(id: id))
    }
  }

  func onError(
    _ error: any Error, action: FinderAction, store: MutatingStore<FinderState, FinderAction>
  ) {
    if let error = error as? FinderError { store.phase = .failed(error) }
  }

  func subscription(
    for hook: FinderHook, store: MutatingStore<FinderState, FinderAction>
  ) -> Subscription {
    switch hook {
    case .paused:
      store.publisher.query.debounce(for: .milliseconds(300), clock: clock)
        .assign(toAction: FinderAction.search, using: store)
    case .remote: remote.sink { store.hits.append($0) }
    }
  }

  func children(of store: MutatingStore<FinderState, FinderAction>) -> Children<FinderState> {
    Each(\.rows) { _ in Row() }
  }
}
