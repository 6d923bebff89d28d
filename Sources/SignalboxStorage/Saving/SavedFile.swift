import Foundation
import Signalbox

/// What is known about a file between one save and the next.
struct FileSession: Sendable {
  var lock: (any StorageLock)?
  /// Why nothing may be written; `.unavailable` stands until the file is restored or gone, and
  /// `.newer` until it is restored.
  var obstacle: SaveError?
  /// What was last restored or written; `nil` if there was nothing.
  var known: Snapshot?
  // Whether the file, or that there is none, outlives a power cut. Nothing is written before,
  // because a power cut might keep that and undo an earlier rename. False at first: a killed
  // process may have renamed files and not synced the folder.
  var isSynced = false
  // Whether a write has failed, whose bytes may be in the file, but in memory only. A later sync
  // may succeed all the same, because the system reports a loss once.
  var isDoubtful = false

  mutating func refuse(_ error: SaveError) {
    obstacle = error
    // A newer program may need the lock.
    if case .newer = error { lock = nil }
  }
}

/// What is saved under one name, and how it is read and written, without state of its own.
struct SavedFile: Sendable {
  let name: String
  let storage: any Storage

  /// Values to be saved, and what they may replace.
  struct Values: Sendable {
    let snapshot: Snapshot
    let basis: Basis
    // Whether nothing has changed since the store was made or saved. Then the values replace
    // nothing of others, and may differ from the file, as the program may change the first state.
    let isUnchanged: Bool
  }

  struct Outcome: Sendable {
    var session: FileSession
    /// What the store may replace from now on; `nil` if that is the same as before.
    var basis: Basis?
    var error: SaveError?
    /// For each of the values that were to be kept beside the file.
    var older: [SaveError?] = []
  }

  struct Found {
    let outcome: Restored
    var fields: SavedFields?
    /// Why a file was set aside; `nil` if none was.
    var damage: String?
    /// What a store that is made of it may replace; `nil` if the restore has failed.
    var basis: Basis?
  }

  func open(
    _ session: inout FileSession, _ format: SavedFormat,
    migrating migrate: SavedFormat.Migration
  ) -> Found {
    session.obstacle = nil
    do {
      do {
        try lock(&session)
      } catch let error where !(error is SaveError) {
        // In a folder that cannot be written, what is there can still be read.
      }
      guard let data = try read() else {
        session.known = nil
        return Found(outcome: .nothing, basis: Basis([]))
      }
      do {
        let snapshot =
          session.known.flatMap { $0.data == data ? $0 : nil } ?? Snapshot(.data(data), format)
        let found = try Found(snapshot, format, migrating: migrate, basis: Basis([snapshot]))
        session.known = snapshot
        return found
      } catch let error where !(error is SaveError) {
        return try setAside(&session, because: SavedFormat.sentence(error))
      }
    } catch {
      session.refuse(SaveError(error))
      return Found(SaveError(error))
    }
  }

  private func read() throws(SaveError) -> Data? {
    do {
      return try storage.read(name)
    } catch {
      throw .unavailable(Dump.description(of: error))
    }
  }

  private func setAside(
    _ session: inout FileSession, because reason: String
  ) throws(SaveError) -> Found {
    do {
      guard session.lock != nil else { throw Mistake("The lock cannot be taken.") }
      session.isSynced = false
      let other = try storage.setAside(name)
      session.isSynced = true
      session.known = nil
      return Found(outcome: .setAside(as: other), damage: reason, basis: Basis([]))
    } catch {
      throw .unavailable(
        "\(reason) It cannot be given another name either: \(Dump.description(of: error))")
    }
  }

  private func lock(_ session: inout FileSession) throws {
    if session.lock?.isHeld == true { return }
    // While one that is lost exists, it could not be taken anew.
    session.lock = nil
    // Another process may have written since.
    session.isSynced = false
    session.lock = try storage.lock(name)
    if session.lock == nil {
      let holder = (storage as? FileStorage)?.holder(of: name)
      let error = SaveError.busy(process: WritingProcess(holder))
      session.obstacle = session.obstacle ?? error
      throw error
    }
  }

