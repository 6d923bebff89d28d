import ExampleTesting
import Foundation
import Signalbox
import SignalboxStorage
import Terminal

/// A file system in memory that loses power at a chosen call.
///
///     names:  what was renamed, created or removed since the folder was synced may or may not last
///     bytes:  what was written since the file was synced may last, be lost, or be torn
///
/// After the method of SQLite's crash tests. `outcomes` are all folders that may be there after the
/// power has come back.
final class CrashingFiles: FileSystem {
  /// What becomes of bytes that were not synced.
  enum Fate: CaseIterable { case kept, lost, torn, garbage }

  private struct Inode {
    var synced = Data()
    var current = Data()
    var isDirty: Bool { synced != current }
  }

  /// A change of names.
  ///
  /// It happens as a whole or not at all.
  private enum Change {
    case link(String, Int)
    case rename(String, to: String, Int)
    case unlink(String)

    func apply(to names: inout [String: Int]) {
      switch self {
      case .link(let name, let inode): names[name] = inode
      case .rename(let name, let other, let inode):
        if names[name] == inode { names[name] = nil }
        names[other] = inode
      case .unlink(let name): names[name] = nil
      }
    }
  }

  private struct Disk {
    var inodes: [Int: Inode] = [:]
    var syncedNames: [String: Int] = [:]
    var names: [String: Int] = [:]
    var changes: [Change] = []
    var locks: Set<String> = []
    var open: [Int32: Int] = [:]
    var last = 0
    /// The number of calls until the power is lost; negative for never.
    var left = -1
    var calls = 0
    var writes = 0
    var isDead = false
    var failing: Set<Int> = []
  }

  private let disk = LockedValue(Disk())

  /// - Parameters:
  ///   - files: the files that are there, synced.
  ///   - calls: the number of changing calls before the power is lost.
  ///   - failing: the numbers of the changing calls that fail, from 0.
  init(_ files: [String: Data], powerLostAfter calls: Int = -1, failing: Set<Int> = []) {
    disk.withLock { disk in
      for (name, data) in files {
        disk.last += 1
        disk.inodes[disk.last] = Inode(synced: data, current: data)
        disk.syncedNames[name] = disk.last
      }
      disk.names = disk.syncedNames
      disk.left = calls
      disk.failing = failing
    }
  }

  var calls: Int { disk.withLock { $0.calls } }
  var writes: Int { disk.withLock { $0.writes } }
  var isDead: Bool { disk.withLock { $0.isDead } }

  /// The files as processes see them now.
  var files: [String: Data] {
    disk.withLock { disk in disk.names.mapValues { disk.inodes[$0]?.current ?? Data() } }
  }

  /// Every folder that may be there after the power has come back.
  var outcomes: [[String: Data]] {
    disk.withLock { disk in
      let dirty = disk.inodes.filter(\.value.isDirty).keys.sorted()
      var outcomes: [[String: Data]] = []
      for lasting in 0..<(1 << disk.changes.count) {
        var names = disk.syncedNames
        for (index, change) in disk.changes.enumerated() where lasting >> index & 1 == 1 {
          change.apply(to: &names)
        }
        var fates = [[Int: Fate]()]
        for inode in dirty {
          fates = fates.flatMap { fates in
            Fate.allCases.map { fates.merging([inode: $0]) { $1 } }
          }
        }
        for fates in fates {
          let files = names.mapValues { inode in
            Self.bytes(disk.inodes[inode] ?? Inode(), fates[inode] ?? .kept)
          }
          if !outcomes.contains(files) { outcomes.append(files) }
        }
      }
      return outcomes
    }
  }

  private static func bytes(_ inode: Inode, _ fate: Fate) -> Data {
    switch fate {
    case .kept: inode.current
    case .lost: inode.synced
    case .torn: inode.current.prefix(inode.current.count / 2)
    case .garbage: Data(repeating: 0, count: inode.current.count)
    }
  }

  /// Another program replaces the bytes of a file and syncs them.
  func edit(_ path: String, _ bytes: Data) {
    disk.withLock { disk in
      let inode = disk.names[path] ?? 0
      disk.inodes[inode] = Inode(synced: bytes, current: bytes)
    }
  }

