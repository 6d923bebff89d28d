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
  /// - Parameters:
  ///   - restore: the number of this restore.
  ///   - migrate: makes the fields of an older version.
  func open(
    _ session: inout FileSession, restore: Int,
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
      session.hasRead(data, restore, others: fields.others)
      return .fields(fields)
    case .older(let version, let json):
      do {
        let fields = try migrate(json, version)
        session.hasRead(data, restore, others: fields.others)
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
      let other = try keepAside(&session)
      session.hasFoundNothing()
      return .setAside(as: other, reason: reason)
    } catch {
      session.obstacle = .unavailable
      return .unavailable("\(reason) It cannot be given another name either: \(error)")
    }
  }

  private func keepAside(_ session: inout FileSession) throws -> String {
    session.isSynced = false
    let other = try storage.setAside(name)
    session.isSynced = true
    return other
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
  ///
  /// - Parameter restore: the number of the last restore before the store was made.
  @concurrent func save(
    _ snapshot: Snapshot, restoredBy restore: Int, _ session: FileSession
  ) async -> Outcome {
    var outcome = Outcome(session: session)
    do {
      try await save(try encode(snapshot, session), restoredBy: restore, &outcome.session)
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

  private func save(
    _ data: Data, restoredBy restore: Int, _ session: inout FileSession
  ) async throws {
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
    if present != nil, session.obstacle == .unavailable {
      throw SaveError.unavailable("It can be read now. Call restore(into:) again.")
    }
    session.obstacle = nil
    if !session.isSynced {
      try await storage.sync(name)
      session.isSynced = true
    }
    // After a write whose sync has failed, the bytes may be in memory only. A later sync may succeed
    // all the same, because the system reports a loss once.
    if present != data || session.attempted != nil {
      if let present, !session.mayOverwrite(present, restore) {
        // The store that is saved does not come from this.
        if case .newer(let version) = format.contents(of: present) {
          session.leave(newer: version)
          throw SaveError.newer(version)
        }
        _ = try keepAside(&session)
      }
      session.isSynced = false
      session.attempted = KnownBytes(data, writer: restore)
      try await storage.write(data, to: name)
      session.attempted = nil
      session.isSynced = true
    }
    session.hasStored(data, restore)
  }
}
