/// The state of a store, in its own memory at an address that does not change.
// Observed parts are read at their addresses. Every access goes through one check, of `flags`,
// which traps with a message instead of the runtime's "simultaneous accesses". If the runtime
// checked as well, `store.count += 1` would cost twice as much.
@MainActor @safe @usableFromInline final class StateStorage<State>: StateNode {
  /// The address of the state, unless it is away.
  // Used only on the main actor, to which the deinit passes the address.
  @exclusivity(unchecked) @usableFromInline
  nonisolated(unsafe) var memory: UnsafeMutablePointer<State>
  // Used only on the main actor, and by the deinit.
  nonisolated(unsafe) final var ownership: MemoryOwnership
  @safe @exclusivity(unchecked) final var placement: Placement<State>?
  // Held until `close`. A weak reference would make every retain of the object ten times slower.
  var delegate: (any StateStorageDelegate<State>)?
  /// The state before the current change, while changes are recorded.
  // Used only on the main actor, and by the deinit, which passes it there.
  @safe nonisolated(unsafe) private var stateBefore: State?
  final var cells: [StatePath: ObservationCell] = [:]
  private(set) lazy var equality = Equality<State>.found()
  /// The key path `\.self`, kept because generic code builds a key path literal anew each time.
  private(set) lazy var identity: KeyPath<State, State> = \.self
  var whole: StatePath { StatePath(whole: identity) }

  init(_ state: State, listening: UnsafePointer<UInt8>) {
    let block = unsafe StateBlock.allocate(for: state)
    unsafe memory = block.state
    unsafe ownership = .block
    unsafe super.init(
      address: UnsafeRawPointer(memory), listening: listening, access: block.access)
  }

  /// Makes the storage of a stored property of another state.
  init<Owner>(
    within owner: StateStorage<Owner>, at keyPath: KeyPath<Owner, State>, offset: Int
  ) {
    unsafe memory = UnsafeMutableRawPointer(owner.memory).advanced(by: offset)
      .assumingMemoryBound(to: State.self)
    unsafe ownership = .others
    unsafe super.init(
      address: UnsafeRawPointer(memory), listening: owner.listening, access: owner.access,
      transaction: owner.transaction)
    placement = Placement(owner: owner)
    let path = StatePath(keyPath).moved(by: owner.prefix)
    join(owner, at: PathPrefix(path, at: offset + owner.offset))
    if owner.isAway {
      placement?.place = PropertyPlace(keyPath, of: owner)
      setAway()
    }
  }

  /// Makes the storage of a state without a fixed address.
  init<Owner>(
    at place: StatePlace<State>, within owner: StateStorage<Owner>, path: StatePath, site: Site?
  ) {
    // Never accessed, because `access` says that the state is away.
    unsafe memory = UnsafeMutableRawPointer(owner.memory).assumingMemoryBound(to: State.self)
    unsafe ownership = .others
    unsafe super.init(
      address: UnsafeRawPointer(memory), listening: owner.listening, access: owner.access,
      transaction: owner.transaction)
    placement = Placement(owner: owner, place: place)
    join(owner, at: path, site)
  }

  /// Makes a storage without a state, which passes each access on to the current writer's storage.
  init(
    forwardingFrom owner: StateStorage<State>, to writer: @escaping @MainActor () -> any Writer
  ) {
    // Accessed only during a change in place, because `access` says that each access is passed on.
    unsafe memory = owner.memory
    unsafe ownership = .others
    unsafe super.init(
      address: UnsafeRawPointer(memory), listening: owner.listening, access: owner.access)
    placement = Placement(owner: owner)
    placement?.writer = writer
    setForwarding()
  }

  deinit {
    let ownership = unsafe ownership
    let placement = placement
    // Only this object uses the memory and these values, and all are released on the main actor. An
    // isolated deinit would abort on Apple platforms if a task-local value is bound outside of a task.
    nonisolated(unsafe) let memory = unsafe memory
    nonisolated(unsafe) var values = stateBefore.map { [$0] } ?? []
    stateBefore = nil
    MainQueue.run {
      // Emptied, because what releases this closure may be another thread.
      unsafe values.removeAll()
      placement?.empty()
      if case .others = ownership { return }
      unsafe memory.deinitialize(count: 1)
      if case .block = ownership {
        unsafe StateBlock.deallocate(memory)
      } else {
        unsafe memory.deallocate()
      }
    }
  }

  // MARK: - Reading

  @inlinable @inline(__always) func read<T>(_ keyPath: KeyPath<State, T>) -> T {
    if access.pointee.flags & (Self.held | Self.away) != 0 {
      checkRead()
      if isAway { return readComputed(keyPath) }
    }
    if ByteRange(keyPath).hasRange { return unsafe memory.pointee[keyPath: keyPath] }
    return readComputed(keyPath)
  }

  /// Reads a computed property, which runs user code, or a state without a fixed address.
  @usableFromInline func readComputed<T>(_ keyPath: KeyPath<State, T>) -> T {
    if let (target, _) = forwardingTarget { return target.read(keyPath) }
    return reading {
      // Read at its address, because generic code would copy the whole state first.
      unsafe isAway ? current[keyPath: keyPath] : memory.pointee[keyPath: keyPath]
    }
  }

