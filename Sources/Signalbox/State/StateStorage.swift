/// The state of a store in memory.
///
/// The state has its own memory at an address that does not change, for two reasons. Observed parts
/// are read at their addresses. Every access goes through one check, of `flags`, which traps with a
/// message instead of the runtime's "simultaneous accesses". If the runtime checked as well,
/// `store.count += 1` would cost twice as much.
@MainActor @safe @usableFromInline final class StateStorage<State>: ObserverRegistry {
  /// The address of the state, unless it is away.
  // Used only on the main actor, to which the deinit passes the address.
  @exclusivity(unchecked) @usableFromInline
  nonisolated(unsafe) var memory: UnsafeMutablePointer<State>
  /// Whether this object has allocated the memory.
  nonisolated(unsafe) final var ownsMemory: Bool
  /// The change in place of a state without a fixed address.
  final var pinned = Pin<State>.none
  /// The way to a state without a fixed address.
  final var place: StatePlace<State>?
  /// The storage of the state that contains this one.
  final var owner: AnyObject?
  /// The last value of a state that may go with the current change.
  final var last: State?
  /// The delegate, held until `close`.
  ///
  /// A weak reference to an object would make every retain of it ten times slower.
  var delegate: (any StateStorageDelegate<State>)?
  /// The state before the current change, while changes are recorded.
  private var stateBefore: State?
  private var cells: [StatePath: ObservationCell] = [:]
  private lazy var equality = Equality<State>.found()
  /// The key path `\.self`, kept because generic code builds a key path literal anew each time.
  private(set) lazy var identity: KeyPath<State, State> = \.self
  private(set) lazy var whole = StatePath(identity)

  /// Makes a storage for a state.
  ///
  /// - Parameter listening: a byte that is not zero while a log may have to be notified.
  init(_ state: State, listening: UnsafePointer<UInt8>) {
    unsafe memory = .allocate(capacity: 1)
    unsafe memory.initialize(to: state)
    unsafe ownsMemory = true
    unsafe super.init(base: UnsafeRawPointer(memory), listening: listening)
  }

  /// Makes the storage of a stored property of another state.
  ///
  /// - Parameters:
  ///   - owner: the storage of the other state.
  ///   - keyPath: the property.
  ///   - offset: its offset in the other state.
  init<Owner>(
    within owner: StateStorage<Owner>, at keyPath: KeyPath<Owner, State>, offset: Int
  ) {
    unsafe memory = UnsafeMutableRawPointer(owner.memory).advanced(by: offset)
      .assumingMemoryBound(to: State.self)
    unsafe ownsMemory = false
    unsafe super.init(base: UnsafeRawPointer(memory), listening: owner.listening)
    self.owner = owner
    host = owner.home
    let offset = offset + (owner.prefix?.offset ?? 0)
    prefix = PathPrefix(StatePath(keyPath).moved(by: owner.prefix), at: offset)
    join(owner)
    if owner.isAway {
      place = PropertyPlace(keyPath, of: owner)
      setAway()
    } else {
      access = owner.access
    }
  }

  /// Makes the storage of a state without a fixed address.
  ///
  /// - Parameters:
  ///   - place: the way to the state.
  ///   - owner: the storage of the state around it.
  ///   - path: the property of that state that contains it.
  ///   - site: the site that says when the state comes and goes.
  init<Owner>(
    at place: StatePlace<State>, within owner: StateStorage<Owner>, path: StatePath, site: Site?
  ) {
    // Never accessed, because `access` says that the state is away.
    unsafe memory = UnsafeMutableRawPointer(owner.memory).assumingMemoryBound(to: State.self)
    unsafe ownsMemory = false
    unsafe super.init(base: UnsafeRawPointer(memory), listening: owner.listening)
    self.owner = owner
    self.place = place
    outer = Outer(
      registry: owner.home, path: path.moved(by: owner.prefix), site: site,
      isInPlace: place.isInPlace)
    join(owner)
    setAway()
  }

