/// Children whose states come and go: the value of an optional, or the elements of a collection.
///
/// Only live children are looked at when the collection has changed. If each child must be begun when
/// it appears, all ids are.
final class MovingSite<Owner, ID: Hashable, State, Action>: ChildSite<Owner> {
  typealias Record = ChildRecord<State, Action>

  /// Whether children are begun when they appear.
  private enum Beginning {
    case always
    /// When they are asked for.
    case onDemand
    /// As the first child will tell: whether its kind declares children.
    case unknown
  }

  private let collection: ChildCollection<Owner, ID, State>
  private let blueprint: (ID) -> Blueprint<State, Action>
  private var beginning: Beginning
  /// A live child.
  private struct Live {
    let id: ID
    let record: Record
    /// The place in the order in which the children were begun.
    let number: UInt64
  }

  private var live: [ID: Live] = [:]
  /// The live children, in the order in which they were begun.
  ///
  /// A change goes through this list, because a look-up in the dictionary runs the user's `==`.
  private var order = OrderedList<Live>() { didSet { hasLive = !order.isEmpty } }
  // Stored, because every mention of the generic type of `order` looks up its metadata.
  private var hasLive = false
  /// The number of children that have begun.
  private var begins: UInt64 = 0
  private var reported: Set<ID> = []
  /// The ids of the children whose interactors are being made, the outermost first.
  private var making: [ID] = []
  private var isIndexing = false
  private var isUpdating = false
  private var needsUpdate = false
  private var isClosed = false

  init(
    _ collection: ChildCollection<Owner, ID, State>,
    _ blueprint: @escaping (ID) -> Blueprint<State, Action>, _ type: Any.Type,
    in owner: ChildOwner<Owner>, hasHooks: Bool, mayHaveChildren: Bool
  ) {
    self.collection = collection
    self.blueprint = blueprint
    beginning = hasHooks ? .always : mayHaveChildren ? .unknown : .onDemand
    super.init(collection.path, type, in: owner)
  }

  convenience init<I: Interactor<State, Action>>(
    _ collection: ChildCollection<Owner, ID, State>,
    _ blueprint: @escaping (ID) -> Blueprint<State, Action>, _ type: I.Type,
    in owner: ChildOwner<Owner>
  ) {
    self.init(
      collection, blueprint, type, in: owner, hasHooks: !I.hooks.isEmpty,
      mayHaveChildren: true)
  }

  override var isTold: Bool { true }

  override var children: [any ChildEngine] { order.elements.map { $0.record.engine } }

  override var isActive: Bool {
    switch beginning {
    case .always, .unknown: !isClosed
    case .onDemand: hasLive
    }
  }

  private var storages: [StateStorage<State>] {
    // Not a key path, because generic code builds it anew each time. So it is wherever children are.
    order.elements.map { $0.record.engine.storage }
  }

  // MARK: - A change of the collection

  override func willChange() {
    for storage in storages {
      storage.keepLast()
      storage.allWillChange()
    }
  }

  override func remember() {
    for storage in storages where storage.isPresent { storage.rememberAll() }
  }

  override func collect(into commit: Commit) {
    let storages = storages
    owner.storage.reading { collection.find(storages.compactMap { $0.place }) }
    for storage in storages {
      if storage.isPresent {
        storage.collectChanged(into: commit)
      } else {
        storage.loseAll()
      }
    }
  }

  override func lose() {
    for storage in storages { storage.loseAll() }
  }

  override func forget() {
    for storage in storages { storage.forgetAll() }
  }

  override func update() {
    // Code that runs in here may change the collection again.
    needsUpdate = true
    guard !isUpdating else { return }
    isUpdating = true
    // What is written in here is told when the children are as the state says.
    Propagation.nested {
      var rounds = Rounds()
      while needsUpdate, !isClosed {
        needsUpdate = false
        endGone()
        if rounds.isNext({ ids().count }, report: reportLoop) { beginNew() }
      }
      isUpdating = false
    }
    for storage in storages {
      storage.forgetLast()
      for site in storage.sites where site.isActive { site.update() }
    }
    owner.storage.root.updateFlags()
  }

  /// Reports that children keep beginning in one update, which then begins no more (S17).
  private func reportLoop() {
    let text = "the children of \(ChildPath(collection.keyPath).property) ended and began"
    owner.storage.root.loopWasStopped([text], in: Propagation.context)
  }

  private func endGone() {
    for child in order.elements where !isThere(child.record) { end(child) }
  }

  private func end(_ child: Live) {
    // The end of another child may have ended this one.
    guard order.remove(order: child.number) != nil else { return }
    changeIndex { $0[child.id] = nil }
    let storage = owner.storage
    let readOnly = storage.flags & ObserverRegistry.readOnly
    child.record.engine.close()
    // The end of a state ends the stage that must not write. Here it is a stage of the parent, which
    // goes on unless the parent has ended, too.
    if !isClosed { storage.flags |= readOnly }
  }

  private func record(_ id: ID) -> Record? { child(id)?.record }

  private func child(_ id: ID) -> Live? {
    let (live, order) = (live, isIndexing ? order.elements : [])
    return owner.storage.reading { live[id] ?? order.first { $0.id == id } }
  }

