/// A change that is shown before it is certain, and can be taken back without harm to anything that has
/// happened since.
///
///     let pending = store.optimistic { $0.isStarred = true }
///     let row = try await service.star(store.id)  // throws: the star goes out again
///     pending.confirm { $0 = row }
///
/// `MutatingStore.optimistic` makes it. It keeps what its closure captures until it has ended.
@MainActor public final class PendingChange<State> {
  private let storage: StateStorage<State>
  private let change: TentativeChange?

  /// - Parameter change: the change; `nil` for one that was dropped.
  init(_ storage: StateStorage<State>, _ change: TentativeChange?) {
    self.storage = storage
    self.change = change
  }

  /// Makes the change, or what takes its place, a part of the truth, in one commit (O4).
  ///
  /// Does nothing if the change is no longer pending. Any code on the main actor may call it.
  ///
  /// - Parameter answer: changes the state in place of the change, as to what a server has said. It runs
  ///   once, below all changes that are pending. Accessing the store in it traps. If the part of the
  ///   state that it changes is gone, it does not run.
  public func confirm(_ answer: ((inout State) -> Void)? = nil) {
    guard let change, change.isPending else { return }
    TentativeChange.end([change], as: .confirmed, by: .caller) {
      if let answer { self.storage.apply(answer) } else { change.apply() }
    }
  }

  /// Takes the change back, and nothing else (O4).
  ///
  /// Does nothing if the change is no longer pending. Any code on the main actor may call it.
  public func revert() {
    guard let change, change.isPending else { return }
    TentativeChange.end([change], as: .takenBack, by: .caller)
  }
}

/// The pending changes of one piece of work, with one commit for each store that they are in (O2).
///
/// All handles end before the first commit, because its observers may have those of the others.
final class PendingChanges: WorkChanges {
  private var changes: [TentativeChange] = []

  func add(_ change: TentativeChange) {
    changes.removeAll { !$0.isPending }
    changes.append(change)
  }

  private var ofEachStore: [[TentativeChange]] {
    var roots: [StateNode] = []
    for change in changes where !roots.contains(where: { $0 === change.root }) {
      roots.append(change.root)
    }
    return roots.map { root in changes.filter { $0.root === root } }
  }

  func confirm() {
    willEnd()
    for changes in ofEachStore {
      TentativeChange.end(changes, as: .confirmed, by: .work(event: nil)) {
        for change in changes { change.apply() }
      }
    }
  }

  func takeBack(after event: Int?) {
    willEnd()
    for changes in ofEachStore {
      TentativeChange.end(changes, as: .takenBack, by: .work(event: event))
    }
  }

  func willEnd() { for change in changes { change.leave() } }
}
