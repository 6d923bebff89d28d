/// A state in the tree of states: the access to it, its observed parts, and its place in the tree.
///
///     StateStorage ──▶ bytes of the state          Transaction ──▶ batch, commits in flight
///      │ is a                                         ▲   one for an outermost state and all in it
///     StateNode ──▶ access, parts ────────────────────┘
///      └──▶ StateNesting ──▶ home, outer, sites       the states around and within
///
/// It finds the observers that a change concerns:
///
///     change ──▶ no observer ────────────────────────────────▶ the change itself, nothing else
///           └──▶ remember what must be compared ──▶ the change ──▶ conclude
///                                                                     │
///             in a batch: note the write, conclude at its end ◀───────┤
///             which parts has it changed? ──▶ deliver, or queue ◀─────┘
///
/// No state is copied as a whole for a comparison. Each observed part keeps at most its own
/// previous value (M2, S10). User code that compares, hashes or computes values may only read.
/// Until the bookkeeping of a change is done, the transaction keeps all values that it removes.
@MainActor @safe @usableFromInline class StateNode {
  /// What an access checks first: the flags of the state, or only `away`.
  @safe @exclusivity(unchecked) @usableFromInline
  final var access: UnsafeMutablePointer<AccessState>
  /// The flags and the holder of the state as a whole.
  @safe @exclusivity(unchecked) @usableFromInline
  final var shared: UnsafeMutablePointer<AccessState>

  /// Zero when a change concerns no observer and no other access is in progress.
  @usableFromInline final var flags: UInt8 {
    @inline(__always) get { shared.pointee.flags }
    @inline(__always) set { shared.pointee.flags = newValue }
  }
  /// The state is being changed in place.
  @usableFromInline static var held: UInt8 { 1 }
  /// There are observers, or changes are recorded.
  static var watched: UInt8 { 2 }
  /// A change has to do more than notify the watchers of one part.
  private static var special: UInt8 { 4 }
  /// A comparison or a getter is running, which must not write.
  @usableFromInline static var readOnly: UInt8 { 8 }
  /// Bodies are waiting for the end of the change in place.
  @usableFromInline static var postponed: UInt8 { 16 }
  /// Changes are pending, so the truth is kept apart from the state (O3).
  static var overlaid: UInt8 { 32 }
  /// The state has no fixed address, and is reached through a `StatePlace`.
  @usableFromInline static var away: UInt8 { 64 }
  /// Each access is passed on to the storage of the scope that the writer acts for.
  static var forwarding: UInt8 { 128 }

  // Not zero while a log may have to be notified of the store. A write reads it and calls nothing.
  @usableFromInline final let listening: UnsafePointer<UInt8>

  final let address: UnsafeRawPointer
  @safe @exclusivity(unchecked) final var parts = PartIndex()
  private(set) final var isClosed = false
  final var transaction: Transaction { kept }
  @safe @exclusivity(unchecked) private final var kept: Transaction {
    didSet { unretained = unsafe Unmanaged.passUnretained(kept) }
  }
  /// The same, for `withTransaction`.
  @safe @exclusivity(unchecked) private final var unretained: Unmanaged<Transaction>
  /// The outermost state, while a change in place of this state is in progress or compared.
  // Kept, because the change may cut this state off from it.
  @safe @exclusivity(unchecked) final var comparedIn: StateNode?
  /// Where this state begins in the state of its home.
  @safe @exclusivity(unchecked) final var offset = 0
  @safe @exclusivity(unchecked) final var nesting: StateNesting?
  /// How often each property is marked (A13).
  final var marks: [StatePath: Int] = [:]
  /// The parts that are computed from others, observed or not.
  final var dependents: [DependentKey: any DependentPart] = [:]

  // The flags at `access` live as long as the node. An outermost state makes its transaction.
  init(
    address: UnsafeRawPointer, listening: UnsafePointer<UInt8>,
    access: UnsafeMutablePointer<AccessState>, transaction: Transaction? = nil
  ) {
    unsafe self.address = address
    unsafe self.listening = listening
    unsafe self.access = access
    unsafe shared = access
    let own = transaction ?? Transaction()
    kept = own
    unretained = unsafe Unmanaged.passUnretained(own)
    if transaction == nil { own.root = self }
  }

