/// Who keeps the state of a transducer's store and may change it, if that is not the store: the
/// parent of a view.
@MainActor package struct StateOwner<State> {
  let read: @MainActor () -> State
  let write: @MainActor (State) -> Void

  /// - Parameters:
  ///   - read: what each event starts from.
  ///   - write: takes what `update` has made of it, before the event's effects are carried out.
  package init(
    read: @escaping @MainActor () -> State, write: @escaping @MainActor (State) -> Void
  ) {
    self.read = read
    self.write = write
  }
}
