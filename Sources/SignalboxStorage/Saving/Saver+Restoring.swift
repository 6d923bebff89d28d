import Foundation
import Signalbox

/// What a restore finds: the file, or what is on its way there.
extension Saver {
  /// - Parameter migrate: makes the fields of an older version.
  func open(
    migrating migrate: (_ json: Data, _ version: Int) throws -> SavedFields
  ) -> SavedFile.Found {
    noteUntold()
    if let attempt { return found(during: attempt) }
    defer { retryPending() }
    let others = session.others
    let found = file.open(&session, migrating: migrate)
    wasBusy = if case .busy = found { true } else { false }
    switch found {
    case .busy, .newer, .unavailable:
      basis = .failure
      return found
    case .nothing, .fields, .setAside: break
    }
    // What an earlier store has left is newer than the file, and on its way there. Unless it does
    // not come from the file: then its save keeps the file under another name.
    if let entry = queue.newest, entry.isWhole, comesFromFile(entry.request.history),
      let fields = fields(of: entry, entry.snapshot, others)
    {
      basis = .values(entry.request.history)
      if case .setAside(_, let reason) = found { return .fields(fields, damage: reason) }
      return .fields(fields)
    }
    basis = .values(History(session.known?.versions ?? []))
    return found
  }

  func comesFromFile(_ history: History) -> Bool {
    session.known?.isBasis(of: history) ?? true
  }

  /// What a restore finds while a save uses the file.
  private func found(during attempt: Attempt) -> SavedFile.Found {
    basis = .failure
    if let obstacle = session.obstacle { return obstacle.found }
    // The save may still turn out not to be allowed.
    if wasBusy { return .busy }
    // What is saved is newer than the file. Values that are kept beside it are not.
    let newest = queue.newest.flatMap { $0.isWhole ? $0 : nil }
    let entry = newest ?? attempt.entry
    let snapshot = newest?.snapshot ?? attempt.snapshot
    guard entry.request.kind != .overtaken,
      let fields = fields(of: entry, snapshot, session.others)
    else { return .busy }
    basis = .values(entry.request.history)
    return .fields(fields)
  }

  private func fields(
    of entry: SaveQueue.Entry, _ snapshot: Snapshot, _ others: [String: JSONValue]
  ) -> SavedFields? {
    guard let fields = file.fields(of: snapshot, others) else { return nil }
    if entry.taken == nil { entry.source.found = snapshot }
    return fields
  }

  /// Notes a change in the same delivery, of which the hook is told only afterwards.
  private func noteUntold() {
    guard let source = sources.first, source.isOpen, !queue.isLive(source) else { return }
    if source.isWhole, source.isUntold() { add(source) }
  }

  /// Keeps the fields that this version of the program does not know.
  func keep(_ others: [String: JSONValue]) { session.others = others }

  /// Sets the timer for what an obstacle, which a restore has removed, has kept from being saved.
  private func retryPending() {
    guard session.allowsRetries, let entry = queue.first else { return }
    failures.retryIfNeeded(on: entry.source.clock) { self.saveIsDue() }
  }
}
