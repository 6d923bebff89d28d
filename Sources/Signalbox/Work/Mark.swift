/// Something that a piece of work keeps up until it is over (A13).
struct Mark {
  let keyPath: AnyKeyPath
  /// Takes the mark back.
  ///
  /// - Parameter event: the one that told of the cancel.
  let takeBack: @MainActor (_ event: Int?) -> Void
}
