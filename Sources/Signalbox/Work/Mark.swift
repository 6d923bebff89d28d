/// A property that a piece of work keeps true until the work is over (A13).
struct Mark {
  struct Target: Hashable {
    let home: ObjectIdentifier
    let path: AnyHashable
  }

  let target: Target
  /// Removes the mark; receives the event that reported the end of the work.
  let takeBack: @MainActor (_ event: Int?) -> Void
}
