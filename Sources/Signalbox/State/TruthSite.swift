/// Reports when a property has changed in the truth, also if a pending change hides that (O6).
// A site, because it needs the value before a change, and is notified after it.
final class TruthSite<State, Value>: Site {
  private let storage: StateStorage<State>
  private let keyPath: KeyPath<State, Value>
  private let areEqual = RuntimeEquality.function(of: Value.self)
  private let hasChanged: @MainActor () -> Void
  private var before: Value?
  /// Whether the batch may have changed the property before it made the first pending change.
  private var isCertain = false
  private var isTelling = false

  init(
    _ storage: StateStorage<State>, _ keyPath: KeyPath<State, Value>,
    _ hasChanged: @escaping @MainActor () -> Void
  ) {
    self.storage = storage
    self.keyPath = keyPath
    self.hasChanged = hasChanged
    super.init(StatePath(keyPath).located.moved(by: storage.prefix))
  }

  override var isActive: Bool { storage.transaction.optimistic != nil }

  override func willChange() {
    guard before == nil else { return }
    before = storage.truth[keyPath: keyPath]
    isCertain = storage.transaction.batch?.mayConcern(path, in: storage.home) ?? false
  }

  override func update() {
    // The closure may write the property in turn.
    guard let old = before.take(), !isTelling else { return }
    let new = storage.truth[keyPath: keyPath]
    if !isCertain, storage.reading({ areEqual?(old, new) ?? false }) { return }
    isTelling = true
    hasChanged()
    isTelling = false
  }
}
