import Signalbox

/// Decides when the values of one file are saved (P4, P7, P8).
///
///     newest store ──▶ unsaved ──▶ due (pause, limit, flush, end of the hook, retry)
///     older stores ──▶ older          │ no attempt is running
///                        ▲            ▼
///                        └──────── attempt ──▶ saved: the newest in the file, the older beside it
///
/// At most one attempt runs. It takes its values only when it begins, so of several changes only
/// the newest is saved. The `SavedState`s of a process for one file share a saver.
///
/// What may hold objects of the program leaves a property through `exchange`, so that it is
/// released only after the access, because a deinit may call back.
@MainActor final class Saver {
  /// Values that are not saved.
  @MainActor final class Unsaved {
    let source: SaveSource
    let isUnchanged: Bool
    /// The values; `nil` as long as they are in the state of the newest store.
    var taken: Snapshot?
    /// Whether they cannot be encoded, whatever the storage does.
    var isHopeless = false

    init(_ source: SaveSource, isUnchanged: Bool = false, taken: Snapshot? = nil) {
      self.source = source
      self.isUnchanged = isUnchanged
      self.taken = taken
    }

    var isWhole: Bool { taken != nil || source.store.isWhole }

    var values: SavedFile.Values? {
      taken.map { .init(snapshot: $0, basis: source.basis, isUnchanged: isUnchanged) }
    }
  }

  struct Attempt {
    let unsaved: Unsaved?
    let older: [Unsaved]
    var run: OutlivingRun?
  }

  /// A caller of `flush`.
  struct Waiter {
    let id: Int
    /// The number of the attempt that has its values.
    let attempt: Int
    let resume: @MainActor (Result<Void, any Error>) -> Void
  }

  let file: SavedFile
  var session = FileSession()
  var isOpening = false
  var unsaved: Unsaved?
  /// Values of older stores, which are kept beside the file unless the newest continue them.
  var older: [Unsaved] = []
  /// Whether an attempt is to begin as soon as none is running.
  var isDue = false
  var attempt: Attempt?
  var attempts = 0
  private var waiters: [Waiter] = []
  /// The stores whose hooks have not ended, in the order in which they began.
  var sources: [SaveSource] = []
  private var waits = 0
  /// Why the last attempts have failed, and how many in a row; `nil` if the last one has not.
  var failure: (error: SaveError, count: Int)?
  var retryTimer: OneShotTimer?

  init(_ file: SavedFile) { self.file = file }

  /// The newest store, whose values go into the file.
  var writer: SaveSource? { sources.last }

  func connect(_ source: SaveSource) {
    if let last = writer { supersede(last) }
    sources.append(source)
    // What a store has after a restore that has failed does not replace what another one has found.
    if let old = unsaved, old.source.origin == .failed, source.origin == .found {
      _ = exchange(&unsaved, with: nil)
      keep(old, unlessFrom: source)
    }
    if isDue { saveIsDue() }
    showPending(source)
  }

  private func supersede(_ source: SaveSource) {
    source.stopWaiting()
    if source.origin == .new { source.origin = .found }
    guard let live = unsaved, live.source === source, live.taken == nil else { return }
    if source.store.isWhole {
      live.taken = source.store.snapshot()
      isDue = true
    } else {
      _ = exchange(&unsaved, with: nil)
      source.isHeldUp = true
      keepHeldUp(source)
    }
  }

  private func showPending(_ source: SaveSource) {
    if attempt != nil || hasUnsaved { source.store.show(statusOfPending) }
  }

  var hasUnsaved: Bool { unsaved != nil || !older.isEmpty }

  /// After a failure, the reason stays until a save has succeeded.
  var statusOfPending: SaveStatus {
    failure.map { .failed($0.error.description) } ?? .pending
  }

  func hasChanged(_ source: SaveSource) {
    guard writer === source else {
      source.isHeldUp = true
      return source.store.show(.failed(SaveError.olderStore.description))
    }
    add(source)
    source.store.show(statusOfPending)
    // An observer of the status may have ended the hook, which saves at once.
    guard source.isOpen, writer === source else { return }
    source.wait { [weak self] in self?.saveIsDue() }
  }

  /// Notes a change of the newest store, or values in which nothing has changed.
  func add(_ source: SaveSource, isUnchanged: Bool = false) {
    if source.origin == .kept { source.origin = .found }
    let old = exchange(&unsaved, with: Unsaved(source, isUnchanged: isUnchanged))
    if let old { keep(old, unlessFrom: source) }
  }

  /// Keeps values beside the file that those of another store replace.
  func keep(_ old: Unsaved, unlessFrom source: SaveSource) {
    if old.source === source { return }
    if old.isUnchanged { old.source.error = nil } else if !old.isHopeless { older.append(old) }
  }

  /// - Parameter hasChanged: whether there may be a change without a call of `hasChanged`.
  func hookHasEnded(_ source: SaveSource, hasChanged: Bool) {
    if hasChanged { if writer === source { add(source) } else { source.isHeldUp = true } }
    source.isOpen = false
    source.stopWaiting()
    // Until then it stays in its place, so that no other store is saved before the batch ends.
    source.store.whenWhole { self.takeLast(of: source) }
  }

  private func takeLast(of source: SaveSource) {
    if let last = unsaved, last.source === source {
      if last.taken == nil { last.taken = source.store.snapshot() }
      isDue = true
    }
    keepHeldUp(source)
    sources.removeAll { $0 === source }
    if let writer {
      keepHeldUp(writer)
      showPending(writer)
    }
    if isDue { saveIsDue() }
  }

  /// Keeps beside the file what was typed in a store while there was a newer one.
  private func keepHeldUp(_ source: SaveSource) {
    guard source.isHeldUp else { return }
    source.store.whenWhole {
      guard source.isHeldUp else { return }
      source.isHeldUp = false
      source.origin = .kept
      self.older.append(Unsaved(source, taken: source.store.snapshot()))
      self.saveIsDue()
    }
  }

  func flush() async throws {
    // A batch may be open here, and its state is not that of a commit. It ends before other code
    // runs on the main actor.
    await Task.yield()
    for source in sources where source !== writer { keepHeldUp(source) }
    if let writer { addUnchanged(writer) }
    if hasUnsaved || attempt != nil { return try await saveNow() }
    if let obstacle = session.obstacle { throw obstacle }
  }

  private func saveNow() async throws {
    if hasUnsaved { saveIsDue() }
    // One that has just begun has taken the newest values.
    let number = attempts + (hasUnsaved ? 1 : 0)
    waits += 1
    let id = waits
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let didWait = attempt?.run?.willWait()
        waiters.append(
          Waiter(id: id, attempt: number) { result in
            didWait?()
            continuation.resume(with: result)
          })
      }
    } onCancel: {
      // The save goes on.
      Task { @MainActor in self.resume(.failure(CancellationError())) { $0.id == id } }
    }
  }

  func resume(_ result: Result<Void, any Error>, where isOver: (Waiter) -> Bool) {
    let over = waiters.filter(isOver)
    waiters.removeAll(where: isOver)
    for waiter in over { waiter.resume(result) }
  }

  /// Adds unchanged values that may be newer than the file, such as those of the first state.
  private func addUnchanged(_ source: SaveSource) {
    guard source.isOpen, unsaved == nil, attempt?.unsaved?.source !== source else { return }
    switch source.origin {
    case .new: add(source)
    case .found: add(source, isUnchanged: true)
    case .failed, .kept: break
    }
  }
}
