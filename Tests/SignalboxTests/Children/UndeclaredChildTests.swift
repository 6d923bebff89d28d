import Testing

@testable import Signalbox

/// Children that no interactor declares.
@MainActor struct UndeclaredChildTests {
  @Test("C6 Asking for a child that the interactor does not declare traps with a message")
  func undeclared() async {
    expectError(
      "Add it to children(of:) of the interactor, as in `Child(\\.inner)",
      from: await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await MainActor.run {
          let store = Store(state: StationSettingsState(), interactor: OtherSettings())
          _ = store.child(\.inner, StationDepth.self)
        }
      })
  }

  @Test("C6 So does asking for a child with another interactor than the declared one")
  func otherInteractor() async {
    expectError(
      "the interactor of this store declares no such child",
      from: await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await MainActor.run {
          let store = Store(state: StationState(), interactor: Station())
          _ = store.child(\.settings, OtherSettings.self)
        }
      })
    // An element is no screen, although both have an index.
    expectError(
      "has an id: `child(\\.rows, id: …, StationRow.self)`.",
      from: await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await MainActor.run {
          let rows = [StationRowState(id: 1)]
          let store = Store(state: StationState(rows: rows), interactor: Station())
          _ = store.child(\.rows, at: 0, StationRow.self)
        }
      })
  }

  @Test("C6 A closure that asks for the child whose interactor it makes traps with a message")
  func ownChild() async {
    expectError(
      "\\.settings was asked for by the closure that makes its interactor.",
      from: await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await MainActor.run { _ = Store(state: StationState(), interactor: Asking(kind: .fixed)) }
      })
    expectError(
      "\\.rows[id: 1] was asked for by the closure that makes its interactor.",
      from: await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await MainActor.run {
          let rows = [StationRowState(id: 1)]
          _ = Store(state: StationState(rows: rows), interactor: Asking(kind: .moving))
        }
      })
  }

  @Test("C6 A closure that makes an interactor may ask for another child")
  func otherChild() {
    let store = Store(
      state: StationState(rows: [StationRowState(id: 1)]), interactor: Asking(kind: .other))
    #expect(store.rows[0].text == "1")
  }

  /// Asks for children in the closures that make their interactors.
  private struct Asking: Interactor {
    enum Kind { case fixed, moving, other }
    let kind: Kind

    func children(of store: MutatingStore<StationState, StationAction>) -> Children<StationState> {
      Each(\.rows) { id in
        if kind == .moving { _ = store.child(\.rows, id: id, StationRow.self) }
        return StationRow()
      }
      Child(\.settings) {
        if kind == .fixed { _ = store.child(\.settings, StationSettings.self) }
        if kind == .other { store.child(\.rows, id: 1, StationRow.self)?.dispatch(.type("1")) }
        return StationSettings()
      }
    }

    func onAction(
      _ action: StationAction, store: MutatingStore<StationState, StationAction>
    ) async {}
  }

  private struct OtherSettings: Interactor {
    func onAction(
      _ action: StationSettingsAction,
      store: MutatingStore<StationSettingsState, StationSettingsAction>
    ) async {}
  }
}
