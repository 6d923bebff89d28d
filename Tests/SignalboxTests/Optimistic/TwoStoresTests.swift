import Signalbox
import Testing

private struct LedgerRow: Equatable, Sendable { var count = 0 }

private struct Ledger: Equatable, Sendable {
  var row = LedgerRow()
  var total = 0
  var other = 0
  var isBusy = false
}

private struct LedgerError: Error {}

/// A child whose action also acts in another store, through a closure.
private struct LedgerPart: Interactor {
  let act: @MainActor () -> Void

  func onAction(_ fails: Bool, store: MutatingStore<LedgerRow, Bool>) async throws {
    store.optimistic { $0.count = 5 }
    act()
    await Task.yield()
    if fails { throw LedgerError() }
  }

  func onError(_ error: any Error, action: Bool, store: MutatingStore<LedgerRow, Bool>) {}
}

private struct LedgerRoot: Interactor {
  var use: @MainActor (MutatingStore<Ledger, Never>) -> Void = { _ in }
  var act: @MainActor () -> Void = {}

  func children(of store: MutatingStore<Ledger, Never>) -> Children<Ledger> {
    let _ = use(store)
    Child(\.row) { LedgerPart(act: act) }
  }
}

/// What one piece of work does in two stores that are no parents of one another.
@MainActor struct TwoStoresTests {
  private typealias Act = @MainActor (MutatingStore<Ledger, Never>) -> Void

  /// A store whose child acts in the second one.
  private func makeStores(_ act: @escaping Act) -> (Store<Ledger, Never>, Store<Ledger, Never>) {
    var parent: MutatingStore<Ledger, Never>?
    let second = Store(state: Ledger(), interactor: LedgerRoot(use: { parent = $0 }))
    let first = Store(
      state: Ledger(), interactor: LedgerRoot(act: { [parent] in if let parent { act(parent) } }))
    return (first, second)
  }

  @Test(
    "O2 C11 pending changes of one action stay or go in both stores", arguments: [false, true])
  func changes(fails: Bool) async {
    let (first, second) = makeStores { $0.optimistic { $0.total = 7 } }
    await first.child(\.row, LedgerPart.self).dispatch(fails)
    #expect(first.row.count == (fails ? 0 : 5) && second.total == (fails ? 0 : 7))
    second.binder.other.wrappedValue = 1
    first.binder.other.wrappedValue = 1
    #expect(first.row.count == (fails ? 0 : 5) && second.total == (fails ? 0 : 7))
  }

  @Test("H4 C11 A13 an event of one store is never the cause of an event of another one")
  func causes() async {
    let (first, second) = makeStores { store in
      store.mark(\.isBusy)
      store.optimistic { $0.total = 7 }
    }
    var causes: [Int] = []
    let subscriptions = [
      first.events.sink { _ in }, second.events.sink { causes += $0.cause.map { [$0] } ?? [] },
    ]
    // So that the numbers of the first store are not those of the second.
    for count in 1...50 { first.binder.other.wrappedValue = count }
    await first.child(\.row, LedgerPart.self).dispatch(true)
    #expect(second.total == 0 && !second.isBusy)
    #expect(!causes.isEmpty && causes.allSatisfy { $0 < 20 }, "\(causes)")
    withExtendedLifetime(subscriptions) {}
  }
}
