/// A child at a stored property of its parent's state, which lives as long as its parent.
///
/// The parts and the sites of its state are the parent's, so it need not be told of changes.
final class FixedSite<Owner, State, Action>: ChildSite<Owner> {
  private let keyPath: WritableKeyPath<Owner, State>
  private let offset: Int
  /// `nil` once the parent has ended.
  private var makeHandler: (() -> ActionHandler<State, Action>)?
  private(set) var record: ChildRecord<State, Action>?
  private var isMaking = false
  private var isClosed = false

  init(
    _ keyPath: WritableKeyPath<Owner, State>, _ kind: FeatureKind, in owner: ChildOwner<Owner>,
    _ makeHandler: @escaping () -> ActionHandler<State, Action>
  ) {
    self.keyPath = keyPath
    self.makeHandler = makeHandler
    offset = ChildPath.checkedOffset(of: keyPath)
    super.init(StatePath(keyPath), kind.type, in: owner)
  }

  override var children: [any ChildEngine] { record.map { [$0.engine] } ?? [] }

  override func update() {
    // It may have been asked for when only a pending change showed the state of the parent.
    if let begun, begun.engine.isWithheld { begun.begin(isTrue: true) }
  }

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
    let handler = makeHandler?()
    isMaking = false
    owner.connectListeners()
    // The code that prints the log may have asked for the child.
    if let begun = self.record { return begun }
    // That code, or the closure that makes the interactor, may have released the parent.
    guard let handler, !isClosed else { return nil }
    let storage = StateStorage(within: owner.storage, at: keyPath, offset: offset)
    let record = ChildRecord(storage, handler, at: path, of: owner)
    self.record = record
    record.begin(isTrue: owner.engine?.isWithheld != true)
    return record
  }

  // The record is kept, because a handle to the child can be asked for after the parent has ended.
  override func close() {
    isClosed = true
    record?.engine.close()
    let makeHandler = makeHandler.take()
    withExtendedLifetime(makeHandler) {}
  }

  override var isKept: Bool { true }
}
