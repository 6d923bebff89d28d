import Foundation
import SignalboxStorage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Real files, some of whose calls fail.
protocol OddFiles: FileSystem {}

extension OddFiles {
  private var real: SystemFiles { SystemFiles() }

  func open(_ path: String, toReplace other: String) throws(FileFailure) -> Int32 {
    try real.open(path, toReplace: other)
  }
  func isOpen(_ file: Int32, at path: String) -> Bool { real.isOpen(file, at: path) }
  func names(in folder: String) -> [String] { real.names(in: folder) }
  func write(_ bytes: Data, to file: Int32) throws(FileFailure) {
    try real.write(bytes, to: file)
  }
  func sync(_ file: Int32) throws(FileFailure) { try real.sync(file) }
  func rename(_ path: String, to other: String) throws(FileFailure) {
    try real.rename(path, to: other)
  }
  func remove(_ path: String) throws(FileFailure) { try real.remove(path) }
  func syncFolder(_ path: String) throws(FileFailure) { try real.syncFolder(path) }
  func close(_ file: Int32) { real.close(file) }
  func syncFile(_ path: String) throws(FileFailure) { try real.syncFile(path) }
  func read(_ path: String) throws(FileFailure) -> Data? { try real.read(path) }
  func exists(_ path: String) -> Bool { real.exists(path) }
  func target(of path: String) -> String { real.target(of: path) }
  func hide(_ path: String) { real.hide(path) }
  func makeFolder(_ path: String) throws(FileFailure) { try real.makeFolder(path) }
  func lock(_ path: String) throws(FileFailure) -> (any StorageLock)? { try real.lock(path) }
}

/// A disk without space: what is written goes to `/dev/full`.
struct FullDisk: OddFiles {
  func write(_ bytes: Data, to file: Int32) throws(FileFailure) {
    #if os(Linux)
    let full = unsafe Glibc.open("/dev/full", O_WRONLY)
    defer { close(full) }
    try SystemFiles().write(bytes, to: full)
    #else
    throw FileFailure("The new file", code: ENOSPC)
    #endif
  }
}

/// A folder in which nothing can be created, renamed or removed, also for a test that runs as root.
struct ReadOnlyFiles: OddFiles {
  func open(_ path: String, toReplace other: String) throws(FileFailure) -> Int32 {
    throw FileFailure(path, code: EROFS)
  }
  func rename(_ path: String, to other: String) throws(FileFailure) {
    throw FileFailure(path, code: EROFS)
  }
  func remove(_ path: String) throws(FileFailure) { throw FileFailure(path, code: EROFS) }
  func makeFolder(_ path: String) throws(FileFailure) { throw FileFailure(path, code: EROFS) }
  func lock(_ path: String) throws(FileFailure) -> (any StorageLock)? {
    throw FileFailure(path, code: EROFS)
  }
}
