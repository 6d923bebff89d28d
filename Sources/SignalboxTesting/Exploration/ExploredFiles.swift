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

  /// Ends the process.
  ///
  /// - Returns: what the next one finds.
  func endOfProcess(losesPower: Bool) -> Disk {
    state.withLock { state in
      state.isOver = true
      return state.disk.afterCrash(losesPower: losesPower)
    }
  }

  func crashesAfterChanges() -> [Fault] {
    guard let step = state.withLock({ $0.change.take() }) else { return [] }
    return crashes("after \(step)")
  }

  /// A crash, and a power cut if that leaves something else.
  private func crashes(_ moment: String) -> [Fault] {
    let disk = state.withLock { $0.disk }
    let losesBytes = disk.contents != disk.afterCrash(losesPower: true).contents
    let crash = Fault(label: "\(name): crash \(moment)") { self.world?.crash(losesPower: false) }
    let cut = Fault(label: "\(name): power cut \(moment)") { self.world?.crash(losesPower: true) }
    return losesBytes ? [crash, cut] : [crash]
  }

  // MARK: - Calls

  /// Lets the exploration choose what goes wrong with a call, or with the rest of one.
  ///
  /// - Parameter code: the error of the system with which the call fails.
  private func mayFail(
    _ failure: String, _ code: Int32 = EIO, crashes: [Fault] = []
  ) throws(FileFailure) {
    guard !state.withLock({ $0.isOver }) else { throw crashed }
    // What belongs to no store of the exploration may run on another thread. It meets no fault.
    guard MainQueue.isCurrent else { return }
    let faults = [Fault(label: "\(name): \(failure)")] + crashes
    guard MainActor.assumeIsolated({ world?.meetsFault(among: faults) == true }) else { return }
    throw state.withLock { $0.isOver } ? crashed : FileFailure(name, code: code)
  }

  private var crashed: FileFailure {
    FileFailure(name, code: EIO, reason: "The process has crashed")
  }

  /// Makes a call that changes the disk.
  ///
  /// - Parameter body: returns `nil` if there is no such file.
  @discardableResult private func change<R>(
    _ step: String, _ code: Int32 = EIO, _ body: (inout Disk) -> R?
  ) throws(FileFailure) -> R {
    try mayFail("\(step) fails", code, crashes: crashes("before \(step)"))
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
    let crash = Fault(label: "\(name): crash in the middle of the write") {
      self.world?.crash(losesPower: false)
    }
    try mayFail("the write is cut short and fails", ENOSPC, crashes: [crash])
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
    // It only tidies up, so a failure of its own would lead to nothing new.
    let isOver = state.withLock { state in
      if !state.isOver { state.disk.names[path] = nil }
      return state.isOver
    }
    if isOver { throw crashed }
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
