public import Signalbox

extension TestStore {
  /// Handles the actions of an interactor and connects none of its hooks, which is rarely meant.
  @available(
    *, deprecated,
    message: "This connects no hooks. 'TestStore(state:interactor:)' does what an interactor says."
  )
  public convenience init<I: Interactor>(
    state: I.State, actionable: I, middleware: any Middleware<I.State, I.Action>...,
    exhaustive: Bool = false, name: String? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) where State == I.State, Action == I.Action {
    self.init(
      state, actionable, middleware, exhaustive: exhaustive, name: name,
      at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Connects the hooks of an interactor and drops all its actions, which is rarely meant.
  @available(
    *, deprecated,
    message: "This drops all actions. 'TestStore(state:interactor:)' does what an interactor says."
  )
  public convenience init<I: Interactor>(
    state: State, hookable: I, exhaustive: Bool = false, name: String? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) where State == I.State, Action == I.Action {
    self.init(
      Store(unconnected: state, name: name), exhaustive: exhaustive,
      at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    connect(hookable)
  }
}