  /// Changes the dictionary of the live children while it is elsewhere.
  ///
  /// User code compares and hashes the ids. It may ask for a child, which is merged afterwards, and
  /// it may release the parent, after which there are no live children.
  private func changeIndex(_ body: (inout [ID: Live]) -> Void) {
    var changed: [ID: Live] = [:]
    swap(&changed, &live)
    let isOutermost = !isIndexing
    isIndexing = true
    owner.storage.reading { body(&changed) }
    if isOutermost { isIndexing = false }
    guard !isClosed else { return }
    swap(&changed, &live)
    if !changed.isEmpty { changeIndex { $0.merge(changed) { old, _ in old } } }
  }

  private func isThere(_ record: Record) -> Bool { record.engine.storage.isPresent }

  private func beginNew() {
    guard owner.beginsChildren else { return }
    if case .unknown = beginning { findOut() }
    guard case .always = beginning else { return }
    for id in ids() where record(id) == nil && !isMaking(id) {
      _ = begun(id)
      // A child that has gone again ends before the next one begins.
      if needsUpdate { return }
    }
  }

  /// Makes a child, and ends it again if its kind has no children that must be begun.
  private func findOut() {
    guard making.isEmpty, let id = owner.storage.reading({ collection.anyID }), record(id) == nil,
      beginNested(id) != nil, case .onDemand = beginning,
      let child = child(id)
    else { return }
    keepLast(of: child.record)
    end(child)
  }

  private func ids() -> [ID] {
    var duplicates: [ID] = []
    let ids = owner.storage.reading { collection.ids { duplicates.append($0) } }
    report(duplicates)
    return ids
  }

  private func report(_ duplicates: [ID]) {
    guard !duplicates.isEmpty else { return }
    var known = reported
    let new = owner.storage.reading { duplicates.filter { known.insert($0).inserted } }
    reported = known
    for id in new {
      owner.engine?.reportDuplicate(path(of: id))
    }
  }

  /// Where a child lives, as a text.
  private func path(of id: ID) -> String {
    let path = collection.childPath(of: id)
    return path.text(
      isHidden: owner.engine?.eventLog.hides(path),
      state: owner.storage.reading { collection.place(of: id)?.state })
  }

  // MARK: - Children

  /// The child with an id, which is begun if necessary; `nil` if its state is not there.
  func begun(_ id: ID) -> Record? {
    if let record = record(id) { return isThere(record) ? record : nil }
    guard !isClosed, owner.engine != nil, isInCollection(id) else { return nil }
    return beginNested(id)
  }

  private func beginNested(_ id: ID) -> Record? {
    // Looking for the state compares ids, which may have released the parent.
    guard !isClosed, owner.engine != nil else { return nil }
    return Nesting.child { Propagation.withoutOwner { begin(id) } }
  }

  private func isMaking(_ id: ID) -> Bool {
    let making = making
    return owner.storage.reading { making.contains(id) }
  }

  private func begin(_ id: ID) -> Record? {
    if isMaking(id) { ChildPath.trapMaking(path(of: id)) }
    making.append(id)
    let assembly = blueprint(id).make()
    making.removeLast()
    owner.connectListeners()
    // The code that prints the log may have asked for the child.
    if let begun = self.record(id) { return isThere(begun) ? begun : nil }
    // The closure that makes the interactor, and the code that prints the log, may have removed the
    // child.
    let place = owner.storage.reading { collection.place(of: id) }
    guard let place, !isClosed else { return nil }
    let storage = StateStorage(
      at: place, within: owner.storage, path: collection.path, site: self)
    let record = Record(storage, assembly, at: collection.childPath(of: id), of: owner)
    begins += 1
    let child = Live(id: id, record: record, number: begins)
    order.add(child, order: child.number)
    changeIndex { $0[id] = child }
    // A comparison of the ids may have released the parent.
    guard !isClosed else { return nil }
    owner.storage.root.updateFlags()
    assembly.connect(record.engine, record.scope)
    if case .unknown = beginning {
      beginning = record.engine.declared == nil ? .onDemand : .always
    }
    return self.record(id) === record ? record : nil
  }

  /// Whether a state with an id is there, which is reported if it is there more than once.
  private func isInCollection(_ id: ID) -> Bool {
    var duplicates: [ID] = []
    let place = owner.storage.reading { collection.place(of: id) { duplicates.append($0) } }
    report(duplicates)
    return place != nil
  }

  /// Keeps the value of a child that ends while it is there.
  ///
  /// The end of a child runs code, such as the `deinit` of its interactor, that may remove the child or
  /// others. They are in no list by then, so a change of the collection does not keep their values.
  private func keepLast(of record: Record) {
    let storage = record.engine.storage
    storage.root.whenReleased { storage.keepLast() }
  }

  override func close() {
    isClosed = true
    live = [:]
    let all = order.removeAll().map { $0.record }
    for record in all { keepLast(of: record) }
    for record in all { record.engine.close() }
  }
}

/// Counts the rounds of one update, each of which begins children until one changes the collection.
@MainActor private struct Rounds {
  private var count = 0
  private var limit = Propagation.roundLimit

  /// Whether children may begin in the next round.
  ///
  /// - Parameters:
  ///   - states: the number of states now. Each of them may take a round of its own.
  ///   - report: called once, when no more children may begin.
  mutating func isNext(_ states: () -> Int, report: () -> Void) -> Bool {
    count += 1
    if count == Propagation.roundLimit { limit += states() }
    if count == limit + 1 { report() }
    return count <= limit
  }
}
