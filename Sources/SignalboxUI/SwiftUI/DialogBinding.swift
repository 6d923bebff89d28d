#if canImport(SwiftUI)
public import Signalbox
public import SwiftUI

/// An alert or a confirmation in the state of a store, as `$store.alert` gives it.
///
/// It does not keep the store alive.
@MainActor public struct DialogBinding<Dialog> {
  private let dialog: StateBinding<Dialog?>
  /// Sends the action of a button, by its index.
  private let send: @MainActor (_ index: Int, _ dialog: Dialog) -> Void
  private let isReadOnly: Bool

  init<State, Action>(_ binder: Binder<State, Action>, _ keyPath: WritableKeyPath<State, Dialog?>)
  where Dialog: DialogState, Dialog.Action == Action {
    dialog = binder[dynamicMember: keyPath]
    send = { index, dialog in dialog.buttons[index].action.map(binder.dispatch) }
    isReadOnly = binder.isReadOnly
  }
}

extension DialogBinding where Dialog: DialogState {
  /// What is shown, on which a view that reads it depends.
  var shown: Dialog? { dialog.wrappedValue }

  func isPresented(_ shown: Dialog?) -> Binding<Bool> {
    Binding(
      get: { dialog.wrappedValue != nil },
      set: { if !$0, let shown { dismiss(shown) } })
  }

  func buttons(of shown: Dialog) -> some View {
    ForEach(Array(shown.buttons.indices), id: \.self) { index in
      let button = shown.buttons[index]
      Button(button.title, role: button.role.map { ButtonRole($0) }) {
        // Before the action, which may show the next dialog.
        dismiss(shown)
        send(index, shown)
      }
    }
  }

  // Not if another dialog is there by now. Only an event may change the state of a transducer.
  private func dismiss(_ shown: Dialog) {
    if isReadOnly { return }
    dialog.remove { $0.isSame(as: shown) }
  }
}

extension DialogState {
  /// Whether the dialogs are equal or, if their actions cannot be compared, have the same texts.
  fileprivate func isSame(as other: Self) -> Bool {
    RuntimeEquality.areEqual(self, other, by: Self.self)
      ?? (title == other.title && message == other.message
        && buttons.map(\.title) == other.buttons.map(\.title))
  }
}

extension ButtonRole {
  fileprivate init<Action>(_ role: DialogButton<Action>.Role) {
    switch role {
    case .cancel: self = .cancel
    case .destructive: self = .destructive
    }
  }
}

extension View {
  /// Shows an alert while the state has one (N4).
  ///
  ///     MessageView(…).alert($store.alert)
  ///
  /// A button makes the property `nil` and then sends its action. If another alert is there by then, it
  /// stays. In the store of a transducer, only the event of a button changes the state.
  @MainActor public func alert<Action>(_ alert: DialogBinding<AlertState<Action>>) -> some View {
    let shown = alert.shown
    return self.alert(
      shown?.title ?? "", isPresented: alert.isPresented(shown), presenting: shown
    ) {
      alert.buttons(of: $0)
    } message: {
      $0.message.map { Text($0) }
    }
  }

  /// Shows a confirmation while the state has one (N4).
  ///
  /// It does what `alert` does.
  @MainActor public func confirmationDialog<Action>(
    _ confirmation: DialogBinding<ConfirmationState<Action>>
  ) -> some View {
    let shown = confirmation.shown
    return confirmationDialog(
      shown?.title ?? "", isPresented: confirmation.isPresented(shown),
      titleVisibility: .visible, presenting: shown
    ) {
      confirmation.buttons(of: $0)
    } message: {
      $0.message.map { Text($0) }
    }
  }

  /// Shows an alert of a store that the view has received (N4).
  @MainActor public func alert<State, Action>(
    _ store: Store<State, Action>, _ keyPath: WritableKeyPath<State, AlertState<Action>?>
  ) -> some View {
    alert(DialogBinding(store.binder, keyPath))
  }

  /// Shows a confirmation of a store that the view has received (N4).
  @MainActor public func confirmationDialog<State, Action>(
    _ store: Store<State, Action>,
    _ keyPath: WritableKeyPath<State, ConfirmationState<Action>?>
  ) -> some View {
    confirmationDialog(DialogBinding(store.binder, keyPath))
  }
}
#endif
