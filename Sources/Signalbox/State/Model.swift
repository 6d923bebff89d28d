/// The state of a store.
///
/// It lies in memory of its own at an address that does not change, for two reasons: its observers
/// read their parts where these lie, and every access goes through one check, of `flags`, with a
/// sentence in place of the runtime's "simultaneous accesses". Checked by the runtime as well,
/// `store.count += 1` would cost twice as much.
@MainActor @safe @usableFromInline final class Model<State>: Observers {
  @usableFromInline let storage: UnsafeMutablePointer<State>
  /// Held until `close`.
  ///
  /// Not weakly: every retain of an object that is held weakly anywhere costs ten times as much.
  var delegate: (any ModelDelegate<State>)?
  /// The state before the change under way, while changes are recorded.
  private var stateBefore: State?
  private var cells: [Place: ObservationCell] = [:]
  private lazy var equality = Equality<State>.found()
  /// In generic code a key path is built anew each time that it is mentioned.
  private(set) lazy var identity: KeyPath<State, State> = \.self
  private(set) lazy var whole = Place(identity)

  init(_ state: State) {
    unsafe storage = .allocate(capacity: 1)
    unsafe storage.initialize(to: state)
    unsafe super.init(base: UnsafeRawPointer(storage))
  }

  // The memory is this object's alone, and released with it.
  isolated deinit {
    unsafe storage.deinitialize(count: 1)
    unsafe storage.deallocate()
  }

  // MARK: - Reading

  @inlinable @inline(__always) func read<T>(_ keyPath: KeyPath<State, T>) -> T {
    if flags & Self.held != 0 { trapHeld() }
    return unsafe storage.pointee[keyPath: keyPath]
  }

  /// Reads for someone whom the Observation framework may want to tell of the next change (M5).
  func readTracked<T>(_ keyPath: KeyPath<State, T>, place: Place) -> T {
    if !isClosed {
      let cell = cells[place] ?? ObservationCell()
      cells[place] = cell
      cell.access { node(for: keyPath, place: place, equality: Equality.found()) }
    }
    return read(keyPath)
  }

  /// The node of a key path: the listed one, or a new one that is listed with its first watcher.
  func node<T>(
    for keyPath: KeyPath<State, T>, place: Place, equality: @autoclosure () -> Equality<T>?
  ) -> ValueNode<T> {
    if let node = nodes.find(place) as? ValueNode<T> { return node }
    guard place.hasRange else {
      return ComputedNode(keyPath, place, in: self, equality: equality())
    }
    return StoredNode(place, isWhole: place.extent.isWhole, in: self, equality: equality())
  }

  // MARK: - Changing

  /// Assigns a value.
  ///
  /// An equal one is silent unless forced, and assigned all the same: what `==` passes over is
  /// still part of the value (M4).
  @usableFromInline func assign<T: Equatable>(
    _ value: T, to keyPath: WritableKeyPath<State, T>, place: Place, isForced: Bool,
    by writer: any Writer
  ) {
    let isSilent = !isForced && read(keyPath) == value
    replace(
      with: value, at: keyPath, place, isSilent: isSilent, by: writer,
      areEqual: isForced ? nil : { $0 == $1 })
  }

  /// Assigns a value of a type that is not known to be comparable.
  @usableFromInline func assign<T>(
    _ value: T, to keyPath: WritableKeyPath<State, T>, place: Place, isForced: Bool,
    by writer: any Writer
  ) {
    let areEqual = isForced ? nil : Equality<T>.found()?.areEqual
    let isSilent = areEqual?(read(keyPath), value) ?? false
    replace(with: value, at: keyPath, place, isSilent: isSilent, by: writer, areEqual: areEqual)
  }

  private func replace<T>(
    with value: T, at keyPath: WritableKeyPath<State, T>, _ place: Place, isSilent: Bool,
    by writer: any Writer, areEqual: ((T, T) -> Bool)?
  ) {
    if flags & Self.held != 0 { trapHeld() }
    guard flags & Self.watched != 0, !isSilent else {
      unsafe storage.pointee[keyPath: keyPath] = value
      return
    }
    var verdict = areEqual.map { self.verdict(on: place, keyPath, $0) } ?? Write.Verdict.counts
    let old = place.hasRange ? nil : unsafe storage.pointee[keyPath: keyPath]
    let index = willChange(place.extent, isCertain: !verdict.isOpen)
    unsafe storage.pointee[keyPath: keyPath] = value
    if tellOnly(index, at: place.extent) { return }
    // A setter may make of a new value what was there before.
    if let old, let areEqual, unsafe areEqual(old, storage.pointee[keyPath: keyPath]) {
      verdict = .open
    }
    didChange(Write(place, verdict), by: writer)
  }

  /// After a change in place of what can be compared, if there was a `beginInPlace` before it.
  @usableFromInline func didChange<T: Equatable>(
    _ keyPath: WritableKeyPath<State, T>, from old: T?, by writer: any Writer
  ) {
    didChange(keyPath, from: old, by: writer) { $0 == $1 }
  }

