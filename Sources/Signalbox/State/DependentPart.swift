/// A part that a room above this one computes from other parts of the same transaction.
///
///     commit ──▶ changed parts ──▶ their dependents are marked ──▶ the observed ones are computed
///                                                        └──────▶ the others stop watching
@MainActor protocol DependentPart: ObservedPart {
  /// Marks this part and its own dependents, and adds those that may have to be computed. Unless it
  /// is certain, the input is itself a dependent that may have changed.
  func inputHasChanged(isCertain: Bool, _ affected: inout [any DependentPart])
  /// Computes the value if it is observed, and adds this part to the commit if the value differs.
  func settle(in commit: Commit)
  /// Stops watching the inputs if one of them has changed, and nothing has needed the value since or can.
  func rest()
}

/// What tells a dependent part from the others of a state.
enum DependentKey: Hashable {
  /// A definition, which the part keeps, and the offset of the state that it is computed from.
  case value(ObjectIdentifier, at: Int)
  /// One property of each element of a collection.
  case elements(StatePath, AnyKeyPath)
}

extension Commit {
  /// Adds the observed parts that have changed because they are computed from changed ones.
  func addDependents(after batch: Batch? = nil) {
    var affected = batch?.dependents ?? []
    for part in changed {
      for dependent in part.dependents {
        dependent.inputHasChanged(isCertain: true, &affected)
      }
    }
    for dependent in affected { dependent.settle(in: self) }
    for dependent in affected { dependent.rest() }
  }
}
