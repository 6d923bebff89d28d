/// Registers the observers of a state, and finds the ones that a change concerns.
///
///     change ──▶ no observer ────────────────────────────────▶ the change itself, nothing else
///           └──▶ remember what must be compared ──▶ the change ──▶ conclude
///                                                                     │
///             in a batch: note the write, conclude at its end ◀───────┤
///             which parts has it changed? ──▶ deliver, or queue ◀─────┘
///
/// The state is changed in place. It is never copied as a whole for a comparison. Each observed
/// part keeps at most its own previous value (M2, S10).
///
/// User code runs when a value is compared, computed, delivered or released, and may call back into
/// this object. While values are compared or computed, the state can be read but not written. No
/// value is released before the bookkeeping of a change is done. Until then, it is in `discarded`.
@MainActor @safe @usableFromInline class ObserverRegistry {
  /// What an access checks first: the flags of the state, or only `away`.
  ///
  /// Storages of one memory share it, so a part of a state is checked like the state itself.
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
  /// The state has no fixed address, and is reached through a `StatePlace`.
  @usableFromInline static var away: UInt8 { 64 }
  /// Each access is passed on to the storage of the scope that the writer acts for.
  static var forwarding: UInt8 { 128 }

  /// A byte that is not zero while a log may have to be notified of the store.
  ///
  /// A write reads the byte at its address and calls nothing.
  @usableFromInline final let listening: UnsafePointer<UInt8>

  /// The address of the state.
  final let base: UnsafeRawPointer
  @safe @exclusivity(unchecked) final var parts = PartIndex()
  private(set) final var isClosed = false
  /// The commit that is being delivered, or zero.
  @safe @exclusivity(unchecked) final var delivering = 0
  /// The number of commits so far.
  @safe @exclusivity(unchecked) final var commits = 0
  /// The number of commits whose delivery has not ended.
  @safe @exclusivity(unchecked) final var inFlight = 0
  /// The commits in flight, except for those by `tell(only:)` that have kept no value.
  @safe @exclusivity(unchecked) final var pending: [Int: Commit] = [:]
  /// The commits in flight whose watchers may read parts that the commit has not changed (S7).
  ///
  /// A slice, because it is also searched backwards, and numbers keep nothing alive.
  @safe @exclusivity(unchecked) final var composite: ArraySlice<Int> = []
  /// The place in the order of subscriptions that the commit being delivered has reached.
  @safe @exclusivity(unchecked) final var reached: UInt64 = 0
  final var batch: Batch? { didSet { updateFlags() } }
  /// Values that are no longer needed and are released when the bookkeeping is done.
  // Used only on the main actor, and by the deinit of a storage, which passes them there.
  @safe @exclusivity(unchecked) nonisolated(unsafe) final var discarded: [Any] = []
  final var isReleasing = false
  /// Whether a change is in progress that is compared after its exclusive access has ended.
  ///
  /// The comparison uses values from before the change, or the address of a state that has no fixed
  /// one.
  @safe @exclusivity(unchecked) final var isComparing = false
  /// The outermost registry, while a change in place of this state is in progress or compared.
  ///
  /// It is kept because the change may cut this state off from it.
  @safe @exclusivity(unchecked) final var comparedIn: ObserverRegistry?
  /// Bodies that run at the end of a change in place.
  final var postponed: [@MainActor () -> Void] = []

  /// The registry of the outermost state, which is this one unless `nesting` keeps another one.
  ///
  /// Never `nil` after the initializer. A strong reference to itself would be a cycle.
  @safe @exclusivity(unchecked) private final unowned(unsafe) var outermostOrSelf: ObserverRegistry?
  /// Where this state begins in the state of its home.
  @safe @exclusivity(unchecked) final var offset = 0
  /// The states around and within this one; `nil` if there are none.
  @safe @exclusivity(unchecked) final var nesting: StateNesting?

