/// Children whose states come and go: the value of an optional, or the elements of a collection.
///
/// A change looks only at live children, or at all ids if children begin when they appear.
final class MovingSite<Owner, ID: Hashable, State, Action>: ChildSite<Owner> {
  typealias Record = ChildRecord<State, Action>
  typealias Live = LiveList<ID, State, Action>.Child

  let collection: ChildCollection<Owner, ID, State>
  let makeHandler: (ID) -> ActionHandler<State, Action>
  var beginning: ChildBeginning
  let live = LiveList<ID, State, Action>()

  /// The children whose states a change has taken away.
  private var gone: [Live] = []
  /// The states that a change may have changed, or that have kept their last values for it.
  private var touched: [StateNode] = []
  /// The batch in which the collection is kept.
  weak var keptIn: Batch?
  /// The states that have changed by themselves, or begun, since then, or in the batch before that.
  var unlike: [StateNode] = []
  /// The states whose parts are still to be remembered for the current change.
  private var unremembered: [StateNode] = []
  /// The states whose parts were remembered for the current batch.
  private var remembered: [StateNode] = []
  var fresh: Range<Int>?
  /// The ids that were reported because several states have them.
  var reported: Set<ID> = []
  /// The children that were asked for while only a pending change showed their states.
  var shownOnly: [Live] = []
  /// The ids of the children whose interactors are being made, the outermost first.
  var making: [ID] = []
  private var isUpdating = false
  var needsUpdate = false
  var isClosed = false

  init(
    _ collection: ChildCollection<Owner, ID, State>, _ kind: FeatureKind,
    in owner: ChildOwner<Owner>, _ makeHandler: @escaping (ID) -> ActionHandler<State, Action>
  ) {
    self.collection = collection
    self.makeHandler = makeHandler
    beginning = kind.beginning
    super.init(collection.path, kind.type, in: owner)
  }

  override var isTold: Bool { true }

  override var enumCase: UInt32? { collection.caseTag }

  override var children: [any ChildEngine] { live.all.map { $0.record.engine } }

  override var isActive: Bool {
    switch beginning {
    case .always, .unknown: !isClosed
    case .onDemand: live.count > 0
    }
  }

  // MARK: - A change of the collection

  // Without live children there is nothing to keep, and the collection is changed without a copy.
  override func willChange() {
    guard live.count > 0 else { return }
    let batch = owner.storage.transaction.batch
    if !shownOnly.isEmpty { keepEach(shownOnly.map { $0.storage }) }
    if !collection.keepsAll {
      unremembered = live.all.map { $0.storage }
      keepEach(unremembered)
    } else if isOverlaid, batch == nil {
      // The states that are shown may differ from those in the truth, which is kept.
      unremembered = live.all.map { $0.storage }
      keep()
    } else if batch == nil {
      // What is in the states is remembered afterwards, of those that have changed.
      return collection.keep()
    } else if keptIn === batch {
      unremembered = exchange(&unlike, with: [])
      keepEach(unremembered)
    } else {
      noteMissing(among: exchange(&unlike, with: []))
      (keptIn, unremembered) = (batch, live.all.map { $0.storage })
      keep()
    }
    for state in unremembered { state.allWillChange() }
  }

  /// Whether changes are pending, so that the states of the children may not be those in the truth.
  var isOverlaid: Bool { owner.storage.transaction.optimistic != nil }

  private func keep() { owner.storage.inTruth { collection.keep() } }

  private func keepEach(_ states: [StateNode]) {
    for state in states { state.keepLast() }
    touched += states
  }

  override func remember() {
    let states = exchange(&unremembered, with: [])
    for state in states where state.isReadable { state.rememberAll() }
    if keptIn != nil { remembered += states }
  }

  override func willChange(_ state: StateNode) {
    if collection.keepsAll, unlike.last !== state { unlike.append(state) }
  }

  /// Notes states that have changed their ids in this batch: the collection kept next lacks them.
  private func noteMissing(among states: [StateNode]) {
    if states.isEmpty { return }
    let known = Set(states.map { ObjectIdentifier($0) })
    for child in live.all where known.contains(ObjectIdentifier(child.storage)) {
      if !child.storage.isPresent { collection.noteMissing(child.place.slot) }
    }
  }

