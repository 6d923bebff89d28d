/// The changes of an outermost state and of all states in it, from the write to the delivery.
///
///     write ──▶ batch ──▶ commit ──▶ in flight ──▶ delivered ──▶ discarded values are released
///          └────────────────▲
// One object, because a change of any of these states is a commit of the outermost one (C1).
@MainActor @safe final class Transaction {
  /// The outermost state, set when it is made; a strong reference would be a cycle.
  @safe @exclusivity(unchecked) private unowned(unsafe) var node: StateNode?
  var batch: Batch? { didSet { root.updateFlags() } }
  /// `nil` if no change is pending.
  var optimistic: OptimisticChanges? { didSet { root.updateFlags() } }
  @safe @exclusivity(unchecked) var commits = 0
  /// The number of commits whose delivery has not ended.
  @safe @exclusivity(unchecked) var inFlight = 0
  /// The commits in flight, except for those by `tell(only:)` that have kept no value.
  @safe @exclusivity(unchecked) var pending: [Int: Commit] = [:]
  /// The commits in flight whose watchers may read parts that the commit has not changed (S7).
  // A slice, because it is also searched backwards, and numbers keep nothing alive.
  @safe @exclusivity(unchecked) var composite: ArraySlice<Int> = []
  /// The commit that is being delivered, or zero.
  @safe @exclusivity(unchecked) var delivering = 0
  /// The place in the order of subscriptions that the commit being delivered has reached.
  @safe @exclusivity(unchecked) var reached: UInt64 = 0
  /// Whether a change is in progress that is compared after its exclusive access has ended, with
  /// values from before it, or at the address of a state that has no fixed one.
  @safe @exclusivity(unchecked) var isComparing = false
  /// Whether a part that is computed from others was ever made, in any of the states.
  var hasDependents = false
  /// The states within the outermost one that record their changes.
  var recorders: [StateNode] = []
  private var postponed: [@MainActor () -> Void] = []
  /// Values that are no longer needed and are released when the bookkeeping is done.
  // Used only on the main actor, and by the deinit, which passes them there.
  @safe @exclusivity(unchecked) nonisolated(unsafe) private var discarded: [Any] = []
  private var isReleasing = false

  deinit {
    if discarded.isEmpty { return }
    nonisolated(unsafe) var values = discarded
    discarded = []
    // Emptied, because what releases this closure may be another thread.
    MainQueue.run { unsafe values.removeAll() }
  }

  var root: StateNode {
    @inline(__always) get { unsafe node.unsafelyUnwrapped }
    set { node = newValue }
  }

  var records: Bool { root.isRecording || !recorders.isEmpty }

  var recorded: [StateNode] { root.isRecording ? [root] + recorders : recorders }

  func nextCommit() -> Commit {
    commits += 1
    return Commit(commits, limit: Propagation.currentOrder)
  }

  func batch<R>(by writer: any Writer, _ body: () throws -> R) rethrows -> R {
    // Kept, because the body may release it.
    let root = root
    root.checkAct()
    let isOutermost = batch == nil
    if isOutermost { batch = Batch(writer: writer) }
    defer {
      if isOutermost, let finished = batch.take() {
        conclude(finished)
        for ending in finished.endings { ending() }
        releaseDiscarded()
      }
      withExtendedLifetime(root) {}
    }
    return try body()
  }

  // MARK: - What waits for the end of a change

  /// Runs a body when no change in place is in progress, now or at the end of the current one.
  // Until then, parts of the state may be elsewhere.
  func whenReleased(_ body: @escaping @MainActor () -> Void) {
    if root.flags & StateNode.held != 0 { postpone(body) } else { body() }
  }

  // Runs a body at the end of the change in place. If it may read the state, that is shown first.
  func postpone(mayRead: Bool = true, _ body: @escaping @MainActor () -> Void) {
    root.flags |= StateNode.postponed
    if mayRead, let optimistic { postponed.append { optimistic.show() } }
    postponed.append(body)
  }

  /// Runs a body when neither a change in place nor a batch is in progress.
  func whenWhole(_ body: @escaping @MainActor () -> Void) {
    whenReleased {
      if let batch = self.batch {
        batch.endings.append(body)
      } else if self.isComparing {
        // The body may write, and so move the state that is still being compared.
        self.postpone { self.whenWhole(body) }
      } else {
        body()
      }
    }
  }

  func runPostponed() {
    root.flags &= ~StateNode.postponed
    let bodies = postponed
    postponed = []
    for body in bodies { body() }
  }

  /// Runs what waits for the end of a change that was still being compared.
  func runPostponedIfReleased() {
    let flags = root.flags
    if flags & (StateNode.postponed | StateNode.held) == StateNode.postponed { runPostponed() }
  }

  // MARK: - Values that were removed from the state

  /// Releases a value when the bookkeeping of the current change is done.
  func discard<Value>(_ value: Value) {
    if !isTrivial(Value.self) { discarded.append(value) }
  }

  /// Releases the discarded values, as the last step of a change, because that runs user code.
  @inline(__always) func releaseDiscarded() {
    if !discarded.isEmpty { releaseAll() }
  }

  private var canRelease: Bool {
    root.flags & (StateNode.held | StateNode.readOnly) == 0 && batch == nil
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