  deinit {
    guard unsafe ownsMemory else { return }
    // Only this object uses the memory, and the state is released on the main actor. An isolated
    // deinit would abort on Apple platforms if a task-local value is bound outside of a task.
    nonisolated(unsafe) let memory = unsafe memory
    MainQueue.run {
      unsafe memory.deinitialize(count: 1)
      unsafe memory.deallocate()
    }
  }

  // MARK: - Reading

  @inlinable @inline(__always) func read<T>(_ keyPath: KeyPath<State, T>) -> T {
    if access.pointee.flags & (Self.held | Self.tracked | Self.away) != 0 {
      willRead(ByteRange(keyPath))
      if isAway { return readComputed(keyPath) }
    }
    if ByteRange(keyPath).hasRange { return unsafe memory.pointee[keyPath: keyPath] }
    return readComputed(keyPath)
  }

  /// Reads a computed property, which runs user code, or a state without a fixed address.
  @usableFromInline func readComputed<T>(_ keyPath: KeyPath<State, T>) -> T {
    reading { current[keyPath: keyPath] }
  }

  /// The state, wherever it is, or its last value.
  var current: State {
    guard isAway else { return unsafe memory.pointee }
    if isPresent, let place { return reading { place.state } }
    guard let last = last ?? place?.lastState else {
      fatalError("Signalbox has lost the last value of a part of the state. Please report it.")
    }
    return last
  }

  /// The state, which must be present.
  var projected: State {
    get { place.map(\.state) ?? (unsafe memory.pointee) }
    _modify {
      if let place, !place.isInPlace {
        var value = reading { place.state }
        defer { assign(value, behindSetterIn: place) }
        yield &value
      } else if let place {
        yield &place.state
      } else {
        yield unsafe &memory.pointee
      }
    }
  }

  override var isPresent: Bool {
    guard let place else { return !isAway }
    return reading { place.isPresent }
  }

  /// Whether a part can be read and written, because each index and each `!` leads to a value.
  func isThere(_ keyPath: AnyKeyPath) -> Bool {
    checkRead(whole.range)
    let shape = KeyPathShape(keyPath)
    guard isAway else { return unsafe shape.isThere(in: UnsafeRawPointer(memory)) }
    return unsafe withUnsafePointer(to: current) { unsafe shape.isThere(in: UnsafeRawPointer($0)) }
  }

  /// Reads a part and tracks it for the Observation framework (M5).
  func readTracked<T>(_ keyPath: KeyPath<State, T>, path: StatePath) -> T {
    checkRead(path.range)
    if !isClosed { track(keyPath, path) }
    guard path.hasRange, !isAway else { return readComputed(keyPath) }
    return unsafe memory.pointee[keyPath: keyPath]
  }

  private func track<T>(_ keyPath: KeyPath<State, T>, _ path: StatePath) {
    // For an index or `!`, the value that it is applied to is tracked, because the part may vanish.
    // Besides, a cell for each index that was ever read would let the cells grow without limit.
    guard path.hasRange || !KeyPathShape(keyPath).isOneOfMany else {
      let (path, type) = path.container
      return cell(for: path).access { part(for: path, of: type) }
    }
    cell(for: path).access { part(for: keyPath, path: path, equality: Equality.found()) }
  }

  private func cell(for path: StatePath) -> ObservationCell {
    if let cell = cells[path] { return cell }
    let cell = ObservationCell()
    cells[path] = cell
    return cell
  }

  /// The listed part of a key path, or a new one, which is listed when it gets its first watcher.
  func part<T>(
    for keyPath: KeyPath<State, T>, path: StatePath, equality: @autoclosure () -> Equality<T>?
  ) -> TypedPart<T> {
    let (home, path) = (home, path.moved(by: prefix))
    if let part = home.findPart(path) as? TypedPart<T> { return part }
    if isAway {
      return PlacePart(path, of: self, .keyPath(keyPath), equality: equality())
    }
    guard path.hasRange else {
      return unsafe ComputedPart(
        keyPath, path, at: UnsafeRawPointer(memory), in: home, equality: equality())
    }
    return StoredPart(path, in: home, equality: equality())
  }

