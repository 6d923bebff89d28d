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
    /// - Parameter damage: why a file was set aside; `nil` if none was.
    case fields(SavedFields, damage: String? = nil)
    case older(Int, json: Data)
    case setAside(as: String, reason: String)
    case newer(Int)
    case unavailable(String)
    case busy
  }

  /// Takes the lock and reads the file.
  func open(_ session: inout FileSession) -> Found {
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
    session.hasRead(data)
    guard let data else { return .nothing }
    switch format.contents(of: data) {
    case .fields(let fields):
      session.others = fields.others
      return .fields(fields)
    case .older(let version, let json): return .older(version, json: json)
    case .newer(let version):
      session.leave(newer: version)
      return .newer(version)
    case .damaged(let reason): return setAside(&session, because: reason)
    }
  }

  /// Keeps what cannot be decoded under another name.
  func setAside(_ session: inout FileSession, because reason: String) -> Found {
    do {
      guard session.lock != nil else { throw Mistake("The lock cannot be taken.") }
      let other = try keepAside(&session)
      session.hasRead(nil)
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
    if session.lock?.isHeld == true { return }
    session.lock = nil
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
    if present != nil, present == session.attempted { session.known = present }
    if present != nil, present == session.guarded?.bytes, session.mayOverwrite(restore) {
      session.known = present
    }
    // After a write whose sync has failed, the bytes may be in memory only. A later sync may succeed
    // all the same, because the system reports a loss once.
    if present != data || session.attempted != nil {
      if let present, present != session.known {
        // Another program or a person has written this, and nothing here has read it.
        if case .newer(let version) = format.contents(of: present) {
          session.leave(newer: version)
          throw SaveError.newer(version)
        }
        _ = try keepAside(&session)
      }
      session.isSynced = false
      session.attempted = data
      try await storage.write(data, to: name)
      session.attempted = nil
      session.isSynced = true
    }
    session.hasStored(data)
  }
}

/// What is known about a file between one save and the next.
struct FileSession: Sendable {
  /// Why nothing may be written.
  enum Obstacle: Equatable, Sendable {
    case newer(Int)
    /// Something that a restore could not read may be there.
    case unavailable
  }

  var lock: (any StorageLock)?
  var obstacle: Obstacle?
  /// The bytes that were last read or written.
  ///
  /// Other bytes in the file are not overwritten.
  var known: Data?
  /// Bytes that only some stores may overwrite.
  struct Guarded: Sendable {
    let bytes: Data
    /// The number of the restore after which a store must have been made.
    let restore: Int
  }

  /// The bytes that stores do not come from that were made before a restore or after a failed one.
  private(set) var guarded: Guarded?
  /// The bytes of a write that has failed.
  ///
  /// They may be in the file all the same.
  var attempted: Data?
  /// Whether the file, or that there is none, outlives a power cut.
  ///
  /// Nothing is written before it does. A power cut might keep what is written and undo an earlier
  /// rename, such as that of a damaged file. It is false at first, because a process that was killed
  /// may have renamed files and not synced the folder.
  var isSynced = false
  /// The fields of the file that this version of the program does not know.
  var others: [String: JSONValue] = [:]

  /// Notes what a restore has read.
  mutating func hasRead(_ data: Data?) {
    known = data
    guarded = nil
    // It still counts as not synced if it is in the file.
    if attempted != data { attempted = nil }
    others = [:]
  }

  /// Guards the known bytes from stores that are made after a restore that has failed.
  mutating func guardKnown() {
    guard let bytes = known.take() else { return }
    guarded = Guarded(bytes: bytes, restore: 0)
  }

  /// Guards the bytes that a restore has read from stores that were made before it.
  mutating func guardFound(after before: FileSession, restore: Int) {
    guard let bytes = known else { return }
    guarded =
      before.guarded?.bytes == bytes ? before.guarded : Guarded(bytes: bytes, restore: restore)
    known = before.known
  }

  /// Whether a store that was made after a restore may overwrite the guarded bytes.
  func mayOverwrite(_ restore: Int) -> Bool { guarded.map { restore >= $0.restore } ?? true }

  /// Leaves the file to the newer program that has written it, which may need the lock.
  mutating func leave(newer version: Int) {
    obstacle = .newer(version)
    lock = nil
  }

  /// Notes what was stored.
  mutating func hasStored(_ data: Data) {
    known = data
    guarded = nil
  }
}

/// The values of one commit, and after they were encoded, their bytes.
final class Snapshot: Sendable {
  enum Content: Sendable {
    /// In the order of the properties.
    case values([(any Sendable)?])
    case data(Data)
  }

  private let held: LockedValue<Content>

  init(_ values: sending [(any Sendable)?]) { held = LockedValue(.values(values)) }

  /// Whether the values were encoded.
  var isEncoded: Bool { if case .data = content { true } else { false } }

  var content: Content {
    get { held.withLock { $0 } }
    set { held.withLock { $0 = newValue } }
  }
}
