/// Follows work more closely than the events of its store allow, as a test store does.
@MainActor package protocol WorkFollower: AnyObject {
  /// Starts a piece of work.
  ///
  /// - Parameters:
  ///   - name: the name of the work in failure messages.
  ///   - start: starts the work. The method must call it before it returns.
  /// - Returns: a closure that is called when the work is over.
  func start(_ name: String, _ start: () -> Void) -> @MainActor () -> Void

  /// Called when a caller starts to wait for work.
  ///
  /// - Returns: a closure that is called when the wait is over, before the caller continues.
  func willWait() -> @MainActor () -> Void
}
