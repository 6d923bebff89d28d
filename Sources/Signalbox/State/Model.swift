/// The state of a store, who observes which part of it, and what a change has to do.
///
///     change ──▶ nobody observes ────────────────────────────▶ the change itself, nothing else
///           └──▶ remember what must be compared ──▶ the change ──▶ conclude
///                                                                     │
///             in a batch: note the write, conclude at its end ◀───────┤
///             which nodes has it changed? ──▶ deliver, or queue ◀─────┘
///
/// The state is changed where it lies and never copied for comparison with an earlier one as a
/// whole; each node remembers at most its own part (M2, S10).
@MainActor @usableFromInline final class Model<State> {
  // Every access goes through a check of `isHeld`, with a sentence in place of the runtime's
  // "simultaneous accesses"; checked twice, `store.count += 1` costs six times as much.
  @exclusivity(unchecked) @usableFromInline var state: State

  /// Zero when a change concerns nobody and nobody else is changing.
  @usableFromInline var flags: UInt8 = 0
  @usableFromInline static var held: UInt8 { 1 }
  @usableFromInline static var watched: UInt8 { 2 }

  weak var delegate: (any ModelDelegate<State>)?
  private(set) var isClosed = false
  private(set) var nodes = NodeList<State>()
  var version = 0
  var batch: Batch<State>?
  /// The state before the change under way, while every change is recorded.
  var stateBefore: State?
  var snapshots = Snapshots<State>()
  private var cells: [Place: ObservationCell] = [:]
  let equality: Equality<State>?

  init(_ state: State) {
    unsafe self.state = state
    equality = Equality.found()
  }

  /// Whether every change goes to the delegate, with the state before and after.
  var isRecording = false { didSet { updateFlags() } }

  // MARK: - Reading

  @inlinable @inline(__always)
  func read<T>(_ keyPath: KeyPath<State, T>) -> T {
    if flags & Self.held != 0 { trapHeld() }
    return unsafe state[keyPath: keyPath]
  }

  /// What a commit made of a part that it may not have changed.
  func read<T>(_ keyPath: KeyPath<State, T>, at moment: Moment) -> T {
    if case .commit = moment, let snapshot = snapshots.current { return snapshot[keyPath: keyPath] }
    return read(keyPath)
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

  @usableFromInline func trapHeld() -> Never {
    preconditionFailure(
      """
      The store was touched while its state is being changed in place: inside the body of \
      `update`, or in an argument of a mutating call on one of its properties. Read what you need \
      before, or use `batch` in place of `update`.
      """)
  }

  // MARK: - Nodes

  /// The node of a key path: the listed one, or a new one that is listed with its first watcher.
  func node<T>(
    for keyPath: KeyPath<State, T>, place: Place, equality: Equality<T>?
  ) -> TypedNode<State, T> {
    if let node = nodes.find(place) as? TypedNode<State, T> { return node }
    return TypedNode(keyPath, place: place, equality: equality, model: self)
  }

  func list(_ node: Node<State>) {
    if !node.place.hasRange {
      if flags & Self.held != 0 { trapHeld() }
      node.remember(unsafe state)
    }
    nodes.insert(node)
    updateFlags()
  }

  func unlist(_ node: Node<State>) {
    nodes.remove(node)
    updateFlags()
  }

  func updateFlags() {
    let isWatched = !nodes.isEmpty || isRecording
    flags = isWatched ? flags | Self.watched : flags & ~Self.watched
  }

  // MARK: - The end

  /// Finishes all signals of the state, after what was told before. The state stays readable.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    isRecording = false
    delegate = nil
    Propagation.send {
      let watchers = self.nodes.all.flatMap { $0.watchers.removeAll() }
      self.nodes = NodeList()
      self.updateFlags()
      for watcher in watchers.sorted(by: { $0.order < $1.order }) { watcher.receiveFinish() }
    }
  }
}

/// Who hears of what happens to a model as a whole.
@MainActor protocol ModelDelegate<State>: AnyObject {
  associatedtype State
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

/// The states of commits that are yet to be delivered, or being delivered, while a later change
/// has replaced them. Made only when one is asked for beside what it changed (S7).
@MainActor struct Snapshots<State> {
  private var kept: [(version: Int, state: State)] = []
  /// The commit whose state is still the one of now and must be kept before it changes.
  private var pending: Int?
  /// The state of the commit that is being delivered, if it is no longer the one of now.
  var current: State? { kept.first { $0.version == delivering }?.state }
  private var delivering: Int?

  mutating func require(_ version: Int) { pending = version }

  mutating func keepIfRequired(_ state: @autoclosure () -> State) {
    guard let version = pending.take() else { return }
    kept.append((version, state()))
  }

  mutating func begin(_ version: Int) { delivering = version }

  mutating func end(_ version: Int) {
    delivering = nil
    if pending == version { pending = nil }
    if !kept.isEmpty { kept.removeAll { $0.version == version } }
  }
}
