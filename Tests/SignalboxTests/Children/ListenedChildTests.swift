import Testing

@testable import Signalbox

/// Children that are being made when a log is connected, whose output ends them.
@MainActor struct ListenedChildTests {
  /// Runs its body when it is connected to the store of a test.
  private final class Listener: StoreListener {
    private let body: () -> Void

    init(_ body: @escaping () -> Void) { self.body = body }

    func listen<State, Action>(to log: EventLog<State, Action>) {
      if State.self == ListenedState.self { body() }
    }
  }

  private let journal = StationJournal()

  /// Calls a body with a closure that adds a listener, which runs another body once.
  private func listening(
    onConnect end: @escaping () -> Void, _ body: (_ listen: @escaping () -> Void) -> Void
  ) {
    var calls = 0
    let listener = Listener {
      calls += 1
      end()
    }
    body { StoreListening.add(listener) }
    StoreListening.remove(listener)
    #expect(calls == 1)
  }

  private func makeStore() -> (Store<ListenedState, Never>, ListenedTrigger) {
    let trigger = ListenedTrigger()
    let parent = ListenedParent(journal: journal, trigger: trigger)
    return (Store(state: ListenedState(), interactor: parent), trigger)
  }

  @Test("C4 D1 A child that ends when a log is connected while it is made does not begin")
  func ends() {
    let (store, trigger) = makeStore()
    let end = { store.binder.rows.wrappedValue = [] }
    listening(onConnect: end) {
      trigger.row = $0
      store.binder.rows.wrappedValue = [ListenedRow()]
    }
    #expect(store.rows.isEmpty)
    #expect(journal.lines == [])
    store.binder.rows.wrappedValue = [ListenedRow()]
    #expect(journal.lines == ["row begins", "leaf begins"])
  }

  @Test("C4 D1 A child whose parent ends when a log is connected while it is made does not begin")
  func parentEnds() {
    var store: Store<ListenedState, Never>?
    let trigger: ListenedTrigger
    (store, trigger) = makeStore()
    let rows = store?.binder.rows
    let end = { store = nil }
    listening(onConnect: end) {
      trigger.leaf = $0
      rows?.wrappedValue = [ListenedRow()]
    }
    #expect(store == nil)
    #expect(journal.lines == ["row begins", "row ends"])
  }

  @Test("C6 D1 A child that ends when a log is connected as it is asked for is not there")
  func endsWhenAskedFor() {
    let (store, _) = makeStore()
    store.binder.rows.wrappedValue = [ListenedRow()]
    journal.lines = []
    let end = { store.binder.rows.wrappedValue = [] }
    listening(onConnect: end) {
      $0()
      #expect(store.child(\.rows, id: 0, ListenedBare.self) == nil)
    }
    #expect(journal.lines == ["leaf ends", "row ends"])
  }

  @Test(
    "C6 D1 A child that is asked for again when a log is connected as it is asked for begins once")
  func askedForTwice() {
    let (store, _) = makeStore()
    store.binder.rows.wrappedValue = [ListenedRow()]
    let ask = { store.child(\.rows, id: 0, ListenedBare.self)?.eventLog }
    var logs: [EventLog<ListenedRow, Never>?] = []
    let askAgain = { logs.append(ask()) }
    listening(onConnect: askAgain) {
      $0()
      logs.append(ask())
    }
    logs.append(ask())
    #expect(logs.count == 3 && logs.allSatisfy { $0 != nil && $0 === logs[0] })
  }
}

private struct ListenedRow: Identifiable {
  var id = 0
  var leaf = 0
}

private struct ListenedState { var rows: [ListenedRow] = [] }

/// What runs once, when the interactor of a row or of its leaf is made.
@MainActor private final class ListenedTrigger {
  var row: (() -> Void)?
  var leaf: (() -> Void)?
}

private struct ListenedParent: Interactor {
  let journal: StationJournal
  let trigger: ListenedTrigger

  func children(of store: MutatingStore<ListenedState, Never>) -> Children<ListenedState> {
    Each(\.rows) { _ in
      trigger.row.take()?()
      return ListenedRowFeature(journal: journal, trigger: trigger)
    }
    Each(\.rows) { _ in ListenedBare() }
  }

  func onAction(_ action: Never, store: MutatingStore<ListenedState, Never>) {}
}

private struct ListenedRowFeature: Interactor {
  let journal: StationJournal
  let trigger: ListenedTrigger

  func children(of store: MutatingStore<ListenedRow, Never>) -> Children<ListenedRow> {
    Child(\.leaf) {
      trigger.leaf.take()?()
      return ListenedLeaf(journal: journal)
    }
  }

  func onAction(_ action: Never, store: MutatingStore<ListenedRow, Never>) {}

  func subscription(for hook: OnlyHook, store: MutatingStore<ListenedRow, Never>) -> Subscription {
    journal.add("row begins")
    return Subscription { journal.add("row ends") }
  }
}

private struct ListenedLeaf: Interactor {
  let journal: StationJournal

  func onAction(_ action: Never, store: MutatingStore<Int, Never>) {}

  func subscription(for hook: OnlyHook, store: MutatingStore<Int, Never>) -> Subscription {
    journal.add("leaf begins")
    return Subscription { journal.add("leaf ends") }
  }
}

/// A second child of a row, which has no hooks and begins when it is asked for.
private struct ListenedBare: Interactor {
  func onAction(_ action: Never, store: MutatingStore<ListenedRow, Never>) {}
}
