/// A derived value of a state, with its last result.
///
///     fresh  ── an input has changed ────────────▶ stale    is computed
///        └── a derived input may have changed ──▶ unsure    is computed if one of them has
///
/// A fresh part is a dependent of its inputs. An observed one becomes fresh again with each commit.
/// Any other waits for the next read, and stops watching its inputs when it is stale. Inputs have
/// versions, because keeping their values would make changes in place copy them (V4).
final class DerivedPart<State, Value>: TypedPart<Value>, DependentPart {
  private enum Condition { case fresh, unsure, stale }

  private struct Result {
    var value: Value
    let version: Int
    var inputs: [Computation.Dependency]
    /// Whether it was reported as a change.
    var isReported = false
  }

  private var definition: Derived<State, Value>
  private let key: DependentKey
  private let state: StateStorage<State>
  private let origins = Attachment(of: nil)
  private lazy var cell = ObservationCell()

  private var condition = Condition.stale
  /// The last result outside of batches that have written something.
  private var settled: Result?
  /// The result of the last commit, while the next one is being concluded.
  private var before: Result?
  /// The last result in the open batch, and the number of writes that it takes into account.
  private var interim: (result: Result, writes: Int)?
  private var lastVersion = 0

  init(
    _ definition: Derived<State, Value>, _ key: DependentKey, of state: StateStorage<State>,
    _ equality: Equality<Value>?
  ) {
    self.definition = definition
    self.key = key
    self.state = state
    super.init(StatePath(computedFrom: state.identity), in: state.home, equality: equality)
    origins.addTransformation()
    if storage.isClosed { return }
    storage.dependents[key] = self
    storage.transaction.hasDependents = true
  }

  // MARK: - Reading

  override func read() -> Value { current.value }

  override var version: Int { current.version }

  var isReported: Bool { condition == .fresh && settled?.isReported == true }

  var trackedValue: Value {
    if cell.mayBeTracked { cell.access { self } }
    return read()
  }

  private var current: Result {
    guard !storage.isClosed, let batch = storage.transaction.batch, !batch.isEmpty
    else { return refreshed() }
    return result(in: batch)
  }

  /// The result as of the last commit.
  @discardableResult private func refreshed() -> Result {
    if condition == .unsure, let settled, areSame(settled.inputs, after: 0) { condition = .fresh }
    if condition == .fresh, let settled { return settled }
    var result = computed(like: settled)
    result.inputs = watch(result.inputs, insteadOf: settled?.inputs ?? [])
    condition = .fresh
    if let settled, settled.version != result.version {
      // Observers of earlier commits may still have to read the old result.
      storage.transaction.keepUntold(self)
      if receivers.isEmpty { storage.discard(settled.value) } else { before = settled }
    }
    settled = result
    return result
  }

  private func result(in batch: Batch) -> Result {
    if interim == nil {
      batch.dependents.append(self)
      if let settled, condition != .stale { interim = (settled, 0) }
    }
    let known = interim
    // Without a new write, the inputs are not asked, because many paths may lead through them.
    if let (result, writes) = known,
      writes == batch.log.count || areSame(result.inputs, after: writes)
    {
      interim = (result, batch.log.count)
      return result
    }
    let result = computed(like: settled, known?.result)
    interim = (result, batch.log.count)
    if let known { storage.discard(known.result.value) }
    return result
  }

  /// Computes the value; one that equals an earlier result keeps its version.
  private func computed(like earlier: Result?...) -> Result {
    let computation = computation
    let value = computation.run(on: state, definition.compute)
    for (part, _) in computation.inputs { part.addOrigins(to: origins) }
    for case var known? in earlier {
      guard let equality, storage.reading({ equality.areEqual(known.value, value) })
      else { continue }
      storage.discard(value)
      known.inputs = computation.inputs
      return known
    }
    lastVersion += 1
    return Result(value: value, version: lastVersion, inputs: computation.inputs)
  }

  private var computation: Computation {
    Computation(of: definition.name, key, in: storage, isRecorded: !storage.isClosed)
  }

  /// Asks the inputs whether they have changed, as a computation, which detects a cycle.
  private func areSame(_ inputs: [Computation.Dependency], after writes: Int) -> Bool {
    computation.run(on: state) { _ in
      inputs.allSatisfy { $0.part.isSame(as: $0.version, after: writes) }
    }
  }

  // MARK: - Inputs

  /// Becomes a dependent of the inputs, which may have been listed in the meantime.
  private func watch(
    _ inputs: [Computation.Dependency], insteadOf old: [Computation.Dependency]
  ) -> [Computation.Dependency] {
    let inputs = inputs.map { (part: $0.part.listed, version: $0.version) }
    if inputs.elementsEqual(old, by: { $0.part === $1.part }) { return inputs }
    for (part, _) in inputs { part.add(dependent: self) }
    for (part, _) in old { part.remove(dependent: self) }
    storage.discard(old)
    return inputs
  }

  private func stopWatching() {
    if let old = settled?.inputs { settled?.inputs = watch([], insteadOf: old) }
  }

  override func isSame(as version: Int, after writes: Int) -> Bool { self.version == version }

  // MARK: - Observers

  // Its inputs notify it, so it is not in the index of observed parts.
  override func list() {
    _ = current
    if condition == .fresh { return }
    // In a batch, the result may be older than that of the last commit.
    stopWatching()
    if let old = settled.take() { storage.discard(old.value) }
  }

  override var listed: ObservedPart { self }

  /// Drops a stale part, because the next read computes it anyway.
  override func unlist() {
    guard condition == .stale, storage.dependents[key] === self else { return }
    storage.discard(storage.dependents.removeValue(forKey: key))
  }

  // MARK: - Commits

  func inputHasChanged(isCertain: Bool, _ affected: inout [any DependentPart]) {
    let wasFresh = condition == .fresh
    if isCertain || wasFresh { affected.append(self) }
    if isCertain { condition = .stale } else if wasFresh { condition = .unsure }
    guard wasFresh else { return }
    for dependent in dependents { dependent.inputHasChanged(isCertain: false, &affected) }
  }

  func settle(in commit: Commit) {
    if let (result, _) = interim.take() { storage.discard(result.value) }
    guard !receivers.isEmpty, !storage.isClosed else { return }
    let new = refreshed()
    // It may have been computed already, because another one has read it.
    guard let old = before.take() else { return }
    storage.discard(old.value)
    commit.add(computed: self)
    guard storage.transaction.records else { return }
    settled?.isReported = true
    let provenance = origins.provenance(seenFrom: storage)
    commit.derived.append((storage, (definition.name, old.value, new.value, provenance)))
  }

  func rest() {
    // Nothing can ask again for a value whose definition nothing else keeps.
    if !isInUse, condition == .unsure, isKnownUniquelyReferenced(&definition) { condition = .stale }
    if condition == .stale { stopWatching() }
    if !isInUse { unlist() }
  }

  override func close() {
    if condition == .unsure { condition = .stale }
    stopWatching()
  }

  override func addOrigins(to attachment: Attachment) {
    // The inputs are known only after the first computation.
    if lastVersion == 0, !storage.isClosed { _ = current }
    attachment.add(origins)
  }
}
