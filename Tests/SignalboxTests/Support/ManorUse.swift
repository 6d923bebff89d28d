import Signalbox

/// How code uses the store of a parent.
enum ManorUse: CaseIterable {
  case assign, append, set, update, batch, whole, wholeInPlace, dispatch, awaitDispatch, send, run
  case cancel, mark, child

  @MainActor func use(_ store: ManorStore) async {
    switch self {
    case .assign: store.log = ["new"]
    case .append: store.log.append("new")
    case .set: store.set(\.log, ["new"], forceUpdate: true)
    case .update: store.update { $0.log = ["new"] }
    case .batch: store.batch { store.log = ["new"] }
    case .whole: store.state = ManorState(log: ["new"])
    case .wholeInPlace: store.state.log.append("new")
    case .dispatch: Self.dispatch(store)
    case .awaitDispatch: await store.dispatch(.note("new"))
    case .send: store.send(.note("new"))
    case .run: store.run { $0.log = ["new"] }
    case .cancel: store.cancel(id: "errand")
    case .mark: store.mark(\.isBusy)
    case .child: store.child(\.room, ManorRoom.self).binder.text.wrappedValue = "new"
    }
  }

  @MainActor private static func dispatch(_ store: ManorStore) { store.dispatch(.note("new")) }
}
