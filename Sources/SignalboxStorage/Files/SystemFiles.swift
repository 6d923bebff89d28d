package import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The files of the system.
///
/// Foundation neither syncs nor tells a missing file from one that cannot be read, so these are the
/// system's own calls. Each one that a signal interrupts is made again.
package struct SystemFiles: FileSystem {
  package init() {}

  /// Makes a call until no signal interrupts it.
  private func call(_ path: String, _ body: () -> Int32) throws(FileFailure) -> Int32 {
    while true {
      let result = body()
      if result >= 0 { return result }
      let code = errno
      if code != EINTR { throw FileFailure(path, code: code) }
    }
  }

  // MARK: - Writing

  package func open(_ path: String) throws(FileFailure) -> Int32 {
    let file = try call(path) {
      systemOpen(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    }
    // The mask of the process may have taken the owner's rights away.
    _ = fchmod(file, 0o600)
    return file
  }

  package func write(_ bytes: Data, to file: Int32) throws(FileFailure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { buffer in
        unsafe systemWrite(file, buffer.baseAddress, buffer.count)
      }
      let code = errno
      if count < 0, code == EINTR { continue }
      // A count of zero would be asked for without end.
      guard count > 0 else { throw FileFailure("The new file", code: count < 0 ? code : ENOSPC) }
      rest = rest.dropFirst(count)
    }
  }

  package func sync(_ file: Int32) throws(FileFailure) {
    #if canImport(Darwin)
    // `fsync` leaves the bytes in the cache of the drive here.
    if fcntl(file, F_FULLFSYNC) == 0 { return }
    #endif
    _ = try call("The new file") { fsync(file) }
  }

  package func rename(_ path: String, to other: String) throws(FileFailure) {
    _ = try call(other) { systemRename(path, other) }
  }

  package func remove(_ path: String) throws(FileFailure) {
    do {
      _ = try call(path) { unsafe unlink(path) }
    } catch let error where error.code == ENOENT {}
  }

  package func syncFolder(_ path: String) throws(FileFailure) {
    let folder = try call(path) { systemOpen(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    defer { close(folder) }
    do {
      try sync(folder)
    } catch let error where error.code == EINVAL || error.code == ENOTSUP {
      // A file system whose folders cannot be synced.
    } catch {
      throw FileFailure(path, code: error.code)
    }
  }

  package func syncFile(_ path: String) throws(FileFailure) {
    let file = try call(path) { systemOpen(path, O_RDONLY | O_CLOEXEC) }
    defer { close(file) }
    do {
      try sync(file)
    } catch {
      throw FileFailure(path, code: error.code)
    }
  }

  package func close(_ file: Int32) { _ = systemClose(file) }

  // It may be another user's file, which is then left as it is.
  package func hide(_ path: String) { _ = unsafe chmod(path, 0o600) }

  package func makeFolder(_ path: String) throws(FileFailure) {
    var missing: [Substring] = []
    var rest = path[...]
    while !rest.isEmpty, !exists(String(rest)) {
      missing.append(rest)
      rest = rest[..<(rest.lastIndex(of: "/") ?? rest.startIndex)]
    }
    for folder in missing.reversed() {
      do {
        _ = try call(String(folder)) { unsafe mkdir(String(folder), 0o700) }
        _ = unsafe chmod(String(folder), 0o700)
      } catch let error where error.code == EEXIST {
        // Another process has made it.
      }
      let parent = folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)]
      try syncFolder(parent.isEmpty ? "/" : String(parent))
    }
  }

  // MARK: - Reading

  package func read(_ path: String) throws(FileFailure) -> Data? {
    let file: Int32
    do {
      // Without blocking, because a pipe may be in the file's place.
      file = try call(path) { systemOpen(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
    } catch let error where error.code == ENOENT {
      // What a link leads to may be absent only for now, such as a disk. The folder may be one, too.
      var rest = path
      while !rest.isEmpty, !exists(rest) { rest = Self.folder(of: rest) }
      var status = stat()
      if unsafe rest == path || (!rest.isEmpty && stat(rest, &status) != 0) {
        throw FileFailure(rest, code: 0, reason: "It is a link that leads nowhere")
      }
      return nil
    }
    defer { close(file) }
    var status = stat()
    _ = try call(path) { unsafe fstat(file, &status) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw FileFailure(path, code: 0, reason: "It is not a file")
    }
    var data = Data()
    var buffer = [UInt8](repeating: 0, count: 256 << 10)
    while true {
      let capacity = buffer.count
      let count = unsafe systemRead(file, &buffer, capacity)
      let code = errno
      if count < 0, code == EINTR { continue }
      if count < 0 { throw FileFailure(path, code: code) }
      if count == 0 { return data }
      data.append(contentsOf: buffer[..<count])
    }
  }

  /// The path up to the last name; empty for the root.
  private static func folder(of path: String) -> String {
    String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
  }

  package func exists(_ path: String) -> Bool {
    var status = stat()
    // If the system cannot tell, there may be something.
    return unsafe lstat(path, &status) == 0 || errno != ENOENT
  }

  package func target(of path: String) -> String {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK,
      let target = unsafe realpath(path, nil)
    else { return path }
    defer { unsafe free(target) }
    return unsafe String(cString: target)
  }

  // MARK: - Locking

  package func lock(_ path: String) throws(FileFailure) -> (any StorageLock)? {
    while true {
      let file = try call(path) {
        systemOpen(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
      }
      _ = fchmod(file, 0o600)
      do {
        _ = try call(path) { flock(file, LOCK_EX | LOCK_NB) }
      } catch {
        close(file)
        if error.code == EWOULDBLOCK { return nil }
        throw error
      }
      // Made only now, because its end removes the file.
      let lock = FileLock(file, path)
      // The file may have been removed between the two calls.
      if lock.isHeld { return lock }
    }
  }
}

/// A lock on a file, which the system ends with the process.
private final class FileLock: StorageLock {
  private let file: Int32
  private let path: String

  init(_ file: Int32, _ path: String) {
    self.file = file
    self.path = path
  }

  deinit {
    // Another process that has opened the file meanwhile finds that it has lost its name.
    if isHeld { _ = unsafe unlink(path) }
    _ = systemClose(file)
  }

  /// Whether the locked file still has its name.
  ///
  /// Otherwise another process could lock a new one.
  var isHeld: Bool {
    var (own, named) = (stat(), stat())
    return unsafe fstat(file, &own) == 0 && lstat(path, &named) == 0
      && own.st_ino == named.st_ino && own.st_dev == named.st_dev
  }
}

// The methods above have the names of these calls.

private func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t = 0) -> Int32 {
  unsafe open(path, flags, mode)
}

private func systemWrite(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(file, bytes, count)
}

private func systemRead(_ file: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
  unsafe read(file, bytes, count)
}

private func systemRename(_ path: String, _ other: String) -> Int32 {
  unsafe rename(path, other)
}

private func systemClose(_ file: Int32) -> Int32 { close(file) }
