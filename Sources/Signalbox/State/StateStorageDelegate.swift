/// The object that a storage notifies of its commits and of stopped loops.
@MainActor protocol StateStorageDelegate<State>: AnyObject {
  associatedtype State
  /// Tells which parts of the state are hidden from texts.
  var origin: OriginState { get }
  var wantsRecord: Bool { get }
  /// Called when a log may have been switched on or off.
  func listenersMayHaveChanged()
  /// Called for every commit while the storage is recording. Returns the event that causes the
  /// deliveries of the commit. `number` is that of the event, once there is one.
  func storage(
    didCommitFrom old: State, to new: State, by writer: any Writer,
    in context: Propagation.Context, as number: inout Int?
  ) -> Propagation.Cause?
  /// Called when a commit that was recorded has changed an observed part that is computed from others.
  func storage(didDerive change: DerivedChange, in context: Propagation.Context)
  /// Called when a loop of writes that follow from one another was stopped (S17).
  func storage(didStopLoop chain: [String], in context: Propagation.Context)
}

/// A change of a part that is computed from others, and where its values come from.
typealias DerivedChange = (name: String, old: Any, new: Any, provenance: Provenance)
