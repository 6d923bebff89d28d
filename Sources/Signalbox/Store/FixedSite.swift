/// A child at a property of its parent's state, which lives as long as its parent.
final class FixedSite<Owner, State, Action>: ChildSite<Owner> {
  private let keyPath: WritableKeyPath<Owner, State>
  /// `nil` once the parent has ended.
  private var blueprint: Blueprint<State, Action>?
  private(set) var record: ChildRecord<State, Action>?
  private var isMaking = false
  private var isClosed = false

  init(
    _ keyPath: WritableKeyPath<Owner, State>, _ blueprint: Blueprint<State, Action>,
    _ type: Any.Type, in owner: ChildOwner<Owner>
  ) {
    self.keyPath = keyPath
    self.blueprint = blueprint
    ChildPath.checkLeads(keyPath)
    super.init(StatePath(keyPath), type, in: owner)
  }

  override var children: [any ChildEngine] { record.map { [$0.engine] } ?? [] }

  /// The storage of a live child without a fixed address, which is a registry of its own.
  ///
  /// A setter or an observer of the property stands between it and its parent. The parts of any other
  /// child are parts of the parent's registry, and its sites are the parent's.
  private var apart: StateStorage<State>? {
    guard let storage = record?.engine.storage, storage.outer != nil else { return nil }
    return storage
  }

  override var isTold: Bool { MemoryLayout<Owner>.offset(of: keyPath) == nil }

  override var isActive: Bool { apart != nil }

  // The last value is not kept, because the state around the child has it.
  override func willChange() { apart?.allWillChange() }

  override func remember() {
    if let apart, apart.isPresent { apart.rememberAll() }
  }

  override func collect(into commit: Commit) {
    guard let apart else { return }
    if apart.isPresent { apart.collectChanged(into: commit) } else { apart.loseAll() }
  }

  override func forget() { apart?.forgetAll() }

  override func lose() { apart?.loseAll() }

  override func update() {
    guard begun != nil, let apart else { return }
    for site in apart.sites where site.isActive { site.update() }
  }

  /// The child, which is begun if necessary; `nil` if the parent has ended before.
  var begun: ChildRecord<State, Action>? {
    if let record { return record }
    guard !isClosed, owner.engine != nil else { return nil }
    return Nesting.child { Propagation.withoutOwner { begin() } }
  }

  private func begin() -> ChildRecord<State, Action>? {
    let path = ChildPath(keyPath)
    if isMaking { ChildPath.trapMaking(path.property) }
    isMaking = true
    let assembly = blueprint?.make()
    isMaking = false
    owner.connectListeners()
    // The code that prints the log may have asked for the child.
    if let begun = self.record { return begun }
    // The closure that makes the interactor, and the code that prints the log, may release the
    // parent.
    guard let assembly, !isClosed else { return nil }
    let record = ChildRecord(storage, assembly, at: path, of: owner)
    self.record = record
    if isActive { owner.storage.root.updateFlags() }
    assembly.connect(record.engine, record.scope)
    return record
  }

  private var storage: StateStorage<State> {
    guard let offset = MemoryLayout<Owner>.offset(of: keyPath) else {
      let place = PropertyPlace(keyPath, of: owner.storage)
      return StateStorage(at: place, within: owner.storage, path: StatePath(keyPath), site: nil)
    }
    return StateStorage(within: owner.storage, at: keyPath, offset: offset)
  }

  // The record is kept, because a handle to the child can be asked for after the parent has ended.
  override func close() {
    isClosed = true
    record?.engine.close()
    let blueprint = blueprint.take()
    withExtendedLifetime(blueprint) {}
  }

  override var isKept: Bool { true }
}
