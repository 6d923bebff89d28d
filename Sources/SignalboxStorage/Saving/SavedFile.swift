import Foundation
import Signalbox

/// What a `SavedState` saves under one name, and how it reads and writes it.
///
/// It has no state. A `FileSession` holds what is known about the file, and the `Saver` passes it
/// from one save to the next.
struct SavedFile: Sendable {
  let name: String
  let format: SavedFormat
  let storage: any Storage

  /// How a save has ended.
  struct Outcome: Sendable {
    var session: FileSession
    var error: SaveError?
  }

  // MARK: - Restoring

  /// What a restore has found.
  enum Found {
    case nothing
    /// - Parameters:
    ///   - version: the older version that the fields were migrated from.
    ///   - damage: why a file was set aside; `nil` if none was.
    case fields(SavedFields, migratedFrom: Int? = nil, damage: String? = nil)
    case setAside(as: String, reason: String)
    case newer(Int)
    case unavailable(String)
    case busy
  }

  /// Takes the lock and reads the file.
  ///
  /// Only what is restored becomes known. Otherwise a store could overwrite what it does not come
  /// from.
  ///
  /// - Parameter migrate: makes the fields of an older version.
  func open(
    _ session: inout FileSession,
    migrating migrate: (_ json: Data, _ version: Int) throws -> SavedFields
  ) -> Found {
    session.obstacle = nil
    do {
      try lock(&session)
    } catch SaveError.busy {
      return .busy
    } catch {
      // In a folder that cannot be written, what is there can still be read.
    }
    let data: Data?
    do {
      data = try storage.read(name)
    } catch {
      session.obstacle = .unavailable
      return .unavailable("\(error)")
    }
    guard let data else {
      session.hasFoundNothing()
      return .nothing
    }
    switch format.contents(of: data) {
    case .fields(let fields):
      session.hasRead(data, others: fields.others)
      return .fields(fields)
    case .older(let version, let json):
      do {
        let fields = try migrate(json, version)
        session.hasRead(data, others: fields.others)
        return .fields(fields, migratedFrom: version)
      } catch {
        return setAside(&session, because: SavedFormat.sentence(error))
      }
    case .newer(let version):
      session.leave(newer: version)
      return .newer(version)
    case .damaged(let reason): return setAside(&session, because: reason)
    }
  }

  /// Keeps what cannot be decoded under another name.
  private func setAside(_ session: inout FileSession, because reason: String) -> Found {
    do {
      guard session.lock != nil else { throw Mistake("The lock cannot be taken.") }
      session.isSynced = false
      let other = try storage.setAside(name)
      session.isSynced = true
      session.hasFoundNothing()
      return .setAside(as: other, reason: reason)
    } catch {
      session.obstacle = .unavailable
      return .unavailable("\(reason) It cannot be given another name either: \(error)")
    }
  }

  private func lock(_ session: inout FileSession) throws {
    session.dropLostLock()
    if session.lock != nil { return }
    // Another process may have written since.
    session.isSynced = false
    session.lock = try storage.lock(name)
    if session.lock == nil { throw SaveError.busy }
  }

  // MARK: - Saving

  /// Carries out one save, off the main actor.
  @concurrent func save(
    _ snapshot: Snapshot, _ request: SaveQueue.Request, _ session: FileSession
  ) async -> Outcome {
    var outcome = Outcome(session: session)
    do {
      try await save(try encode(snapshot, session), request, &outcome.session)
    } catch let error as SaveError {
      outcome.error = error
    } catch {
      outcome.error = .failed("\(error)")
    }
    return outcome
  }

  /// The bytes of the values, which the snapshot holds from here on in place of the values.
  ///
  /// The next change in place would copy values that are held.
  private func encode(_ snapshot: Snapshot, _ session: FileSession) throws -> Data {
    switch snapshot.content {
    case .data(let data): return data
    case .values(let values):
      do {
        let data = try format.data(SavedFields(values: values, others: session.others))
        snapshot.content = .data(data)
        return data
      } catch {
        throw SaveError.failed(error.description)
      }
    }
  }

