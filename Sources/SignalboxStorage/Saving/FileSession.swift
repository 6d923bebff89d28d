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
  private(set) var attempted: KnownBytes?
  private var attemptedMoment = 0
  /// When the newest values were changed that are in the file, or have been.
  private(set) var newest = 0
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
    noteAttempted(data)
    if known?.bytes != data {
      foreign += 1
      known = KnownBytes(data, Version(line: -foreign, change: 0))
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

  /// Notes that the bytes of a write that has failed are in the file all the same.
  private mutating func noteAttempted(_ present: Data) {
    guard let attempted, attempted.bytes == present else { return }
    let earlier = known
    known = attempted
    if let earlier, earlier.bytes == present { known?.add(earlier) }
    newest = max(newest, attemptedMoment)
  }

  /// Notes what the next write may put into the file, even if it fails.
  ///
  /// - Parameter present: what is there before.
  mutating func willWrite(_ data: Data, over present: Data?, _ request: SaveQueue.Request) {
    if let present { noteAttempted(present) }
    isSynced = false
    attempted = KnownBytes(data, request.version)
    attemptedMoment = request.moment
  }

  /// Whether values come from the bytes that are in the file.
  func mayOverwrite(_ bytes: Data, _ history: History) -> Bool {
    [known, attempted].contains { $0.map { $0.bytes == bytes && $0.isBasis(of: history) } ?? false }
  }

  /// Whether the file has values that were changed later than others, or what a person has made of
  /// them.
  func hasNewer(than moment: Int, _ bytes: Data) -> Bool {
    newest > moment || attempted?.bytes == bytes && attemptedMoment > moment
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
  mutating func hasStored(_ data: Data, _ request: SaveQueue.Request) {
    let earlier = known
    known = KnownBytes(data, request.version)
    newest = max(newest, request.moment)
    if let earlier, earlier.bytes == data { known?.add(earlier) }
    attempted = nil
    kept = nil
  }
}

/// Bytes of a file, and where they come from.
struct KnownBytes: Sendable {
  let bytes: Data
  /// The changes that have led to them, each by itself, of each line the first.
  private(set) var versions: [Version]

  init(_ bytes: Data, _ version: Version) {
    self.bytes = bytes
    versions = [version]
  }

  /// Adds the changes that have led to the same bytes before.
  mutating func add(_ earlier: KnownBytes) {
    // What comes from a later change of a line comes from the earlier ones, too.
    let lines = Set(earlier.versions.map(\.line))
    versions = earlier.versions + versions.filter { !lines.contains($0.line) }
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
    case .unavailable: .unavailable("It has to be restored again.")
    }
  }

  /// What a restore finds while it stands.
  var found: SavedFile.Found {
    switch self {
    case .newer(let version): .newer(version)
    case .unavailable: .unavailable("A save is using it at this moment. Try again.")
    }
  }
}
