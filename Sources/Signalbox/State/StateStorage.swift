/// The state of a store.
///
/// It lies in memory of its own at an address that does not change, for two reasons: its observers
/// read their parts where these lie, and every access goes through one check, of `flags`, with a
/// sentence in place of the runtime's "simultaneous accesses". Checked by the runtime as well,
/// `store.count += 1` would cost twice as much.
@MainActor @safe @usableFromInline final class StateStorage<State>: ObserverRegistry {
  // Used on the main actor only: the deinit takes the address there.
  @usableFromInline nonisolated(unsafe) let memory: UnsafeMutablePointer<State>
  /// Held until `close`.
  ///
  /// Not weakly: every retain of an object that is held weakly anywhere costs ten times as much.
  var delegate: (any StateStorageDelegate<State>)?
  /// The state before the change under way, while changes are recorded.
  private var stateBefore: State?
  private var cells: [StatePath: ObservationCell] = [:]
  private lazy var equality = Equality<State>.found()
  /// In generic code a key path is built anew each time that it is mentioned.
  private(set) lazy var identity: KeyPath<State, State> = \.self
  private(set) lazy var whole = StatePath(identity)

  /// - Parameter listening: a byte that is not zero while a log may have to be told of the store.
  init(_ state: State, listening: UnsafePointer<UInt8>) {
    unsafe memory = .allocate(capacity: 1)
    unsafe memory.initialize(to: state)
    unsafe super.init(base: UnsafeRawPointer(memory), listening: listening)
  }

  deinit {
    // The memory is this object's alone, and the state is released where it was used: an isolated
    // deinit would abort on Apple platforms when a task-local is bound outside of a task.
    nonisolated(unsafe) let memory = unsafe memory
    MainQueue.run {
      unsafe memory.deinitialize(count: 1)
      unsafe memory.deallocate()
    }
  }

  // MARK: - Reading

  @inlinable @inline(__always) func read<T>(_ keyPath: KeyPath<State, T>) -> T {
    if flags & Self.held != 0 { trapHeld() }
    if ByteRange(keyPath).hasRange { return unsafe memory.pointee[keyPath: keyPath] }
    return readComputed(keyPath)
  }

  /// Runs a getter of the user's.
  @usableFromInline func readComputed<T>(_ keyPath: KeyPath<State, T>) -> T {
    reading { unsafe memory.pointee[keyPath: keyPath] }
  }

  /// Whether a part can be read and written: each of its indices and each `!` leads to a value.
  func isThere(_ keyPath: AnyKeyPath) -> Bool {
    checkRead()
    return unsafe KeyPathShape(keyPath).isThere(in: base)
  }

  /// Reads for someone whom the Observation framework may want to tell of the next change (M5).
  func readTracked<T>(_ keyPath: KeyPath<State, T>, path: StatePath) -> T {
    checkRead()
    if !isClosed { track(keyPath, path) }
    return path.hasRange ? unsafe memory.pointee[keyPath: keyPath] : readComputed(keyPath)
  }

  private func track<T>(_ keyPath: KeyPath<State, T>, _ path: StatePath) {
    // An index, or `!`, is tracked as all of what it is applied to: the part may go, and with a cell
    // for each index that was ever read the cells would have no end.
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

  /// The node of a key path: the listed one, or a new one that is listed with its first watcher.
  func part<T>(
    for keyPath: KeyPath<State, T>, path: StatePath, equality: @autoclosure () -> Equality<T>?
  ) -> TypedPart<T> {
    if let part = findNode(path) as? TypedPart<T> { return part }
    guard path.hasRange else {
      return ComputedPart(keyPath, path, in: self, equality: equality())
    }
    return StoredPart(path, isWhole: path.range.isWhole, in: self, equality: equality())
  }

  /// The node of a stored property whose type is known only at run time.
  private func part(for path: StatePath, of type: Any.Type) -> ObservedPart {
    func open<T>(_: T.Type) -> ObservedPart {
      parts.find(path)
        ?? StoredPart<T>(path, isWhole: path.range.isWhole, in: self, equality: .found())
    }
    return open(type)
  }

  // MARK: - Changing in place

  /// After a change in place of what can be compared, if there was a `beginInPlace` before it.
  @usableFromInline func didChange<T: Equatable>(
    _ keyPath: WritableKeyPath<State, T>, from old: T?, by writer: any Writer
  ) {
    didChange(keyPath, from: old, by: writer) { $0 == $1 }
  }

  /// The same for the state as a whole.
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
    // What was there before the batch is found from what was there before the change.
    var other = old
    exchange(&other, at: keyPath)
    let verdict = verdict(on: path, keyPath, areEqual)
    exchange(&other, at: keyPath)
    batch.note(Write(path, verdict))
  }

  /// Whether a change in place has left a property as it was, as far as that can be said without
  /// keeping what would then be copied.
  @inlinable @inline(__always)
  func isUnchanged<T: Equatable>(
    _ keyPath: WritableKeyPath<State, T>, from old: T?, wasNil: Bool
  ) -> Bool {
    if let old {
      // Read out here: in a closure the key path is no constant.
      let now = unsafe memory.pointee[keyPath: keyPath]
      return reading { old == now }
    }
    return unsafe wasNil && isNil(memory.pointee[keyPath: keyPath])
  }

  /// Whether the state as a whole equals an earlier one, if that can be said.
  @usableFromInline func isEqual(to old: State) -> Bool {
    guard let equality else { return false }
    let now = unsafe memory.pointee
    return reading { equality.areEqual(old, now) }
  }

  /// Runs a body that has the state for itself, and compares afterwards what is observed.
  func update<R>(by writer: any Writer, _ body: (inout State) throws -> R) rethrows -> R {
    let isWatched = beginUpdate(by: writer)
    defer { endUpdate(isWatched, by: writer) }
    return try unsafe body(&memory.pointee)
  }

  /// Begins a change of the state by a writer that has it for itself until `endUpdate`.
  ///
  /// - Returns: whether observers are to be told.
  @inline(__always) func beginUpdate(by holder: any Writer) -> Bool {
    if !isQuiet { prepareForUpdate(by: holder) }
    let isWatched = flags & Self.watched != 0
    hold(holder)
    return isWatched
  }

  private func prepareForUpdate(by writer: any Writer) {
    checkWrite()
    guard flags & Self.watched != 0 else { return }
    willChange(whole.range, isCertain: false)
    checkIsCurrent(writer)
  }

  @inline(__always) func endUpdate(_ isWatched: Bool, by writer: any Writer) {
    release()
    if isWatched { didChange(Write(whole, .open), by: writer) }
  }

  // MARK: - Recording

  override func lookForListeners() { delegate?.listenersMayHaveChanged() }

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

/// Who hears of what happens to a model as a whole.
@MainActor protocol StateStorageDelegate<State>: AnyObject {
  associatedtype State
  /// Whether anybody is to hear of the next commit.
  var wantsRecord: Bool { get }
  /// A log may have been switched on or off.
  func listenersMayHaveChanged()
  /// Every commit, while the model is recording; returns what the deliveries follow from.
  func storage(
    didCommitFrom old: State, to new: State, by writer: any Writer, in context: Propagation.Context
  ) -> Propagation.Cause?
  /// Writes that followed from one another for ever (S17).
  func storage(didStopLoop chain: [String], in context: Propagation.Context)
}

/// On whose behalf the state is changed.
@MainActor @usableFromInline protocol Writer: AnyObject {
  var writerName: String { get }
  /// Where its writes go to: the model that it was given, until its work is cancelled.
  var target: ObserverRegistry { get }
}
