import Signalbox
import SignalboxTesting
import Testing

/// The buttons of dialogs, which a test presses as a user does.
@Suite(.timeLimit(.minutes(60))) @MainActor struct PressTests {
  private struct Orders: Equatable {
    var rows = 0
    var alert: AlertState<Action>? = Self.failed
    var question: ConfirmationState<Action>?

    static let failed = AlertState<Action>(
      "Failed", buttons: [.init("Again", action: .load), .init("Stop", role: .cancel)])
  }

  private enum Action: Equatable { case load, clear }

  private struct Feature: Actionable {
    /// What `load` shows.
    var shown: AlertState<Action>?

    func onAction(_ action: Action, store: MutatingStore<Orders, Action>) async throws {
      switch action {
      case .load:
        await farAway()
        store.alert = shown
        store.rows += 1
      case .clear: store.rows = 0
      }
    }
  }

  private func makeStore(
    _ state: Orders = Orders(), shown: AlertState<Action>? = nil
  ) -> TestStore<Orders, Action> {
    TestStore(state: state, actionable: Feature(shown: shown), exhaustive: true)
  }

  @Test("N4 press makes the alert nil, and its closure has what the action of the button changes")
  func action() async {
    let store = makeStore()
    await store.press("Again", in: \.alert) { $0.rows = 1 }
    #expect(store.alert == nil)
    #expect(store.triggeredActions == [.load])
    await store.finish()
  }

  @Test("N4 an equal alert that is shown again is a change, and one that is not is none")
  func again() async {
    let store = makeStore(shown: Orders.failed)
    await store.press("Again", in: \.alert) {
      $0.alert = Orders.failed
      $0.rows = 1
    }
    let found = await AssertedDesk.headlines {
      await store.press("Again", in: \.alert) { $0.rows = 2 }
    }
    #expect(found == [AssertedDesk.more("dispatch(.load)")])
    await store.finish()
  }

  @Test("N4 a button without an action only dismisses")
  func dismissal() async {
    let store = makeStore()
    await store.press("Stop", in: \.alert) { _ in }
    #expect(store.alert == nil)
    #expect(store.triggeredActions.isEmpty)
    let wrong = await AssertedDesk.headlines {
      store.alert = Orders.failed
      await store.press("Stop", in: \.alert) { $0.rows = 1 }
    }
    #expect(wrong == ["press(\"Stop\"): nothing changed."])
    await store.finish()
  }

  @Test("N4 T8 what was not asserted before a dismissal stays to be asserted")
  func unasserted() async {
    let store = makeStore(Orders(rows: 3))
    await store.send(.clear).value
    let found = await AssertedDesk.headlines {
      await store.press("Stop", in: \.alert) { _ in }
      await store.finish()
    }
    #expect(found == ["press(\"Stop\"): changed although nothing was expected."])
    let early = makeStore(shown: Orders.failed)
    early.alert = nil
    await early.send(.load).value
    let refused = await AssertedDesk.headlines { await early.press("Stop", in: \.alert) }
    #expect(refused.first?.hasPrefix("After this call, the test writes a part") == true)
  }

  @Test(
    "N4 T5 what a hook does at the dismissal belongs to the press", arguments: ["Stop", "Again"])
  func hooks(button: String) async {
    let store = TestStore(
      state: Orders(),
      interactor: Hooking<Orders, Action, OneHook>(
        connect: { _, store in
          store.publisher.alert.sink { if $0 == nil { store.rows = 9 } }
        }, handle: { _, _ in }))
    await store.press(button, in: \.alert) { $0.rows = 9 }
    await store.finish()
  }

  @Test("N4 the button of a confirmation is pressed like that of an alert")
  func confirmation() async {
    let question = ConfirmationState<Action>("Clear?", buttons: [.init("Clear", action: .clear)])
    let store = makeStore(Orders(rows: 3, alert: nil, question: question))
    await store.press("Clear", in: \.question) { $0.rows = 0 }
    #expect(store.question == nil)
    await store.finish()
  }

  @Test("N4 a button that is not there is a failure, which names those that are")
  func missing() async {
    let store = makeStore()
    let found = await AssertedDesk.headlines {
      await store.press("Retry", in: \.alert)
      await store.press("Clear", in: \.question)
      store.alert = AlertState("Done")
      await store.press("OK", in: \.alert)
    }
    #expect(
      found == [
        #"press("Retry"): "Failed" has no such button. It has "Again", "Stop"."#,
        #"press("Clear"): nothing is shown, so there is no button to press."#,
        """
        press("OK"): "Done" has no such button. It has none, so a user dismisses it: write nil to the \
        property.
        """,
      ])
    #expect(store.triggeredActions.isEmpty)
    await store.finish()
  }

  private enum Asking: Transducer {
    typealias State = Orders
    typealias Env = Void
    typealias Event = Action

    static func update(
      _ state: inout Orders, event: Action
    ) -> TransducerEffect<Action, Void, Void>? {
      if event == .load { state.rows += 1 }
      return nil
    }
  }

  @Test("N4 X1 in the store of a transducer, only the event of the button changes the state")
  func transducer() async {
    let store = TestStore(state: Orders(), transducer: Asking.self, exhaustive: true)
    await store.press("Again", in: \.alert) { $0.rows = 1 }
    await store.press("Stop", in: \.alert) { _ in }
    #expect(store.alert == Orders.failed)
    await store.finish()
  }
}
