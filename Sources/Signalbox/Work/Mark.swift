/// A property that a piece of work keeps true until the work is over (A13).
struct Mark {
  struct Target: Hashable {
    let home: ObjectIdentifier
    let path: StatePath
  }

  let target: Target
  /// Removes the mark; receives the event that reported the cancel, if the work was cancelled.
  let takeBack: @MainActor (_ event: Int?) -> Void
}
