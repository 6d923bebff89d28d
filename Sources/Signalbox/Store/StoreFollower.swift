/// Observes the work of a store more closely than its events allow, for the test store.
@MainActor package protocol StoreFollower: AnyObject {
  /// Starts a piece of work.
  ///
  /// - Parameters:
  ///   - name: the name of the work in failure messages.
  ///   - start: starts the work. The method must call it before it returns.
  /// - Returns: a closure that the store calls when the work is over.
  func start(_ name: String, _ start: () -> Void) -> @MainActor () -> Void

  /// Called when a caller starts to wait for work.
  ///
  /// - Returns: a closure that the store calls when the wait is over, before the caller continues.
  func willWait() -> @MainActor () -> Void

  /// Called when work starts to wait for a value from outside, which may never come.
  ///
  /// - Returns: a closure that the store calls when the value has come, before the work continues.
  func willListen() -> @MainActor () -> Void

  /// Called when a hook has lost its last sink and can therefore not fire.
  func hookIsOver(_ name: String)
}

extension Store {
  /// Sets the follower of the store, which must be done before the hooks are connected.
  package func follow(by follower: any StoreFollower) { engine.follow(by: follower) }

  /// Whether a hook has a sink that can receive a value.
  package func canFire(_ hook: String) -> Bool { engine.canFire(hook) }

  /// Delivers the values that were posted to the hooks and have not arrived.
  package func drainPosts() { engine.drainPosts() }
}
