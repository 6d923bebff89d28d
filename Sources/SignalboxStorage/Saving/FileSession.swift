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
  /// The bytes in the file that were kept beside it, for a write that has not succeeded yet.
  var kept: Data?
  /// The number of times that a restore has found bytes which come from elsewhere.
  private var foreign = 0
  /// Whether the file, or that there is none, outlives a power cut.
  ///
  /// Nothing is written before it does. A power cut might keep what is written and undo an earlier
  /// rename, such as that of a damaged file. It is false at first, because a process that was killed
  /// may have renamed files and not synced the folder.
  var isSynced = false
  /// The fields of the file that this version of the program does not know.
  var others: [String: JSONValue] = [:]

  /// Notes what a restore has put into a state.
  mutating func hasRead(_ data: Data, others: [String: JSONValue]) {
    let earlier = [attempted, known].compactMap { $0 }.filter { $0.bytes == data }
    if earlier.isEmpty {
      foreign += 1
      known = KnownBytes(data, [Version(line: -foreign, change: 0)])
    } else {
      known = KnownBytes(data, earlier.flatMap(\.versions))
    }
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

  /// Whether values come from the bytes that are in the file.
  func mayOverwrite(_ bytes: Data, _ history: History) -> Bool {
    [known, attempted].contains { $0.map { $0.bytes == bytes && $0.isBasis(of: history) } ?? false }
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

  /// Whether an attempt may succeed without another restore.
  var allowsRetries: Bool { if case .newer = obstacle { false } else { true } }

  /// Notes what was stored.
  mutating func hasStored(_ data: Data, _ version: Version) {
    var versions = known?.bytes == data ? known?.versions ?? [] : []
    // What comes from a later change of a line comes from the earlier ones, too.
    if !versions.contains(where: { $0.line == version.line }) { versions.append(version) }
    known = KnownBytes(data, versions)
    attempted = nil
    kept = nil
  }
}

/// Bytes of a file, and where they come from.
struct KnownBytes: Sendable {
  let bytes: Data
  /// The changes that have led to them, each by itself.
  let versions: [Version]

  init(_ bytes: Data, _ versions: [Version]) {
    self.bytes = bytes
    self.versions = versions
  }

  /// Whether values with a history come from the bytes.
  ///
  /// Others do not overwrite them, but keep them beside the file (P5).
  func isBasis(of history: History) -> Bool { versions.contains(where: history.contains) }
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
