import Signalbox

/// A feature whose actions show a change until they are told how it ends.
struct DerivedHouse: Interactor {
  struct Room: Interactor {
    func onAction(_ action: Never, store: MutatingStore<DerivedState.Inner, Never>) {}
  }
  struct Closet: Interactor {
    func onAction(_ action: Never, store: MutatingStore<DerivedState.Row, Never>) {}
  }

  func children(of store: MutatingStore<DerivedState, UncertainChange>) -> Children<DerivedState> {
    Child(\.inner) { Room() }
    Each(\.rows) { _ in Closet() }
  }

  func onAction(
    _ change: UncertainChange, store: MutatingStore<DerivedState, UncertainChange>
  ) async {
    change.pending = store.optimistic { [write = change.write] in write.apply(to: &$0) }
    await StationJournal.waitUntilCancelled()
  }
}

/// A change that is not certain.
final class UncertainChange {
  let write: DerivedProgram.Write
  var pending: PendingChange<DerivedState>?

  init(_ write: DerivedProgram.Write) { self.write = write }
}
