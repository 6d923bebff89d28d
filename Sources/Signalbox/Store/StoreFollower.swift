/// Follows a store more closely than its events allow, as a test store does.
@MainActor package protocol StoreFollower: WorkFollower {
  /// Called when work starts to wait for a value from outside, which may never come.
  ///
  /// - Returns: a closure that the store calls when the value has come, before the work continues.
  func willListen() -> @MainActor () -> Void

  /// Called when an operator of a hook starts to hold a value back.
  ///
  /// - Returns: a closure that is called when the operator no longer holds a value.
  func willHold(
    for interval: Duration, on clock: any Clock<Duration>, hook: String
  ) -> @MainActor () -> Void

  /// Called when a hook waits for an element of an async sequence for the first time.
  ///
  /// - Returns: the executor of its sequences, which is told when the hook is over.
  func willIterate(_ hook: String) -> any FollowedWork

  /// Called when a hook has lost its last sink and therefore cannot fire.
  func hookIsOver(_ name: String)
}
