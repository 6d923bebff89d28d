import Signalbox
import SignalboxTesting
import Testing

private struct LedgerRow: Equatable, Sendable { var count = 0 }

private struct Ledger: Equatable, Sendable {
  var row = LedgerRow()
  var guest: LedgerRow?
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
    await mainActorCatchesUp()
    if fails { throw LedgerError() }
  }

  func onError(_ error: any Error, action: Bool, store: MutatingStore<LedgerRow, Bool>) {}
}

/// A child whose action waits after it has acted.
private struct LedgerGuest: Interactor {
  let gate: StoreGate
  let act: @MainActor () -> Void

  func onAction(_ action: String, store: MutatingStore<LedgerRow, String>) async throws {
    store.optimistic { $0.count = 3 }
    act()
    try await gate.pass(action)
  }
}

private struct LedgerRoot: Interactor {
  var gate = StoreGate()
  var use: @MainActor (MutatingStore<Ledger, Never>) -> Void = { _ in }
  var act: @MainActor () -> Void = {}

  func children(of store: MutatingStore<Ledger, Never>) -> Children<Ledger> {
    let _ = use(store)
    Child(\.row) { LedgerPart(act: act) }
    Child(\.guest) { LedgerGuest(gate: gate) { store.optimistic { $0.total = 7 } } }
  }
}

/// What one piece of work does in two stores that are no parents of one another.
@Suite(.opensGates) @MainActor struct TwoStoresTests {
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

  @Test(
    "O2 C11 what follows in one store ends no change in the other one", arguments: [false, true])
  func handles(fails: Bool) async {
    var pending: PendingChange<Ledger>?
    let (first, second) = makeStores { pending = $0.optimistic { $0.total = 7 } }
    // The work decides what becomes of both changes.
    let subscription = first.events.flattened.sink { event in
      switch event.kind {
      case .confirmed: pending?.revert()
      case .takenBack: pending?.confirm()
      default: break
      }
    }
    await first.child(\.row, LedgerPart.self).dispatch(fails)
    #expect(second.total == (fails ? 0 : 7))
    subscription.cancel()
  }

  @Test(
    "O2 C4 what work has changed in a parent goes in the commit after the one that ends the child")
  func endedChild() {
    let store = Store(state: Ledger(guest: LedgerRow()), interactor: LedgerRoot())
    store.child(\.guest, LedgerGuest.self)?.send("door")
    #expect(store.guest?.count == 3 && store.total == 7)
    var totals: [Int] = []
    let subscription = combineLatest(store.publisher.guest, store.publisher.total).sink {
      #expect($0 == nil)
      totals.append($1)
    }
    store.binder.guest.wrappedValue = nil
    #expect(totals == [7, 0])
    #expect(store.guest == nil && store.total == 0)
    subscription.cancel()
  }

  @Test("H4 C11 the end of a change names its cause, also if there was no receiver at its start")
  func lateReceiver() async {
    let gate = StoreGate()
    let store = gate.manor()
    let task = store.child(\.room, ManorRoom.self).send(
      ManorErrand(description: "errand") { parent in
        parent.optimistic { $0.log = ["shown"] }
        try await gate.pass("door")
      })
    var kinds: [Int: String] = [:]
    var causes: [String?] = []
    let subscription = store.events.flattened.sink { event in
      kinds[event.id] = "\(event.kind)"
      if case .takenBack = event.kind { causes.append(event.cause.flatMap { kinds[$0] }) }
    }
    task.cancel()
    #expect(causes.count == 1 && causes.first??.contains("cancelled") == true, "\(causes)")
    subscription.cancel()
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
