/// The originator of a change of the state.
@MainActor @usableFromInline protocol Writer: AnyObject {
  /// Makes the text that a report has of it: its name, after the place of a child.
  var writerDescription: @MainActor () -> String { get }
  /// The storage to which it writes, which is the store's until the writer's work is cancelled.
  var target: StateNode { get }
  /// What causes its writes; `nil` if that lies outside of the store.
  var causeOfWrites: Propagation.Cause? { get }
  /// The number of the first event of the work that writes, if there is one.
  var workOfWrites: Int? { get }
  /// Called when a write did not take place, because the state is gone.
  func hasDropped<State>(from old: State, to new: State)
}