  /// Does not count a reference, which would cost a change in place more than its checks.
  // Safe, because `kept` has the transaction, unless the body cuts the state off.
  @inline(__always) final func withTransaction<R>(_ body: (Transaction) -> R) -> R {
    unsafe unretained._withUnsafeGuaranteedRef(body)
  }

  final var root: StateNode { transaction.root }

  final var isRoot: Bool { root === self }

  final func becomeRoot() {
    kept = Transaction()
    kept.root = self
    offset = 0
  }

  /// Whether a write only has to change the state.
  @inlinable @inline(__always) final var isQuiet: Bool {
    unsafe access.pointee.flags == 0 && listening.pointee == 0
  }

  @inlinable @inline(__always) final var isAway: Bool { access.pointee.flags & Self.away != 0 }

  final var isForwarding: Bool { access.pointee.flags & Self.forwarding != 0 }

  /// Whether every change is reported, with the state before and after.
  @safe @exclusivity(unchecked) final var isRecording = false {
    didSet {
      if isRecording == oldValue { return }
      dropRecord()
      if !isRoot {
        transaction.recorders.removeAll { $0 === self }
        if isRecording { transaction.recorders.append(self) }
      }
      root.updateFlags()
    }
  }

  // `StateStorage`, which knows the type of the state, overrides the following members.
  /// Whether the state is there, which one without a fixed address may not be.
  var isPresent: Bool { true }
  /// Whether the state is there, or a pending change shows it.
  var isReadable: Bool { true }
  var wholePath: StatePath { fatalError("A subclass of StateNode must override wholePath.") }
  /// Begins a change in place of a state without a fixed address, which has one until `unpin`.
  func pin(_ range: ByteRange, by writer: any Writer) {}
  func unpin(_ path: StatePath, isUnchanged: Bool, by writer: any Writer) {}
  /// Keeps the value of a state that may go.
  func keepLast() {}
  /// Keeps the value of a state that has changed its own identity, and so is not present any more.
  func keepChanged() {}
  /// Drops the last value of a state that is present after all.
  func forgetLast() {}
  func keepForRecord() {}
  func dropRecord() {}
  /// Whether the current change must be recorded, for which the states may be compared.
  func wantsRecord(_ isChange: Bool) -> Bool { false }
  /// Reports the current change in an event, whose `number` is set once there is one.
  func record(
    by writer: any Writer, in context: Propagation.Context, as number: inout Int?
  ) -> Propagation.Cause? { nil }
  var isObject: Bool { false }
  func makeOptimisticChanges() -> OptimisticChanges { OptimisticChanges(self) }
  var anyDelegate: (any StateStorageDelegate)? { nil }
  func loopWasStopped(_ chain: [String], in context: Propagation.Context) {}
  /// Connects a log that was switched on, which may run user code.
  func connectNewListeners() {}

  final func updateFlags() {
    guard isRoot else { return }
    let records = transaction.records
    let hasSites = sites.contains { $0.isActive }
    flags &= Self.held | Self.readOnly | Self.postponed | Self.away
    // A derived value that was read in a batch knows only the writes that are noted.
    let notes = transaction.batch?.isEmpty == false
    if !parts.isEmpty || records || hasSites || notes { flags |= Self.watched }
    let isSpecial = parts.hasComputed || records || hasSites || transaction.batch != nil
    if flags & Self.watched != 0, isSpecial { flags |= Self.special }
    if transaction.optimistic != nil { flags |= Self.overlaid | Self.watched }
  }

  // MARK: - The end

  /// Finishes all signals after the deliveries queued before, while the state stays readable.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    isRecording = false
    if isRoot { transaction.optimistic?.storeHasEnded() }
    Propagation.send {
      let old = self.parts.all + self.dependents.values.map { $0 }
      self.access.pointee.forgetRecent()
      (self.parts, self.dependents) = (PartIndex(), [:])
      let watchers = old.flatMap { $0.receivers.removeAll() }
      for part in old { part.close() }
      self.updateFlags()
      for watcher in watchers.sorted(by: { $0.order < $1.order }) { watcher.receiveFinish() }
      withExtendedLifetime(old) {}
      self.transaction.releaseDiscarded()
    }
  }
}