  /// The part of a stored property whose type is known only at run time.
  private func part(for path: StatePath, of type: Any.Type) -> ObservedPart {
    let moved = path.moved(by: prefix)
    func open<T>(_: T.Type) -> ObservedPart {
      if let part = home.parts.find(moved) { return part }
      if isAway {
        let offset = PlacePart<State, T>.Access.offset(path.range.lower)
        return PlacePart<State, T>(moved, of: self, offset, equality: .found())
      }
      return StoredPart<T>(moved, in: home, equality: .found())
    }
    return open(type)
  }

  // MARK: - Changing in place

  /// Notes a change in place of an `Equatable` property that followed a `beginInPlace`.
  @usableFromInline func didChange<T: Equatable>(
    _ keyPath: WritableKeyPath<State, T>, from old: T?, by writer: any Writer
  ) {
    didChange(keyPath, from: old, by: writer) { $0 == $1 }
  }

  /// Notes a change in place of the state as a whole that followed a `beginInPlace`.
  @usableFromInline func didChange(from old: State?, by writer: any Writer) {
    guard let equality else { return didChange(StatePath(\State.self), by: writer) }
    didChange(\.self, from: old, by: writer, equality.areEqual)
  }

  private func didChange<T>(
    _ keyPath: WritableKeyPath<State, T>, from old: T?, by writer: any Writer,
    _ areEqual: @escaping (T, T) -> Bool
  ) {
    let path = StatePath(keyPath)
    if isAway { return didChange(path, by: writer) }
    guard let batch = root.batch, let old, path.hasRange else {
      return didChange(path, by: writer)
    }
    // The value from before the change is put back briefly, to find the value from before the
    // batch.
    var other = old
    exchange(&other, at: keyPath)
    let verdict = verdict(on: path, keyPath, areEqual)
    exchange(&other, at: keyPath)
    let write = Write(path, verdict)
    write.move(to: home, by: prefix)
    batch.note(write)
  }

  /// Whether a change in place is known to have left a property equal.
  ///
  /// `old` is `nil` if keeping the old value would have made the change copy it.
  @inlinable @inline(__always)
  func isUnchanged<T: Equatable>(
    _ keyPath: WritableKeyPath<State, T>, from old: T?, wasNil: Bool
  ) -> Bool {
    if let old {
      // Read outside of the closure, because in a closure the key path is not a constant.
      let now = unsafe memory.pointee[keyPath: keyPath]
      return reading { old == now }
    }
    return unsafe wasNil && isNil(memory.pointee[keyPath: keyPath])
  }

  /// Whether the state as a whole is known to equal an earlier one.
  @usableFromInline func isEqual(to old: State) -> Bool {
    guard let equality else { return false }
    let now = current
    return reading { equality.areEqual(old, now) }
  }

  /// Whether the state as a whole can be compared.
  var canCompare: Bool { equality != nil }

  // MARK: - Recording

  override func connectNewListeners() { delegate?.listenersMayHaveChanged() }

  override func keepForRecord() {
    if stateBefore == nil { stateBefore = current }
  }

  override func dropRecord() {
    if let before = stateBefore.take() { discard(before) }
  }

  override func wantsRecord(_ isChange: Bool) -> Bool {
    guard let before = stateBefore else { return true }
    // A commit may have changed other parts of the state than this one.
    let isChange = isChange && (root === self || equality == nil)
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

  override func loopWasStopped(_ chain: [String], in context: Propagation.Context) {
    delegate?.storage(didStopLoop: chain, in: context)
  }

  override func close() {
    super.close()
    delegate = nil
  }

  override func pin(_ range: ByteRange, by writer: any Writer) -> Int {
    beginPinned(range, by: writer)
    return .max
  }

  override func unpin(_ path: StatePath, isUnchanged: Bool, by writer: any Writer) {
    endPinned(path, isUnchanged: isUnchanged, by: writer)
  }

  override var wholePath: StatePath { whole }

  override func keepLostValue() { keepUnreachable() }
}
