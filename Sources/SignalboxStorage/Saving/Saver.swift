import Foundation
import Signalbox

/// Decides when the values of one `SavedState` are saved (P4, P8).
///
///     change ──▶ queue ──▶ due (pause, limit, flush, end of the hook, retry)
///                  ▲                 │ no attempt is running
///                  │ failure         ▼
///                  └──────────── attempt ──▶ saved
///
/// At most one attempt runs. What has changed meanwhile is in the queue. Its values are taken only
/// when its own attempt begins, so of several changes only the newest is saved.
@MainActor final class Saver {
  /// The attempt that is running.
  struct Attempt {
    let entry: SaveQueue.Entry
    let request: SaveQueue.Request
    let snapshot: Snapshot
    var run: OutlivingRun?
    var waiters: [Waiter]
    var result: Result<Void, SaveError>?
  }

  /// A caller of `flush`.
  struct Waiter {
    let continuation: CheckedContinuation<Void, any Error>
    let didWait: (@MainActor () -> Void)?
  }

  let file: SavedFile
  var session = FileSession()
  var wasBusy = false
  /// Whether a restore reads the file.
  var isOpening = false
  var queue = SaveQueue()
  var attempt: Attempt?
  /// The callers that wait for the attempt after which nothing is due.
  var waiters: [Waiter] = []
  /// The hooks that have not ended or whose last values wait, in the order in which they began.
  ///
  /// The first one saves.
  var sources: [SaveSource] = []
  /// The number of hooks that have begun.
  private var lines = 0
  /// The number of changes of all stores.
  private var moments = 0
  var basis = NextBasis()
  let failures = SaveFailures()

  init(_ file: SavedFile) { self.file = file }

  // MARK: - Changes

  func connect(_ source: SaveSource) {
    lines += 1
    source.begin(line: lines, from: basis.use())
    noteMoment(of: source)
    sources.append(source)
    if sources.first === source { showPending(source) }
  }

  /// Shows that values of an earlier store are not stored.
  private func showPending(_ source: SaveSource) {
    if attempt != nil || !queue.isEmpty { source.show(statusOfPending) }
  }

  /// After a failure, the reason stays until a save has succeeded.
  var statusOfPending: SaveStatus {
    failures.last.map { .failed($0.description) } ?? .pending
  }

  func hasChanged(_ source: SaveSource) {
    noteMoment(of: source)
    saveLater(source)
  }

  private func noteMoment(of source: SaveSource) {
    moments += 1
    source.moment = moments
  }

  private func saveLater(_ source: SaveSource) {
    guard sources.first === source else {
      source.isHeldUp = true
      return source.show(.failed(SaveError.busy.description))
    }
    add(source)
    source.show(statusOfPending)
    // An observer of the status may have ended the hook, which saves at once.
    guard source.isOpen else { return }
    source.wait { self.saveIsDue() }
  }

  /// Notes a change of which the hook was not told.
  ///
  /// Otherwise values that a restore has found, or that are in the file, would have the same version
  /// as those that replace them.
  func noteUntold(_ source: SaveSource) {
    guard source.mayHaveChanged else { return }
    noteMoment(of: source)
    add(source)
  }

  /// Notes a change, unless it is one that a restore has found before the hook was told.
  private func add(_ source: SaveSource, taken: Snapshot? = nil) {
    if taken == nil, let live = queue.live(source), !live.isUnchanged,
      let found = source.foundUntold, source.isWhole, file.isSame(found, source.snapshot())
    {
      return
    }
    source.change()
    changeQueue { $0.add(source, taken: taken) }
  }

  /// Changes the queue, and releases only then what has left it.
  ///
  /// That may release the state of a store, and a deinit of the program may call back.
  func changeQueue<R>(_ change: (inout SaveQueue) -> R) -> R {
    let before = queue
    defer { withExtendedLifetime(before) {} }
    return change(&queue)
  }

  /// Saves what has changed and is not saved, with the values of now.
  ///
  /// - Parameter hasChanged: whether there may be a change without a call of `hasChanged`.
  func hookHasEnded(_ source: SaveSource, hasChanged: Bool) {
    if hasChanged {
      noteMoment(of: source)
      if sources.first === source { add(source) } else { source.isHeldUp = true }
    }
    source.isOpen = false
    source.hasEndedInBatch = !source.isWhole
    source.stopWaiting()
    // Until then it stays in its place, so that no other store is saved before the batch ends.
    source.whenWhole { self.takeLast(of: source) }
  }

  private func takeLast(of source: SaveSource) {
    if source.isHeldUp {
      // Its last values wait in its place.
      source.last = source.snapshot()
    } else {
      sources.removeAll { $0 === source }
      if queue.live(source) != nil {
        noteUntold(source)
        let last = source.snapshot()
        changeQueue { $0.take(last, of: source) }
        saveIsDue()
      }
    }
    while let next = sources.first, !next.isOpen, let last = next.last {
      sources.removeFirst()
      add(next, taken: last)
      saveIsDue()
    }
    guard let next = sources.first, next.isOpen else { return }
    guard next.isHeldUp else { return showPending(next) }
    next.isHeldUp = false
    saveLater(next)
  }

  /// Saves without waiting for the pause, and returns when that has succeeded.
  func flush() async throws {
    // A batch may be open here, and its state is not that of a commit. It ends before other code
    // runs on the main actor.
    await Task.yield()
    if let source = sources.first { addUnchanged(source) }
    // What another store has changed is saved only when the hook of this one has ended.
    let mayBeMore = hasHeldUp
    try await saveAll()
    if hasHeldUp { throw SaveError.busy }
    if mayBeMore { try await saveAll() }
  }

  private var hasHeldUp: Bool { sources.contains(where: \.isHeldUp) }

  private func saveAll() async throws {
    if !queue.isEmpty || attempt != nil { return try await saveNow() }
    if let obstacle = session.obstacle { throw obstacle.error }
    if wasBusy { throw SaveError.busy }
  }

  private func saveNow() async throws {
    if !queue.isEmpty { saveIsDue() }
    // An attempt that has just begun has taken the newest values.
    let joins = queue.isEmpty
    try await withCheckedThrowingContinuation { continuation in
      let waiter = Waiter(continuation: continuation, didWait: attempt?.run?.willWait())
      if joins { attempt?.waiters.append(waiter) } else { waiters.append(waiter) }
    }
  }

  /// Adds the values of a store in which nothing has changed, if they may be newer than the file.
  ///
  /// What a program puts into its first state counts, too.
  private func addUnchanged(_ source: SaveSource) {
    guard source.isOpen, attempt?.entry.source !== source else { return }
    switch source.state {
    case .news: add(source)
    case .mayBeNews:
      let pending = [queue.newest, attempt?.entry].compactMap { $0 }
        .max { $0.moment < $1.moment }.map(\.version)
      if pending.map(source.history.contains) ?? comesFromFile(source.history) {
        queue.addUnchanged(source)
      }
    case .noNews: break
    }
  }
}
