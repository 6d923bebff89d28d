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
  }

  private struct OtherSettings: Interactor {
    func onAction(
      _ action: StationSettingsAction,
      store: MutatingStore<StationSettingsState, StationSettingsAction>
    ) async {}
  }
}
