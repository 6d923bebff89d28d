import Signalbox

/// What is searched for, and what was found.
struct Search: Equatable, Sendable {
  var query = ""
  /// The notes that are shown, in their order.
  var found: [Note.ID] = []
}

enum SearchAction { case clear }
enum SearchHook: CaseIterable { case find }

/// Finds notes.
///
/// What it searches comes from its parent, as signals.
struct SearchFeature: Interactor {
  let notes: Signal<[Note]>
  let order: Signal<Order>

  func onAction(_ action: SearchAction, store: MutatingStore<Search, SearchAction>) {
    store.query = ""
  }

  func subscription(
    for hook: SearchHook, store: MutatingStore<Search, SearchAction>
  ) -> Subscription {
    switch hook {
    case .find:
      combineLatest(store.publisher.query, notes, order)
        .map { query, notes, order in order.sorted(notes.filter { $0.matches(query) }).map(\.id) }
        .includingCurrent()
        .assign(to: \.found, using: store)
    }
  }
}

extension Note {
  fileprivate func matches(_ query: String) -> Bool {
    query.isEmpty || text.lowercased().contains(query.lowercased())
  }
}

extension Order {
  fileprivate func sorted(_ notes: [Note]) -> [Note] {
    notes.sorted { a, b in
      if a.isPinned != b.isPinned { return a.isPinned }
      return self == .alphabetical && a.text != b.text ? a.text < b.text : a.id > b.id
    }
  }
}