  /// The state, wherever it is, or its last value.
  var current: State {
    // Without an optional, because generic code looks up its metadata each time.
    guard isAway else { return unsafe memory.pointee }
    guard let place else { return last }
    // During a change in place, the memory is the state, whatever identity it has now.
    if case .inPlace? = placement?.pinned { return unsafe memory.pointee }
    return reading { place.state(or: { last }) }
  }

  var found: State? {
    guard let place else { return isAway ? nil : unsafe memory.pointee }
    if case .inPlace? = placement?.pinned { return unsafe memory.pointee }
    return reading { place.found } ?? hidden
  }

  /// The state in the truth, while a pending change hides it.
  private var hidden: State? {
    // Not while the memory has the truth. Else each state around would be looked for twice as often.
    guard transaction.optimistic?.isShown == true, let place else { return nil }
    return readingTruth { place.found }
  }

  private var last: State {
    guard let last = hidden ?? lastIfKnown else {
      fatalError("Signalbox has lost the last value of a part of the state. Please report it.")
    }
    return last
  }

  private var lastIfKnown: State? { placement?.last ?? reading { place?.lastState } }

  /// For texts of the library: not tracked, never traps, `nil` during a change in place.
  var valueIfReadable: State? {
    guard flags & Self.held == 0 else { return nil }
    guard isAway else { return unsafe memory.pointee }
    return found ?? lastIfKnown
  }

  var place: StatePlace<State>? { placement?.place }

  /// The state, which must be present.
  var projected: State {
    get {
      // Not `map(\.state)`, because generic code builds that key path anew each time.
      if let place { return place.state }
      return unsafe memory.pointee
    }
    _modify {
      if let place {
        yield &place.state
      } else {
        yield unsafe &memory.pointee
      }
    }
  }

  override var isPresent: Bool {
    guard let place else { return !isAway }
    // Children live by the truth.
    if flags & Self.overlaid != 0 { return readingTruth { place.isPresent } }
    return reading { place.isPresent }
  }

  override var isReadable: Bool {
    isPresent || flags & Self.overlaid != 0 && reading { place?.isPresent ?? false }
  }

  func isThere(_ shape: KeyPathShape) -> Bool {
    checkRead()
    guard isAway else { return unsafe shape.isThere(in: UnsafeRawPointer(memory)) }
    return unsafe withUnsafePointer(to: current) { unsafe shape.isThere(in: UnsafeRawPointer($0)) }
  }

  // MARK: - Recording

  override func connectNewListeners() { delegate?.listenersMayHaveChanged() }

  /// The state from which the next recorded change begins.
  var recordedState: State { stateBefore ?? read(\.self) }

  override func keepForRecord() {
    if stateBefore == nil { stateBefore = current }
  }

  override func dropRecord() {
    if let before = stateBefore.take() { discard(before) }
  }

  override func wantsRecord(_ isChange: Bool) -> Bool {
    guard let before = stateBefore else { return true }
    // A commit may have changed other parts of the state than this one.
    let isChange = isChange && (isRoot || equality == nil)
    guard delegate?.wantsRecord == true, isPresent, isChange || !isEqual(to: before) else {
      dropRecord()
      return false
    }
    return true
  }

  override func record(
    by writer: any Writer, in context: Propagation.Context, as number: inout Int?
  ) -> Propagation.Cause? {
    guard let before = stateBefore.take() else { return nil }
    discard(before)
    return delegate?.storage(
      didCommitFrom: before, to: current, by: writer, in: context, as: &number)
  }

  override var anyDelegate: (any StateStorageDelegate)? { delegate }

  override func loopWasStopped(_ chain: [String], in context: Propagation.Context) {
    delegate?.storage(didStopLoop: chain, in: context)
  }

  override func close() {
    super.close()
    delegate = nil
  }

  override func pin(_ range: ByteRange, by writer: any Writer) {
    if isForwarding { beginForwarded(range) } else { beginPinned(range, by: writer) }
  }

  override func unpin(_ path: StatePath, isUnchanged: Bool, by writer: any Writer) {
    if isForwarding {
      return endForwarded { target, writer in
        if isUnchanged {
          target.didNotChange(path, by: writer)
        } else {
          target.didChange(path, by: writer)
        }
      }
    }
    endPinned(path, isUnchanged: isUnchanged, by: writer)
  }

  override var wholePath: StatePath { whole }

  override var isObject: Bool { State.self is AnyObject.Type }

  override func makeOptimisticChanges() -> OptimisticChanges { TypedOptimisticChanges(self) }

  // It is the value in the truth, if the state is there (O3). States in it find theirs in this value.
  override func keepLast() {
    if let state = inTruth({ found }) {
      replaceLast(with: state)
    } else if !hasLast, let state = shownOnly ?? reading({ place?.lastState }) {
      replaceLast(with: state)
    }
  }

  override func keepChanged() {
    if let place, let state = reading({ place.changedState }) { replaceLast(with: state) }
  }

  // A state that has ended in the meantime has nothing else.
  override func forgetLast() {
    if !isRoot { replaceLast(with: nil) }
  }
}