  /// Saves the values, off the main actor, and keeps `older` beside the file unless the values
  /// continue them.
  @concurrent func save(
    _ values: Values?, keeping older: [Values], _ session: FileSession
  ) async -> Outcome {
    var outcome = Outcome(session: session)
    let newest = values.flatMap { $0.isUnchanged ? nil : $0.basis.adding($0.snapshot) }
    let isEncoded = (try? values?.snapshot.encode()) != nil
    // Which of the older values are stored only if the newest ones are.
    var continued: [Int] = []
    for older in older {
      do {
        let data = try older.snapshot.encode()
        let present = try await prepare(&outcome.session, older.basis, older.snapshot.format)
        if present != data || outcome.session.isDoubtful {
          if isEncoded, newest?.contains(data) == true {
            continued.append(outcome.older.count)
          } else {
            try keep(data, &outcome.session)
          }
        }
        outcome.older.append(nil)
      } catch {
        outcome.older.append(SaveError(error))
      }
    }
    do {
      if let values { try await save(values, &outcome) }
    } catch {
      outcome.error = SaveError(error)
      for index in continued {
        outcome.older[index] = outcome.error
        // The newest ones still continue them.
        outcome.basis = outcome.basis?.adding(older[index].snapshot)
      }
    }
    return outcome
  }

  private func save(_ values: Values, _ outcome: inout Outcome) async throws {
    let (snapshot, basis) = (values.snapshot, values.basis)
    let data = try snapshot.encode()
    let present = try await prepare(&outcome.session, basis, snapshot.format)
    let isDoubtful = outcome.session.isDoubtful
    let isOther = present.map { !basis.contains($0) } ?? false
    // An edit stays. But if nothing can be decoded, the values may not be stored anywhere.
    if let present, values.isUnchanged, isOther, snapshot.format.canRead(present) { return }
    if let present, present != data, !isDoubtful, values.isUnchanged || isOther,
      snapshot.format.isSame(present, as: data)
    {
      let stored = Snapshot(.data(present), snapshot.format)
      outcome.session.known = stored
      outcome.basis = Basis([stored])
      return
    }
    if present != data || isDoubtful {
      // The file stays, because otherwise nothing would be there after a write that fails.
      if let present, present != data, isOther {
        try keep(present, &outcome.session)
      }
      // Even a write that fails may have put the bytes there.
      outcome.basis = Basis(
        [present.map { Snapshot(.data($0), snapshot.format) }, snapshot].compactMap(\.self))
      outcome.session.isSynced = false
      outcome.session.isDoubtful = true
      try await storage.write(data, to: name)
      outcome.session.isSynced = true
      outcome.session.isDoubtful = false
    }
    outcome.session.known = snapshot
    outcome.basis = Basis([snapshot])
  }

  /// Takes the lock and reads what is there, which outlives a power cut then; `nil` if nothing is.
  private func prepare(
    _ session: inout FileSession, _ basis: Basis, _ format: SavedFormat
  ) async throws -> Data? {
    if let obstacle = session.obstacle, case .newer = obstacle { throw obstacle }
    do {
      try lock(&session)
    } catch let error where !(error is SaveError) {
      // It cannot be read either.
      if case .unavailable = session.obstacle {
        throw SaveError.unavailable(Dump.description(of: error))
      }
      throw error
    }
    let present = try read()
    if let present {
      if case .unavailable = session.obstacle, !basis.contains(present) {
        throw SaveError.unavailable("It can be read by now, and has to be restored again.")
      }
      if let version = format.newerVersion(of: present) {
        session.refuse(.newer(version))
        throw SaveError.newer(version)
      }
    }
    session.obstacle = nil
    if !session.isSynced {
      try await storage.sync(name)
      session.isSynced = true
    }
    return present
  }

  private func keep(_ data: Data, _ session: inout FileSession) throws {
    // After a sync of the folder that fails, earlier changes of names may not last either.
    session.isSynced = false
    _ = try storage.keep(data, beside: name)
    session.isSynced = true
  }
}

extension SavedFile.Found {
  init(
    _ snapshot: Snapshot, _ format: SavedFormat, migrating migrate: SavedFormat.Migration,
    basis: Basis
  ) throws {
    let (fields, version) = try snapshot.read(as: format, migrating: migrate)
    let outcome: Restored = version.map { .migrated(from: $0) } ?? .restored
    self.init(outcome: outcome, fields: fields, basis: basis)
  }

  init(_ error: SaveError) {
    switch error {
    case .newer(let version): self.init(outcome: .newer(version))
    case .busy(let process): self.init(outcome: .busy(process: process))
    case .unavailable(let reason), .failed(let reason): self.init(outcome: .unavailable(reason))
    }
  }
}
