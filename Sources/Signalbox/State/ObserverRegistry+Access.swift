/// Exclusive access to the state, and the release of values that were removed from it.
extension ObserverRegistry {
  /// Begins a change in place, with exclusive access for the holder until `release`.
  @inlinable @inline(__always) func hold(_ holder: AnyObject) {
    let shared = shared
    unsafe shared.pointee.flags |= Self.held
    unsafe shared.pointee.holder = holder
  }

  @inlinable @inline(__always) func release() {
    let shared = shared
    let flags = unsafe shared.pointee.flags & ~Self.held
    unsafe shared.pointee.flags = flags
    if flags & Self.postponed != 0 { runPostponed() }
  }

  /// Runs a body when no change in place is in progress, now or at the end of the current one.
  ///
  /// The body may read the whole state, parts of which may be elsewhere during such a change.
  func whenReleased(_ body: @escaping @MainActor () -> Void) {
    guard flags & Self.held != 0 else { return body() }
    flags |= Self.postponed
    root.postponed.append(body)
  }

  /// Runs a body when neither a change in place nor a batch is in progress.
  func whenWhole(_ body: @escaping @MainActor () -> Void) {
    whenReleased {
      let root = self.root
      if let batch = root.batch {
        batch.endings.append(body)
      } else if root.isComparing {
        // The body may write, and so move the state that is still being compared.
        root.flags |= Self.postponed
        root.postponed.append { self.whenWhole(body) }
      } else {
        body()
      }
    }
  }

  /// Notes that a change in place of this state begins, which `endComparison` ends.
  func beginComparison() {
    comparedIn = root
    root.isComparing = true
  }

  /// Notes that nothing of a change in place is left to compare.
  ///
  /// - Returns: the registry in which something may wait for that.
  @discardableResult func endComparison() -> ObserverRegistry? {
    guard let root = comparedIn.take() else { return nil }
    root.isComparing = false
    return root
  }

  /// Runs what waits for the end of a change that was still being compared.
  func runPostponedIfReleased() {
    if flags & (Self.postponed | Self.held) == Self.postponed { runPostponed() }
  }

  /// Whether a change in place is in progress on behalf of a writer.
  func isHeld(by writer: AnyObject) -> Bool {
    unsafe flags & Self.held != 0 && shared.pointee.holder === writer
  }

  @usableFromInline func runPostponed() {
    flags &= ~Self.postponed
    let bodies = root.postponed
    root.postponed = []
    for body in bodies { body() }
  }

  /// Connects a log that was switched on.
  ///
  /// This comes before a change, and before the writer is asked for its storage, because the code
  /// that prints the log may cancel the writer.
  @inline(__always) func connectListeners() {
    if unsafe listening.pointee != 0 { connectNewListeners() }
  }

  /// Runs user code that may only read: a comparison, a hash or a getter.
  @inlinable @inline(__always) func reading<Result>(_ body: () -> Result) -> Result {
    let outer = flags & Self.readOnly
    flags |= Self.readOnly
    defer { flags = flags & ~Self.readOnly | outer }
    return body()
  }

  /// Traps if a read is not possible now.
  @inlinable @inline(__always) func checkRead() {
    if flags & Self.held != 0 { trapHeld() }
  }

  /// Traps if anything but a read is not possible now.
  @inline(__always) func checkAct() {
    if flags & (Self.held | Self.readOnly) != 0 { trapAct() }
  }

  /// Traps in user code that may only read.
  @inline(__always) func checkIsNotReading() {
    if flags & Self.readOnly != 0 { trapReading() }
  }

  @usableFromInline func trapHeld() -> Never {
    // Not `preconditionFailure`, which prints no message in a release build.
    fatalError(
      """
      The store was accessed while its state was being changed in place: inside the body of \
      `update`, in an argument of a mutating call on one of its properties, in the getter or \
      setter of a property that is being set, or in the `deinit` of an object that such a change \
      has released. Read what you need before the change, use `batch` instead of `update`, or keep \
      the released object in a local constant until the change is done.
      """)
  }

  private func trapAct() -> Never {
    if flags & Self.held != 0 { trapHeld() }
    trapReading()
  }

  private func trapReading() -> Never {
    fatalError(
      """
      The store was used while its state was being compared or computed, in `==`, in `hash(into:)` \
      or in the getter of a property of the state. They must only read, and not write, dispatch, \
      cancel, subscribe or release the store. Do that in an action or a hook instead.
      """)
  }

  /// Releases a value when the bookkeeping of the current change is done.
  func discard<Value>(_ value: Value) {
    if !isTrivial(Value.self) { root.discarded.append(value) }
  }

  /// Whether no change, comparison or batch is in progress.
  private var canRelease: Bool { flags & (Self.held | Self.readOnly) == 0 && batch == nil }

  /// Releases the discarded values, as the last step of a change.
  ///
  /// This runs user code, so no change may be incomplete.
  @inline(__always) func releaseDiscarded() {
    if !root.discarded.isEmpty { root.releaseAll() }
  }

  @inline(never) private func releaseAll() {
    // A `deinit` may discard more values. The loop that is running releases them, too.
    guard !isReleasing, canRelease else { return }
    isReleasing = true
    while !discarded.isEmpty {
      let values = discarded
      discarded = []
      withExtendedLifetime(values) {}
    }
    isReleasing = false
  }
}
