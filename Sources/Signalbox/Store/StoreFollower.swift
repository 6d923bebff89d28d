/// Who follows a store more closely than by its events: the test store.
@MainActor package protocol StoreFollower: AnyObject {
  /// Starts a piece of work.
  ///
  /// - Parameters:
  ///   - name: what to call it in a sentence.
  ///   - start: starts it; to be called before this returns.
  /// - Returns: what to call when the work is over.
  func start(_ name: String, _ start: () -> Void) -> @MainActor () -> Void

  /// Somebody begins to wait for a piece of work.
  ///
  /// - Returns: what to call when the wait is over, before anybody has gone on.
  func willWait() -> @MainActor () -> Void

  /// Somebody begins to wait for what comes from outside, and may wait for ever.
  ///
  /// - Returns: what to call when something has come, before anybody has gone on.
  func willListen() -> @MainActor () -> Void

  /// A hook has lost its last sink: as things are, it cannot fire any more.
  func hookIsOver(_ name: String)
}

extension Store {
  /// Has the store followed from here on; to be called before its hooks are connected.
  package func follow(by follower: any StoreFollower) { engine.follow(by: follower) }

  /// Whether a hook has a sink that could receive something.
  package func canFire(_ hook: String) -> Bool { engine.canFire(hook) }

  /// Delivers to the hooks what was posted to their emitters and has not arrived.
  package func drainPosts() { engine.drainPosts() }
}