  /// The fields of a snapshot that is not stored yet.
  ///
  /// - Parameter others: the fields that this version of the program does not know.
  func fields(of snapshot: Snapshot, _ others: [String: JSONValue]) -> SavedFields? {
    switch snapshot.content {
    case .values(let values): return SavedFields(values: values, others: others)
    case .data(let data):
      // It was decoded once before.
      guard case .fields(let fields) = format.contents(of: data) else { return nil }
      return fields
    }
  }

  /// Whether two snapshots that have not been encoded have the same values.
  func isSame(_ one: Snapshot, _ other: Snapshot) -> Bool {
    guard let one = fields(of: one, [:]), let data = try? format.data(one) else { return false }
    return fields(of: other, [:]).map { (try? format.data($0)) == data } ?? false
  }

  private func save(
    _ data: Data, _ request: SaveQueue.Request, _ session: inout FileSession
  ) async throws {
    let present = try await prepare(&session, request.history)
    switch request.kind {
    case .overtaken: return try keep(data, &session)
    case .unchanged:
      if let present, !session.mayOverwrite(present, request.history) { return }
      if session.attempted == nil, let present, isSame(present, as: data) { return }
    case .changed:
      // The hook of the store that has changed first may have ended last.
      if let present, session.hasNewer(than: request.moment, present) {
        return try keep(data, &session)
      }
    }
    // After a write whose sync has failed, the bytes may be in memory only. A later sync may succeed
    // all the same, because the system reports a loss once.
    if present != data || session.attempted != nil {
      if let present, !session.mayOverwrite(present, request.history) {
        try keepPresent(present, &session)
      }
      session.willWrite(data, over: present, request)
      try await storage.write(data, to: name)
      session.isSynced = true
    }
    session.hasStored(data, request)
  }

  /// Takes the lock and reads what is there, which outlives a power cut then.
  ///
  /// - Returns: `nil` if nothing is stored.
  private func prepare(_ session: inout FileSession, _ history: History) async throws -> Data? {
    if case .newer(let version) = session.obstacle { throw SaveError.newer(version) }
    do {
      try lock(&session)
    } catch let error where session.obstacle == .unavailable && !(error is SaveError) {
      throw SaveError.unavailable("\(error)")
    }
    let present: Data?
    do {
      present = try storage.read(name)
    } catch {
      throw SaveError.unavailable("\(error)")
    }
    // What the values come from was restored or written before, and may be overwritten.
    if let present, session.obstacle == .unavailable, !session.mayOverwrite(present, history) {
      throw SaveError.unavailable("It can be read by now, and has to be restored again.")
    }
    session.obstacle = nil
    if !session.isSynced {
      try await storage.sync(name)
      session.isSynced = true
    }
    return present
  }

  /// Keeps what values do not come from under another name, before they replace it.
  ///
  /// It stays in its place until then. Otherwise nothing would be there after a write that fails.
  private func keepPresent(_ present: Data, _ session: inout FileSession) throws {
    if case .newer(let version) = format.contents(of: present) {
      session.leave(newer: version)
      throw SaveError.newer(version)
    }
    if session.kept == present { return }
    try keep(present, &session)
    session.kept = present
  }

  /// Stores bytes beside the file.
  private func keep(_ data: Data, _ session: inout FileSession) throws {
    // After a sync of the folder that fails, earlier changes of names may not last either.
    session.isSynced = false
    _ = try storage.keep(data, beside: name)
    session.isSynced = true
  }

  /// Whether bytes in a format that a person has chosen hold the same values as those of a save.
  private func isSame(_ bytes: Data, as data: Data) -> Bool {
    guard case .fields(let fields) = format.contents(of: bytes) else { return false }
    return (try? format.data(fields)) == data
  }
}
