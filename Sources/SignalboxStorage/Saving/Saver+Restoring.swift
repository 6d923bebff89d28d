import Foundation
import Signalbox

/// What a restore finds: the file, or what is on its way there.
extension Saver {
  func open(
    migrating migrate: (_ json: Data, _ version: Int) throws -> SavedFields
  ) -> SavedFile.Found {
    // A migration or the decoder of a value may have called this. Such code runs in here, and may
    // also change or end stores. No attempt begins meanwhile, because it would use the session.
    if isOpening { return failed(.busy) }
    isOpening = true
    defer {
      isOpening = false
      begin()
      retryPending()
    }
    if let source = sources.first, source.isOpen, source.isWhole { noteUntold(source) }
    if let attempt { return found(during: attempt) }
    let others = session.others
    var next = session
    let found = file.open(&next, migrating: migrate)
    replaceSession(next)
    wasBusy = if case .busy = found { true } else { false }
    switch found {
    case .busy, .newer, .unavailable: return failed(found)
    case .nothing, .fields, .setAside: break
    }
    // What an earlier store has left is newer than the file, and on its way there. Unless it does
    // not come from the file: then its save keeps the file under another name.
    if let entry = queue.newest, entry.isWhole, comesFromFile(entry.history), !isInFileLater(entry),
      let fields = fields(of: entry, entry.snapshot, others)
    {
      basis.add(.values(entry.history))
      if case .setAside(_, let reason) = found { return .fields(fields, damage: reason) }
      return .fields(fields)
    }
    basis.add(.values(History(session.known?.versions ?? [])))
    return found
  }

  private func failed(_ found: SavedFile.Found) -> SavedFile.Found {
    basis.add(.failure)
    return found
  }

  func comesFromFile(_ history: History) -> Bool {
    session.known?.isBasis(of: history) ?? true
  }

  /// Whether the file has values that were changed later.
  private func isInFileLater(_ entry: SaveQueue.Entry) -> Bool {
    session.known != nil && session.newest > entry.moment
  }

  /// What a restore finds while a save uses the file.
  private func found(during attempt: Attempt) -> SavedFile.Found {
    if let obstacle = session.obstacle { return failed(obstacle.found) }
    // The save may still turn out not to be allowed.
    if wasBusy { return failed(.busy) }
    // What is saved is newer than the file. Values that are kept beside it are not.
    let waiting = queue.newest.flatMap { $0.isWhole && $0.moment > attempt.entry.moment ? $0 : nil }
    let isOvertaken = waiting == nil && attempt.request.kind == .overtaken
    let entry = waiting ?? attempt.entry
    guard !isOvertaken, !isInFileLater(entry),
      let fields = fields(of: entry, waiting?.snapshot ?? attempt.snapshot, session.others)
    else { return failed(.busy) }
    basis.add(.values(entry.history))
    return .fields(fields)
  }

  private func fields(
    of entry: SaveQueue.Entry, _ snapshot: Snapshot, _ others: [String: JSONValue]
  ) -> SavedFields? {
    guard let fields = file.fields(of: snapshot, others) else { return nil }
    let source = entry.source
    if entry.taken == nil, entry.version == source.version { source.wasFound(snapshot) }
    return fields
  }

  /// Keeps the fields that this version of the program does not know.
  func keep(_ others: [String: JSONValue]) { session.others = others }

  /// Sets the timer for what an obstacle, which a restore has removed, has kept from being saved.
  private func retryPending() {
    guard attempt == nil, session.allowsRetries, let entry = queue.first else { return }
    failures.retryIfNeeded(on: entry.source.clock) { self.saveIsDue() }
  }
}
