import Signalbox
import SignalboxInspection
import Testing

/// Dialogs in tests that are written from recordings, and in what failures suggest.
struct DialogSourceTests {
  private enum Action: Equatable { case delete(id: Int) }

  @Test("R7 T11 N4 The source of an alert is what makes it")
  func alert() {
    let alert: AlertState<Action> = AlertState(
      "Delete?", message: nil,
      buttons: [
        DialogButton("Delete", role: .destructive, action: .delete(id: 3)),
        DialogButton("Cancel", role: .cancel, action: nil),
      ])
    let source = #"""
      AlertState("Delete?", \#
      buttons: [DialogButton("Delete", role: .destructive, action: .delete(id: 3)), \#
      DialogButton("Cancel", role: .cancel)])
      """#
    #expect(SourceLiterals().source(of: ValueTree(alert)) == source)
  }

  @Test("R7 T11 N4 The source of a confirmation is what makes it")
  func confirmation() {
    let confirmation: ConfirmationState<Action>? = ConfirmationState(
      "Delete?", message: "It is gone then.", buttons: [])
    #expect(
      SourceLiterals().source(of: ValueTree(confirmation as Any))
        == #"ConfirmationState("Delete?", message: "It is gone then.", buttons: [])"#)
  }
}
