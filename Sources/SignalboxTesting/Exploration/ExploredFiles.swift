import Foundation
import Signalbox
import SignalboxStorage

/// The files in memory that one process sees, and whose calls an exploration lets fail.
///
///     names ────────▶ bytes           what processes see, and what a crash leaves
///     synced names ─▶ synced bytes    what a power cut leaves
///
/// After a crash, its calls fail, and the next process has files of its own on the same disk.
final class ExploredFiles: FileSystem {
  struct Disk: Sendable {
    struct File { var bytes = Data(), synced = Data() }

    fileprivate var files: [Int32: File] = [:]
    fileprivate var names: [String: Int32] = [:]
    fileprivate var syncedNames: [String: Int32] = [:]
    fileprivate var last: Int32 = 0

    fileprivate func afterCrash(losesPower: Bool) -> Disk {
      var disk = self
      if losesPower {
        disk.names = syncedNames
        for number in files.keys { disk.files[number]?.bytes = files[number]?.synced ?? Data() }
      }
      return disk
    }

    fileprivate mutating func sync(_ file: Int32) -> Void? {
      files[file].map { files[file]?.synced = $0.bytes }
    }

    fileprivate var contents: [String: Data] { names.mapValues { files[$0]?.bytes ?? Data() } }
  }

  private struct State {
    var disk: Disk
    var locks: Set<String> = []
    /// The last step that has changed the disk since the last rest.
    var change: String?
    var isOver = false
  }

  /// The only folder, which is always there.
  static let folder = "/saved"

  private let name: String
  private let state: LockedValue<State>
  private weak let world: Exploration?

  init(_ name: String, _ disk: Disk, _ world: Exploration?) {
    self.name = name
    state = LockedValue(State(disk: disk))
    self.world = world
  }

  /// What the next process finds after the end of this one.
  var disk: Disk { state.withLock { $0.disk } }

  func crash(losesPower: Bool) {
    state.withLock { ($0.isOver, $0.disk) = (true, $0.disk.afterCrash(losesPower: losesPower)) }
  }

  func takeChange() -> String? { state.withLock { $0.change.take() } }

  /// Whether a power cut leaves something else than a crash.
  var losesBytes: Bool { disk.contents != disk.afterCrash(losesPower: true).contents }

  // MARK: - Calls

  /// Lets the exploration choose what goes wrong with a call, or with the rest of one.
  ///
  /// - Parameter code: the error of the system with which the call fails.
  private func mayFail(
    _ failure: String, _ code: Int32 = EIO,
    crashes: @MainActor (Exploration) -> [Fault] = { _ in [] }
  ) throws(FileFailure) {
    guard !state.withLock({ $0.isOver }) else { throw crashed }
    // What belongs to no store of the exploration may run on another thread. It meets no fault.
    guard MainQueue.isCurrent, let world else { return }
    let isMet = MainActor.assumeIsolated {
      world.meetsFault(among: [Fault(label: "\(name): \(failure)")] + crashes(world))
    }
    guard isMet else { return }
    throw state.withLock { $0.isOver } ? crashed : FileFailure(name, code: code)
  }

  private var crashed: FileFailure {
    FileFailure(name, code: EIO, reason: "The process has crashed")
  }

  /// Makes a call that changes the disk; `body` returns `nil` if there is no such file.
  @discardableResult private func change<R>(
    _ step: String, _ code: Int32 = EIO, _ body: (inout Disk) -> R?
  ) throws(FileFailure) -> R {
    try mayFail("\(step) fails", code, crashes: { $0.crashes("before \(step)", of: name) })
    let result = state.withLock { state in
      state.change = step
      return body(&state.disk)
    }
    guard let result else { throw FileFailure(name, code: ENOENT) }
    return result
  }

  func open(_ path: String, toReplace other: String) throws(FileFailure) -> Int32 {
    try change("the creation of the new file", ENOSPC) { disk in
      disk.last += 1
      disk.files[disk.last] = Disk.File()
      disk.names[path] = disk.last
      return disk.last
    }
  }

  func write(_ bytes: Data, to file: Int32) throws(FileFailure) {
    let half = bytes.count / 2
    try change("the write", ENOSPC) { $0.files[file]?.bytes.append(bytes.prefix(half)) }
    // A power cut leaves the same as one before the write.
    try mayFail("the write is cut short and fails", ENOSPC) { world in
      Array(world.crashes("in the middle of the write", of: name).prefix(1))
    }
    state.withLock { $0.disk.files[file]?.bytes.append(bytes.dropFirst(half)) }
  }

  func sync(_ file: Int32) throws(FileFailure) {
    try change("the sync of the new file") { $0.sync(file) }
  }

  func syncFile(_ path: String) throws(FileFailure) {
    try change("the sync of the file") { disk in disk.names[path].flatMap { disk.sync($0) } }
  }

  func rename(_ path: String, to other: String) throws(FileFailure) {
    try change("the rename") { disk in
      disk.names.removeValue(forKey: path).map { disk.names[other] = $0 }
    }
  }

  func syncFolder(_ path: String) throws(FileFailure) {
    // The folders around it are there, whatever happens.
    guard path == Self.folder else { return }
    try change("the sync of the folder") { $0.syncedNames = $0.names }
  }

  func remove(_ path: String) throws(FileFailure) {
    // It only tidies up, so a failure would lead to nothing new.
    state.withLock { if !$0.isOver { $0.disk.names[path] = nil } }
  }

  func read(_ path: String) throws(FileFailure) -> Data? {
    try mayFail("the read fails")
    return state.withLock { $0.disk.contents[path] }
  }

  func lock(_ path: String) throws(FileFailure) -> (any StorageLock)? {
    try mayFail("the lock fails", ENOLCK)
    guard state.withLock({ $0.locks.insert(path).inserted }) else { return nil }
    return Lock({ true }, end: { [state] in state.withLock { _ = $0.locks.remove(path) } })
  }

  func names(in folder: String) -> [String] {
    state.withLock { $0.disk.names.keys.map { String($0.dropFirst(folder.count + 1)) } }
  }

  func isOpen(_ file: Int32, at path: String) -> Bool {
    state.withLock { $0.disk.names[path] == file }
  }

  func exists(_ path: String) -> Bool { state.withLock { $0.disk.names[path] != nil } }
  func target(of path: String) -> String { path }
  func close(_ file: Int32) {}
  func hide(_ path: String) {}
  func makeFolder(_ path: String) throws(FileFailure) {}
}
