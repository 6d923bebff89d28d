public import Signalbox
import SignalboxInspection

extension TestStore {
  /// Presses a button of an alert, waits until its action has ended, and asserts the action's changes
  /// (N4).
  ///
  ///     await store.press("Try again", in: \.alert) { $0.orders = .loading }
  ///
  /// Like a user interface, it makes the property `nil` and then sends the action of the button. The
  /// closure begins with the state in which the alert is gone, so it tells an alert that is shown again
  /// from one that has stayed. In the store of a transducer, only the event of the button changes the
  /// state.
  ///
  /// - `title`: the title of the button. If there is no such button, the test fails.
  /// - `alert`: the property that has the alert.
  /// - `timeout`: the timeout and the closures are those of `dispatch`.
  public func press(
    _ title: String, in alert: WritableKeyPath<State, AlertState<Action>?>,
    timeout: Duration = .seconds(1), expecting change: ((inout State) -> Void)? = nil,
    including part: ((inout State) -> Void)? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    await pressButton(
      title, of: alert, timeout, change, including: part,
      at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Presses a button of a confirmation, as `press` does with that of an alert.
  public func press(
    _ title: String, in confirmation: WritableKeyPath<State, ConfirmationState<Action>?>,
    timeout: Duration = .seconds(1), expecting change: ((inout State) -> Void)? = nil,
    including part: ((inout State) -> Void)? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    await pressButton(
      title, of: confirmation, timeout, change, including: part,
      at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  private func pressButton<Dialog: DialogState>(
    _ title: String, of keyPath: WritableKeyPath<State, Dialog?>, _ timeout: Duration,
    _ change: StateChange?, including part: StateChange?, at site: CallSite
  ) async where Dialog.Action == Action {
    let subject = "press(\(SourceFormatter.text(of: title)))"
    guard let dialog = state[keyPath: keyPath] else {
      return fail("\(subject): nothing is shown, so there is no button to press.", at: site)
    }
    guard let button = dialog.buttons.first(where: { $0.title == title }) else {
      let isHidden = Redaction.current.meets(keyPath, in: state)
      let titles = [dialog.title] + dialog.buttons.map(\.title)
      let texts = titles.map { isHidden ? Redaction.text : SourceFormatter.text(of: $0) }
      let others =
        texts.count == 1
        ? "It has none, so a user dismisses it: write nil to the property."
        : "It has \(listed(Array(texts.dropFirst())))."
      return fail("\(subject): \(texts[0]) has no such button. \(others)", at: site)
    }
    var start = (state: state, updates: recorder.updates)
    // Only an event may change the state of a transducer.
    if !binder.isReadOnly {
      start.state[keyPath: keyPath] = nil
      self[dynamicMember: keyPath] = nil
    }
    if let action = button.action {
      return await dispatch(action, timeout, change, including: part, from: start, at: site)
    }
    begin(at: site)
    check(
      change, including: part, between: start, and: (state, recorder.updates), subject, at: site)
  }
}
