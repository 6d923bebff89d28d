/// A property that a piece of work keeps true until the work is over (A13).
struct Mark {
  let keyPath: AnyKeyPath
  /// Removes the mark.
  ///
  /// - Parameter event: the event that reported the cancel, if the work was cancelled.
  let takeBack: @MainActor (_ event: Int?) -> Void
}
