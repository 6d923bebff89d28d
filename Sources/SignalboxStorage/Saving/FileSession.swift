import Foundation

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
  /// The bytes that were last restored or written.
  private(set) var known: KnownBytes?
  /// The bytes of a write that has failed.
  ///
  /// They may be in the file all the same.
  var attempted: KnownBytes?
  /// Whether the file, or that there is none, outlives a power cut.
  ///
  /// Nothing is written before it does. A power cut might keep what is written and undo an earlier
  /// rename, such as that of a damaged file. It is false at first, because a process that was killed
  /// may have renamed files and not synced the folder.
  var isSynced = false
  /// The fields of the file that this version of the program does not know.
  var others: [String: JSONValue] = [:]

  /// Notes what a restore has put into a state.
  mutating func hasRead(_ data: Data, _ restore: Int, others: [String: JSONValue]) {
    let earlier = [attempted, known].compactMap { $0 }.first { $0.bytes == data }
    known = KnownBytes(data, writer: earlier?.writer, since: earlier?.since ?? restore)
    // It still counts as not synced if it is in the file.
    if attempted?.bytes != data { attempted = nil }
    self.others = others
  }

  /// Notes that a restore has found or left nothing in the file's place.
  mutating func hasFoundNothing() {
    known = nil
    attempted = nil
    others = [:]
  }

  /// Whether a store that was made after a restore comes from these bytes.
  func mayOverwrite(_ bytes: Data, _ restore: Int) -> Bool {
    [known, attempted].contains { $0.map { $0.bytes == bytes && $0.isBasis(of: restore) } ?? false }
  }

  /// Ends a lock that does not hold any more.
  ///
  /// While it exists, it could not be taken anew.
  mutating func dropLostLock() {
    if lock?.isHeld == false { lock = nil }
  }

  /// Leaves the file to the newer program that has written it, which may need the lock.
  mutating func leave(newer version: Int) {
    obstacle = .newer(version)
    lock = nil
  }

  /// Notes what was stored.
  mutating func hasStored(_ data: Data, _ restore: Int) {
    known = KnownBytes(data, writer: restore)
  }
}

/// Bytes of a file, and which stores come from them.
///
/// Another store does not overwrite them. It sets them aside (P5).
struct KnownBytes: Sendable {
  let bytes: Data
  /// The restore that the store comes from which has written them; `nil` if none here has.
  let writer: Int?
  /// The first restore that has read them; `nil` if none has.
  let since: Int?

  init(_ bytes: Data, writer: Int?, since: Int? = nil) {
    self.bytes = bytes
    self.writer = writer
    self.since = since
  }

  /// Whether the stores that were made after a restore come from the bytes.
  ///
  /// - Parameter restore: negative for one that has failed.
  func isBasis(of restore: Int) -> Bool {
    restore == writer || since.map { restore >= $0 } ?? false
  }
}

extension FileSession.Obstacle {
  /// The error of a save that is not allowed.
  var error: SaveError {
    switch self {
    case .newer(let version): .newer(version)
    case .unavailable: .unavailable("Call restore(into:) again.")
    }
  }

  /// What a restore finds while it stands.
  var found: SavedFile.Found {
    switch self {
    case .newer(let version): .newer(version)
    case .unavailable: .unavailable("A save has tried to read it. Call restore(into:) again.")
    }
  }
}
