/// The state of a store in memory.
///
/// The state has its own memory at an address that does not change, for two reasons. Observed parts
/// are read at their addresses. Every access goes through one check, of `flags`, which traps with a
/// message instead of the runtime's "simultaneous accesses". If the runtime checked as well,
/// `store.count += 1` would cost twice as much.
@MainActor @safe @usableFromInline final class StateStorage<State>: ObserverRegistry {
  // Used only on the main actor, to which the deinit passes the address.
  @usableFromInline nonisolated(unsafe) let memory: UnsafeMutablePointer<State>
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
    unsafe super.init(base: UnsafeRawPointer(memory), listening: listening)
  }

  deinit {
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
    if flags & (Self.held | Self.tracked) != 0 { willRead(ByteRange(keyPath)) }
    if ByteRange(keyPath).hasRange { return unsafe memory.pointee[keyPath: keyPath] }
    return readComputed(keyPath)
  }

  /// Reads a computed property, which runs user code.
  @usableFromInline func readComputed<T>(_ keyPath: KeyPath<State, T>) -> T {
    reading { unsafe memory.pointee[keyPath: keyPath] }
  }

  /// Whether a part can be read and written, because each index and each `!` leads to a value.
  func isThere(_ keyPath: AnyKeyPath) -> Bool {
    checkRead(whole.range)
    return unsafe KeyPathShape(keyPath).isThere(in: base)
  }

  /// Reads a part and tracks it for the Observation framework (M5).
  func readTracked<T>(_ keyPath: KeyPath<State, T>, path: StatePath) -> T {
    checkRead(path.range)
    if !isClosed { track(keyPath, path) }
    return path.hasRange ? unsafe memory.pointee[keyPath: keyPath] : readComputed(keyPath)
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
    if let part = findPart(path) as? TypedPart<T> { return part }
    guard path.hasRange else {
      return ComputedPart(keyPath, path, in: self, equality: equality())
    }
    return StoredPart(path, in: self, equality: equality())
  }

  /// The part of a stored property whose type is known only at run time.
  private func part(for path: StatePath, of type: Any.Type) -> ObservedPart {
    func open<T>(_: T.Type) -> ObservedPart {
      parts.find(path) ?? StoredPart<T>(path, in: self, equality: .found())
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
    guard let batch, let old, path.hasRange else { return didChange(path, by: writer) }
    // The value from before the change is put back briefly, to find the value from before the
    // batch.
    var other = old
    exchange(&other, at: keyPath)
    let verdict = verdict(on: path, keyPath, areEqual)
    exchange(&other, at: keyPath)
    batch.note(Write(path, verdict))
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
    let now = unsafe memory.pointee
    return reading { equality.areEqual(old, now) }
  }

  /// Runs a body with exclusive access to the state, and then compares the observed parts.
  func update<R>(by writer: any Writer, _ body: (inout State) throws -> R) rethrows -> R {
    let isWatched = beginUpdate(by: writer)
    defer { endUpdate(isWatched, by: writer) }
    return try unsafe body(&memory.pointee)
  }

  /// Begins a change of the state with exclusive access until `endUpdate`.
  ///
  /// - Returns: whether there are observers to notify.
  @inline(__always) func beginUpdate(by holder: any Writer) -> Bool {
    if !isQuiet { prepareForUpdate(by: holder) }
    let isWatched = flags & Self.watched != 0
    hold(holder)
    return isWatched
  }

  private func prepareForUpdate(by writer: any Writer) {
    checkWrite()
    willWrite(whole.range, by: writer)
    guard flags & Self.watched != 0 else { return }
    willChange(whole.range, isCertain: false)
    checkIsCurrent(writer)
  }

  @inline(__always) func endUpdate(_ isWatched: Bool, by writer: any Writer) {
    release()
    if isWatched { didChange(Write(whole, .open), by: writer) }
  }

  // MARK: - Recording

  override func connectNewListeners() { delegate?.listenersMayHaveChanged() }

  override func keepForRecord() {
    if stateBefore == nil { unsafe stateBefore = memory.pointee }
  }

  override func dropRecord() {
    if let before = stateBefore.take() { discard(before) }
  }

  override func wantsRecord(_ isChange: Bool) -> Bool {
    guard let before = stateBefore else { return true }
    guard delegate?.wantsRecord == true, isChange || !isEqual(to: before) else {
      dropRecord()
      return false
    }
    return true
  }

  override func record(
    by writer: any Writer, in context: Propagation.Context
  ) -> Propagation.Cause? {
    guard let before = stateBefore.take() else { return nil }
    discard(before)
    return unsafe delegate?.storage(
      didCommitFrom: before, to: memory.pointee, by: writer, in: context)
  }

  override func loopWasStopped(_ chain: [String], in context: Propagation.Context) {
    delegate?.storage(didStopLoop: chain, in: context)
  }

  override func close() {
    super.close()
    delegate = nil
  }
}

/// The object that a storage notifies of its commits and of stopped loops.
@MainActor protocol StateStorageDelegate<State>: AnyObject {
  associatedtype State
  /// Whether the next commit must be recorded.
  var wantsRecord: Bool { get }
  /// Called when a log may have been switched on or off.
  func listenersMayHaveChanged()
  /// Called for every commit while the storage is recording.
  ///
  /// - Returns: the event that causes the deliveries of the commit.
  func storage(
    didCommitFrom old: State, to new: State, by writer: any Writer, in context: Propagation.Context
  ) -> Propagation.Cause?
  /// Called when a loop of writes that follow from one another was stopped (S17).
  func storage(didStopLoop chain: [String], in context: Propagation.Context)
}

/// The originator of a change of the state.
@MainActor @usableFromInline protocol Writer: AnyObject {
  var writerName: String { get }
  /// The storage to which it writes, which is the store's until the writer's work is cancelled.
  var target: ObserverRegistry { get }
  /// The number of the first event of the work on whose behalf it writes, if there is one.
  var firstEvent: Int? { get }
}
