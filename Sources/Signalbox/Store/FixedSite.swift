/// A child at a stored property of its parent's state, which lives as long as its parent.
///
/// The parts of the child are parts of the parent's registry, and its sites are the parent's. So nothing
/// has to be told of changes of the property.
final class FixedSite<Owner, State, Action>: ChildSite<Owner> {
  private let keyPath: WritableKeyPath<Owner, State>
  private let offset: Int
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
    offset = ChildPath.checkedOffset(of: keyPath)
    super.init(StatePath(keyPath), type, in: owner)
  }

  override var children: [any ChildEngine] { record.map { [$0.engine] } ?? [] }

  override func update() { _ = begun }

  /// The child, which is begun if necessary; `nil` if the parent has ended before.
  var begun: ChildRecord<State, Action>? {
    if let record { return record }
    owner.storage.checkIsNotReading()
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
    let storage = StateStorage(within: owner.storage, at: keyPath, offset: offset)
    let record = ChildRecord(storage, assembly, at: path, of: owner)
    self.record = record
    assembly.connect(record.engine, record.scope)
    return record
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
