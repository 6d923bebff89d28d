/// Exclusive access to the state, and what user code may do meanwhile.
extension StateNode {
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

  /// Notes that a change in place of this state begins, which `endComparison` ends.
  func beginComparison() {
    comparedIn = root
    transaction.isComparing = true
  }

  /// Returns the outermost state, in whose transaction something may wait for the end.
  @discardableResult func endComparison() -> StateNode? {
    guard let root = comparedIn.take() else { return nil }
    root.transaction.isComparing = false
    return root
  }

  func isHeld(by writer: AnyObject) -> Bool {
    unsafe flags & Self.held != 0 && shared.pointee.holder === writer
  }

  @usableFromInline func runPostponed() { transaction.runPostponed() }

  /// Connects a log that was switched on.
  // This comes before a change, and before the writer is asked for its storage, because the code
  // that prints the log may cancel the writer.
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
      `update`, in the closure of a pending change, in an argument of a mutating call on one of \
      its properties, in the getter or setter of a property that is being set, or in the `deinit` \
      of an object that such a change has released. Read what you need before the change, use \
      `batch` instead of `update`, or keep the released object in a local constant until the change \
      is done.
      """)
  }

  private func trapAct() -> Never {
    if flags & Self.held != 0 { trapHeld() }
    trapReading()
  }

  private func trapReading() -> Never {
    fatalError(
      """
      The store was used while its state was being compared or computed, in `==`, in `hash(into:)`, \
      in the getter of a property of the state or in the closure of a derived value or a pending \
      change. They must not write, dispatch, cancel, subscribe, begin a child or release the \
      store. Do that in an action or a hook instead.
      """)
  }

  @inline(__always) func discard<Value>(_ value: Value) { transaction.discard(value) }
}