  /// Makes a changing call, unless the power is lost before it.
  private func change<R>(_ path: String, _ body: (inout Disk) throws(FileFailure) -> R)
    throws(FileFailure) -> R
  {
    let result = disk.withLock { disk -> Result<R, FileFailure> in
      if disk.isDead || disk.left == 0 {
        disk.isDead = true
        return .failure(FileFailure(path, code: EIO))
      }
      disk.left -= 1
      disk.calls += 1
      if disk.failing.contains(disk.calls - 1) { return .failure(FileFailure(path, code: EIO)) }
      do throws(FileFailure) {
        return .success(try body(&disk))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  func open(_ path: String, toReplace other: String) throws(FileFailure) -> Int32 {
    try change(path) { disk throws(FileFailure) in
      if disk.names[path] != nil { throw FileFailure(path, code: EEXIST) }
      disk.last += 1
      disk.inodes[disk.last] = Inode()
      disk.names[path] = disk.last
      disk.changes.append(.link(path, disk.last))
      disk.open[Int32(disk.last)] = disk.last
      return Int32(disk.last)
    }
  }

  func write(_ bytes: Data, to file: Int32) throws(FileFailure) {
    // In two calls, so that the power may be lost between them.
    for part in [bytes.prefix(bytes.count / 2), bytes.dropFirst(bytes.count / 2)] {
      try change("") { disk in
        disk.inodes[disk.open[file] ?? 0]?.current.append(part)
        disk.writes += 1
      }
    }
  }

  func sync(_ file: Int32) throws(FileFailure) {
    try change("") { disk in
      let inode = disk.open[file] ?? 0
      if let current = disk.inodes[inode]?.current { disk.inodes[inode]?.synced = current }
    }
  }

  func syncFile(_ path: String) throws(FileFailure) {
    try change(path) { disk in
      let inode = disk.names[path] ?? 0
      if let current = disk.inodes[inode]?.current { disk.inodes[inode]?.synced = current }
    }
  }

  func rename(_ path: String, to other: String) throws(FileFailure) {
    try change(path) { disk throws(FileFailure) in
      guard let inode = disk.names[path] else { throw FileFailure(path, code: ENOENT) }
      let change = Change.rename(path, to: other, inode)
      change.apply(to: &disk.names)
      disk.changes.append(change)
    }
  }

  func remove(_ path: String) throws(FileFailure) {
    try change(path) { disk in
      if disk.names.removeValue(forKey: path) != nil { disk.changes.append(.unlink(path)) }
    }
  }

  func syncFolder(_ path: String) throws(FileFailure) {
    // The model has one folder.
    if path == "/" { return }
    try change(path) { disk in
      disk.syncedNames = disk.names
      disk.changes = []
    }
  }

  func isOpen(_ file: Int32, at path: String) -> Bool {
    disk.withLock { $0.open[file] != nil && $0.open[file] == $0.names[path] }
  }

  func names(in folder: String) -> [String] {
    files.keys.filter { $0.hasPrefix(folder + "/") }.map { String($0.dropFirst(folder.count + 1)) }
  }

  func close(_ file: Int32) { disk.withLock { $0.open[file] = nil } }

  func read(_ path: String) throws(FileFailure) -> Data? { files[path] }

  func exists(_ path: String) -> Bool { disk.withLock { $0.names[path] != nil } }

  func target(of path: String) -> String { path }

  func hide(_ path: String) {}

  func makeFolder(_ path: String) throws(FileFailure) {}

  func lock(_ path: String) throws(FileFailure) -> (any StorageLock)? {
    guard disk.withLock({ $0.locks.insert(path).inserted }) else { return nil }
    return Lock { [disk] in disk.withLock { _ = $0.locks.remove(path) } }
  }

  private final class Lock: StorageLock {
    private let end: @Sendable () -> Void
    init(end: @escaping @Sendable () -> Void) { self.end = end }
    deinit { end() }
    var isHeld: Bool { true }
  }
}
