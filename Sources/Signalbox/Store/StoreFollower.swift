/// Follows a store more closely than its events allow, as a test store does.
@MainActor package protocol StoreFollower: WorkFollower {
  // Called when work starts to wait for a value from outside, which may never come. The store calls
  // the returned closure when the value has come, before the work continues.
  func willListen() -> @MainActor () -> Void

  /// Called when an operator of a hook holds a value back; returns what to call at the end of that.
  func willHold(
    for interval: Duration, on clock: any Clock<Duration>, hook: String
  ) -> @MainActor () -> Void

  /// Called when a hook first awaits an async sequence; returns the executor of its sequences.
  func willIterate(_ hook: String) -> any FollowedWork

  /// Called when a hook has lost its last sink and therefore cannot fire.
  func hookIsOver(_ name: String)
}