  /// Makes a registry.
  ///
  /// - Parameters:
  ///   - base: the address of the state.
  ///   - listening: a byte that is not zero while a log may have to be notified.
  ///   - access: the flags of the state, which live as long as the registry.
  init(
    base: UnsafeRawPointer, listening: UnsafePointer<UInt8>,
    access: UnsafeMutablePointer<AccessState>
  ) {
    unsafe self.base = base
    unsafe self.listening = listening
    unsafe self.access = access
    unsafe shared = access
    outermostOrSelf = self
  }

  /// The registry of the outermost state, which makes all commits.
  final var root: ObserverRegistry {
    // Set by the initializer, and by `nestingHasChanged` to what `nesting` keeps.
    @inline(__always) get { unsafe outermostOrSelf.unsafelyUnwrapped }
  }

  /// Takes over where this state lies, after `nesting` has changed.
  final func nestingHasChanged() {
    outermostOrSelf = nesting?.outermost ?? self
    offset = nesting?.prefix?.offset ?? 0
  }

  /// Whether a write only has to change the state.
  @inlinable @inline(__always) final var isQuiet: Bool {
    unsafe access.pointee.flags == 0 && listening.pointee == 0
  }

  /// Whether the state has no fixed address.
  @inlinable @inline(__always) final var isAway: Bool { access.pointee.flags & Self.away != 0 }

  /// Whether each access is passed on to another storage.
  final var isForwarding: Bool { access.pointee.flags & Self.forwarding != 0 }

  /// Whether every change is reported, with the state before and after.
  @safe @exclusivity(unchecked) final var isRecording = false {
    didSet {
      if isRecording == oldValue { return }
      dropRecord()
      if let outermost {
        outermost.remove(self)
        if isRecording { outermost.add(self) }
      }
      root.updateFlags()
    }
  }

  // `StateStorage`, which knows the type of the state, overrides the following members.
  /// Whether the state is there, which one without a fixed address may not be.
  var isPresent: Bool { true }
  /// The path to the state as a whole.
  var wholePath: StatePath { fatalError("A subclass of ObserverRegistry must override wholePath.") }
  /// Begins a change in place of a state without a fixed address, which has one until `unpin`.
  func pin(_ range: ByteRange, by writer: any Writer) {}
  /// Ends that change.
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
  /// Reports the current change.
  ///
  /// - Parameter number: the number of the event, once there is one.
  func record(
    by writer: any Writer, in context: Propagation.Context, as number: inout Int?
  ) -> Propagation.Cause? { nil }
  func loopWasStopped(_ chain: [String], in context: Propagation.Context) {}
  /// Connects a log that was switched on, which may run user code.
  func connectNewListeners() {}

  final func updateFlags() {
    guard root === self else { return }
    let hasSites = sites.contains { $0.isActive }
    flags &= Self.held | Self.readOnly | Self.postponed | Self.away
    if !parts.isEmpty || records || hasSites { flags |= Self.watched }
    if flags & Self.watched != 0, parts.hasComputed || records || hasSites || batch != nil {
      flags |= Self.special
    }
  }

  // MARK: - Changing

  /// Prepares a change in place, unless the registry is quiet.
  ///
  /// - Returns: whether the caller must call `tellOnly` or `didChange`.
  @usableFromInline final func beginInPlace(_ range: ByteRange, by writer: any Writer) -> Bool {
    if unsafe access.pointee.flags == Self.watched && listening.pointee == 0, root.inFlight == 0,
      access.pointee.isRecent(range, movedBy: offset)
    {
      return true
    }
    return begin(range, by: writer)
  }

  // A function of its own, so that the common case saves no registers.
  @inline(never) private final func begin(_ range: ByteRange, by writer: any Writer) -> Bool {
    // Elsewhere, this comes before the writer is asked for its storage. Here, that order would make
    // each change in place a quarter slower.
    connectListeners()
    if isAway {
      pin(range, by: writer)
      return true
    }
    checkAct()
    guard flags & Self.watched != 0 else { return false }
    home.willChange(local(range), isCertain: range.hasRange)
    beginComparison()
    return true
  }