  /// The same for the state as a whole.
  @usableFromInline func didChange(from old: State?, by writer: any Writer) {
    guard let equality else { return didChange(Place(\State.self), by: writer) }
    didChange(\.self, from: old, by: writer, equality.areEqual)
  }

  private func didChange<T>(
    _ keyPath: WritableKeyPath<State, T>, from old: T?, by writer: any Writer,
    _ areEqual: @escaping (T, T) -> Bool
  ) {
    let place = Place(keyPath)
    guard let batch, let old else { return didChange(place, by: writer) }
    guard place.hasRange else { return batch.note(Write(place, .open)) }
    // What was there before the batch is found from what was there before the change.
    let new = unsafe storage.pointee[keyPath: keyPath]
    unsafe storage.pointee[keyPath: keyPath] = old
    let verdict = verdict(on: place, keyPath, areEqual)
    unsafe storage.pointee[keyPath: keyPath] = new
    batch.note(Write(place, verdict))
  }

  /// Whether the state as a whole equals an earlier one, if that can be said.
  @usableFromInline func isEqual(to old: State) -> Bool {
    unsafe equality?.areEqual(old, storage.pointee) ?? false
  }

  /// How a change of what can be compared counts at the end of the batch, if this is one.
  ///
  /// A place without a range may be anything: what it changed is seen in the parts.
  private func verdict<T>(
    on place: Place, _ keyPath: WritableKeyPath<State, T>, _ areEqual: @escaping (T, T) -> Bool
  ) -> Write.Verdict {
    guard let batch else { return .counts }
    guard place.hasRange else { return .open }
    if batch.covers(place) { return .compares(nil) }
    let before = batch.rewound(within: place.extent) {
      unsafe Value(storage.pointee[keyPath: keyPath], at: keyPath, in: self, areEqual)
    }
    return .compares(before)
  }

  private final class Value<T>: Before {
    private var value: T
    private let keyPath: WritableKeyPath<State, T>
    private let model: Model
    private let areEqual: (T, T) -> Bool

    init(
      _ value: T, at keyPath: WritableKeyPath<State, T>, in model: Model,
      _ areEqual: @escaping (T, T) -> Bool
    ) {
      self.value = value
      self.keyPath = keyPath
      self.model = model
      self.areEqual = areEqual
    }

    override var isBack: Bool {
      unsafe areEqual(value, model.storage.pointee[keyPath: keyPath])
    }

    override func exchange() { unsafe swap(&value, &model.storage.pointee[keyPath: keyPath]) }
  }

  /// Runs a body that has the state for itself, and compares afterwards what is observed.
  func update<R>(by writer: any Writer, _ body: (inout State) throws -> R) rethrows -> R {
    let isWatched = beginUpdate()
    defer { endUpdate(isWatched, by: writer) }
    return try unsafe body(&storage.pointee)
  }

  /// Begins a change of the state by whoever has it for himself until `endUpdate`.
  ///
  /// - Returns: whether somebody is to be told.
  @inline(__always) func beginUpdate() -> Bool {
    if flags & Self.held != 0 { trapHeld() }
    let isWatched = flags & Self.watched != 0
    if isWatched { willChange(whole.extent, isCertain: false) }
    hold()
    return isWatched
  }

  @inline(__always) func endUpdate(_ isWatched: Bool, by writer: any Writer) {
    release()
    if isWatched { didChange(Write(whole, .open), by: writer) }
  }

  // MARK: - Recording

  override func keepForRecord() {
    if stateBefore == nil, delegate?.wantsRecord == true { unsafe stateBefore = storage.pointee }
  }

  override func dropRecord() { stateBefore = nil }

  override func record(
    _ isChange: Bool, by writer: any Writer, in context: Propagation.Context
  ) -> Propagation.Cause?? {
    guard let before = stateBefore.take() else { return .some(nil) }
    if !isChange, let equality, unsafe equality.areEqual(before, storage.pointee) { return nil }
    return unsafe .some(
      delegate?.model(
        didCommitFrom: before, to: storage.pointee, by: writer, in: context))
  }

  override func loopWasStopped(_ chain: [String], in context: Propagation.Context) {
    delegate?.model(didStopLoop: chain, in: context)
  }

  override func close() {
    super.close()
    delegate = nil
  }
}

/// Who hears of what happens to a model as a whole.
@MainActor protocol ModelDelegate<State>: AnyObject {
  associatedtype State
  /// Whether anybody is to hear of the next commit.
  var wantsRecord: Bool { get }
  /// Every commit, while the model is recording; returns what the deliveries follow from.
  func model(
    didCommitFrom old: State, to new: State, by writer: any Writer, in context: Propagation.Context
  ) -> Propagation.Cause?
  /// Writes that followed from one another for ever (S17).
  func model(didStopLoop chain: [String], in context: Propagation.Context)
}

/// On whose behalf the state is changed.
@MainActor @usableFromInline protocol Writer: AnyObject {
  var writerName: String { get }
}