  override func collect(into commit: Commit) {
    // Code that the update runs has changed the state around the children. Without another round,
    // the update would drop what it kept before it ends them.
    if isUpdating { needsUpdate = true }
    let (slots, places, count) = (live.slots, live.places, live.count)
    let isRemembered = !collection.isKept || keptIn != nil || isOverlaid
    var differences = owner.storage.readingTruth { collection.differences(places, count) }
    if isOverlaid { differences.lost.removeAll { slots[$0]?.isShownOnly == true } }
    let lost = differences.lost.compactMap { slots[$0] }
    // What is shown of a state may differ although the truth does not.
    if isOverlaid {
      let lost = Set(differences.lost)
      differences.touched = slots.indices.filter { !lost.contains($0) }
    }
    let touched: [StateNode] = differences.touched.compactMap { slots[$0]?.storage }
    // Kept before any code runs. The states in a lost one find theirs in its value.
    collection.rewound {
      // A value that was kept by itself is newer.
      for child in lost where !child.storage.hasLast { child.storage.keepLast() }
      if isRemembered { return }
      for state in lost.map({ $0.storage }) + touched where state.isPresent {
        state.allWillChange()
        state.rememberAll()
      }
    }
    collection.apply(differences, to: places)
    drop()
    gone += lost
    self.touched += touched + lost.map { $0.storage }
    fresh = isUpdating ? nil : differences.fresh
    for state in touched { state.collectChanged(into: commit) }
    for child in lost {
      child.storage.loseAll()
      child.storage.leavePlace()
    }
  }

  override func lose() {
    let states = live.all.map { $0.storage }
    // The state around may be kept as it is after the change, which need not contain them.
    collection.rewound { for state in states where !state.hasLast { state.keepLast() } }
    forget()
    for state in states { state.loseAll() }
  }

  override func forget() {
    drop()
    for state in exchange(&remembered, with: []) { state.forgetAll() }
  }

  private func drop() {
    collection.forget()
    (keptIn, unlike, unremembered) = (nil, [], [])
  }

  override func end() {
    // What changes the collection in here is looked at by `update`, which follows.
    guard !isUpdating else { return }
    isUpdating = true
    Propagation.nested { endGone() }
    isUpdating = false
  }

  override func update() {
    // Code that runs in here may change the collection again.
    needsUpdate = true
    guard !isUpdating else { return }
    isUpdating = true
    // What is written in here is told when the children are as the state says.
    Propagation.nested {
      // A round begins children until one changes the collection, which each of its states may do.
      var (rounds, limit) = (0, Propagation.roundLimit)
      while needsUpdate, !isClosed {
        needsUpdate = false
        endGone()
        rounds += 1
        if rounds == Propagation.roundLimit { limit += owner.storage.inTruth { collection.count } }
        if rounds <= limit { beginNew() } else if rounds == limit + 1 { reportLoop() }
        fresh = nil
      }
      isUpdating = false
    }
    for state in exchange(&touched, with: []) {
      // A child that begins in a batch updates the ones in it, which the batch may have ended.
      if !isOverlaid || state.isReadable { state.forgetLast() }
      for site in state.sites where site.isActive { site.update() }
    }
    owner.storage.root.updateFlags()
  }

  /// Reports that children keep beginning in one update, which then begins no more (S17).
  private func reportLoop() {
    let text = "the children of \(ChildPath(collection.keyPath).property) ended and began"
    owner.storage.root.loopWasStopped([text], in: Propagation.context)
  }

  private func endGone() {
    for child in exchange(&gone, with: []) { end(child) }
    compactIfWorthwhile()
  }

  func end(_ child: Live) {
    // The end of another child may have ended this one.
    if child.isOver { return }
    child.isOver = true
    collection.end(child.place.slot)
    live.remove(child, in: owner.storage)
    child.record.engine.close()
  }

  func compactIfWorthwhile() { if live.compactIfWorthwhile() { collection.compact() } }

  func child(_ id: ID) -> Live? { live.child(id, in: owner.storage) }

  func record(_ id: ID) -> Record? { child(id)?.record }

  /// Keeps the value of a child that ends, because code that its end runs may remove the state.
  func keepLast(of child: Live) {
    owner.storage.transaction.whenReleased { child.storage.keepLast() }
  }

  override func close() {
    isClosed = true
    let (all, transaction) = (live.removeAll(), owner.storage.transaction)
    (gone, touched, shownOnly) = ([], [], [])
    // The end of one child may change the collection before the others end. If a change is in
    // progress, the kept collection is not the current one.
    if collection.keepsAll, !collection.isKept {
      transaction.whenReleased { self.keep() }
    } else {
      for child in all { keepLast(of: child) }
    }
    for child in all { child.record.engine.close() }
    transaction.whenReleased { self.forget() }
  }
}