  /// Prepares a change.
  ///
  /// - Parameters:
  ///   - range: the bytes that may change. Without a range, anything may change.
  ///   - isCertain: whether a value with this range counts as changed without a comparison.
  final func willChange(_ range: ByteRange, isCertain: Bool) {
    if root.records { for recorder in root.recorded { recorder.keepForRecord() } }
    var inner = self
    while let outer = inner.outer {
      if root.batch != nil { outer.site?.willChange(inner) }
      inner = outer.registry
      let range = outer.path.range
      inner.prepare(range, isCertain: range.hasRange, except: outer.site)
    }
    prepare(range, isCertain: isCertain, except: nil)
  }

  final func remember(_ range: ByteRange, isCertain: Bool) {
    guard range.hasRange else {
      access.pointee.forgetRecent()
      for part in parts.ranged { part.remember() }
      return
    }
    let within = parts.indices(within: range)
    let ranged = parts.ranged
    if within.count == 1, !ranged[within.lowerBound].mayBePart(of: range) {
      // If this write comes in the middle of a wider change, that one does not compare the part again.
      if root.batch == nil { ranged[within.lowerBound].forget() }
      access.pointee.noteRecent(range, ranged[within.lowerBound])
    } else if !within.isEmpty {
      // What is remembered must be forgotten with the next write of a part.
      access.pointee.forgetRecent()
    }
    for part in ranged[within] where !isCertain || part.mayBePart(of: range) { part.remember() }
  }

  /// Delivers a change in place that concerns a single part while no other delivery is in progress.
  ///
  /// This is the common case. It follows a `beginInPlace` and does only what is necessary.
  ///
  /// - Returns: whether this was the case. If not, the caller must call `didChange`.
  @usableFromInline final func tellOnly(_ range: ByteRange) -> Bool {
    guard access.pointee.flags == Self.watched, !Propagation.isDelivering,
      access.pointee.isRecent(range, movedBy: offset), let part = access.pointee.recentPart,
      part.isAlone
    else { return false }
    // Nothing waits for it, as the flags say.
    if comparedIn != nil { endComparison() }
    part.tellAlone()
    return true
  }

  /// Notes a change in place that followed a `beginInPlace`.
  @usableFromInline final func didChange(_ path: StatePath, by writer: any Writer) {
    if isAway { return unpin(path, isUnchanged: false, by: writer) }
    let root = endComparison()
    defer { root?.runPostponedIfReleased() }
    didChange(Write(path, path.hasRange ? .counts : .open), by: writer)
  }

  /// Notes a change in place that left an equal value, except for what `==` ignores (S6).
  @usableFromInline final func didNotChange(_ path: StatePath, by writer: any Writer) {
    if isAway { return unpin(path, isUnchanged: true, by: writer) }
    let root = endComparison()
    defer { root?.runPostponedIfReleased() }
    didChange(Write(path, path.hasRange ? .parts : .open), by: writer)
  }

  /// Notes any other change.
  final func didChange(_ write: Write, by writer: any Writer) {
    let root = root
    write.move(to: home, by: prefix)
    if let batch = root.batch {
      // User code hashes and compares the indices of key paths, and must not write.
      reading { batch.note(write) }
    } else {
      home.conclude(write, by: writer)
      root.releaseDiscarded()
    }
  }

  // MARK: - The end

  /// Finishes all signals of the state, after the deliveries that were queued before.
  ///
  /// The state stays readable.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    isRecording = false
    Propagation.send {
      let old = self.parts
      self.access.pointee.forgetRecent()
      self.parts = PartIndex()
      let watchers = old.all.flatMap { $0.receivers.removeAll() }
      for part in old.all { part.forget() }
      self.updateFlags()
      for watcher in watchers.sorted(by: { $0.order < $1.order }) { watcher.receiveFinish() }
      withExtendedLifetime(old) {}
      self.releaseDiscarded()
    }
  }
}
