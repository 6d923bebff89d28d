package import Foundation

#if os(WASI)
#error("SignalboxStorage needs locks of files, which WebAssembly does not have.")
#endif

/// The system's own file calls, because Foundation does not sync, and does not tell a missing file
/// from one that cannot be read.
package struct SystemFiles: FileSystem {
  package init() {}

  /// Makes a call until no signal interrupts it.
  private func call<Number: SignedInteger>(
    _ path: String, _ body: () -> Number
  ) throws(FileFailure) -> Number {
    while true {
      let result = body()
      if result >= 0 { return result }
      let code = errno
      if code != EINTR { throw FileFailure(path, code: code) }
    }
  }

  package func open(_ path: String, toReplace other: String) throws(FileFailure) -> Int32 {
    let file = try call(path) {
      unsafe Foundation.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    }
    // The mask of the process may have taken the owner's rights away.
    _ = fchmod(file, 0o600)
    giveAway(like: [other, FileStorage.parts(of: other).folder]) { _ = fchown(file, $0, $1) }
    return file
  }

  /// What root makes for other users belongs to them, who could not read it otherwise.
  private func giveAway(like paths: [String], _ change: (uid_t, gid_t) -> Void) {
    guard geteuid() == 0 else { return }
    for path in paths {
      var status = stat()
      if unsafe lstat(path, &status) == 0 { return change(status.st_uid, status.st_gid) }
    }
  }

  package func isOpen(_ file: Int32, at path: String) -> Bool {
    var (own, named) = (stat(), stat())
    return unsafe fstat(file, &own) == 0 && lstat(path, &named) == 0
      && own.st_ino == named.st_ino && own.st_dev == named.st_dev
  }

  package func write(_ bytes: Data, to file: Int32) throws(FileFailure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = try call("The new file") {
        unsafe rest.withUnsafeBytes { unsafe Foundation.write(file, $0.baseAddress, $0.count) }
      }
      // Otherwise the loop would not end.
      if count == 0 { throw FileFailure("The new file", code: ENOSPC) }
      rest = rest.dropFirst(count)
    }
  }

  package func sync(_ file: Int32) throws(FileFailure) { try sync(file, "The new file") }

  private func sync(_ file: Int32, _ path: String) throws(FileFailure) {
    #if canImport(Darwin)
    // `fsync` leaves the bytes in the cache of the drive here.
    if fcntl(file, F_FULLFSYNC) == 0 { return }
    #endif
    _ = try call(path) { fsync(file) }
  }

  package func rename(_ path: String, to other: String) throws(FileFailure) {
    _ = try call(other) { unsafe Foundation.rename(path, other) }
  }

  package func remove(_ path: String) throws(FileFailure) {
    _ = try call(path) { unsafe unlink(path) }
  }

  package func syncFolder(_ path: String) throws(FileFailure) {
    let folder = try call(path) { unsafe Foundation.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    defer { close(folder) }
    do {
      try sync(folder, path)
    } catch let error where error.code == EINVAL || error.code == ENOTSUP {
      // A file system whose folders cannot be synced.
    }
  }

  package func syncFile(_ path: String) throws(FileFailure) {
    let file = try call(path) { unsafe Foundation.open(path, O_RDONLY | O_CLOEXEC) }
    defer { close(file) }
    try sync(file, path)
  }

  package func close(_ file: Int32) { _ = Foundation.close(file) }

  // It may be another user's file, which is then left as it is.
  package func hide(_ path: String) { _ = unsafe chmod(path, 0o600) }

  package func makeFolder(_ path: String) throws(FileFailure) {
    if exists(path) { return }
    let parent = FileStorage.parts(of: path).folder
    try makeFolder(parent)
    do {
      _ = try call(path) { unsafe mkdir(path, 0o700) }
    } catch let error where error.code == EEXIST {
      // Another process has made it.
      return
    }
    _ = unsafe chmod(path, 0o700)
    giveAway(like: [parent]) { _ = unsafe chown(path, $0, $1) }
  }

  package func read(_ path: String) throws(FileFailure) -> Data? {
    let file: Int32
    do {
      // Without blocking, because a pipe may be in the file's place.
      file = try call(path) { unsafe Foundation.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
    } catch let error where error.code == ENOENT {
      // What a link leads to may be absent only for now, such as a disk. The folder may be one, too.
      var rest = path
      while rest != "/", !exists(rest) { rest = FileStorage.parts(of: rest).folder }
      var status = stat()
      if unsafe rest == path || stat(rest, &status) != 0 {
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
      let count = try call(path) { unsafe Foundation.read(file, &buffer, capacity) }
      if count == 0 { return data }
      data.append(contentsOf: buffer[..<count])
    }
  }

  package func names(in folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }

  package func exists(_ path: String) -> Bool {
    var status = stat()
    // If the system cannot tell, there may be something.
    return unsafe lstat(path, &status) == 0 || errno != ENOENT
  }

  package func target(of path: String) -> String {
    if let target = unsafe realpath(path, nil) {
      defer { unsafe free(target) }
      return unsafe String(cString: target)
    }
    if path == "/" { return path }
    // A folder that does not exist yet is made where its name says.
    let (folder, name) = FileStorage.parts(of: path)
    let target = target(of: folder)
    return (target == "/" ? "" : target) + "/" + name
  }

  package func lock(_ path: String) throws(FileFailure) -> (any StorageLock)? {
    while true {
      let file = try call(path) {
        unsafe Foundation.open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
      }
      _ = fchmod(file, 0o600)
      do {
        _ = try call(path) { flock(file, LOCK_EX | LOCK_NB) }
      } catch {
        close(file)
        if error.code == EWOULDBLOCK { return nil }
        throw error
      }
      giveAway(like: [FileStorage.parts(of: path).folder]) { _ = fchown(file, $0, $1) }
      // For processes that find the file locked. The lock does not depend on it.
      _ = ftruncate(file, 0)
      try? write(Data("\(getpid())\n".utf8), to: file)
      // Made only after locking, because its end removes the file. A process's end unlocks, too.
      let lock = Lock {
        // Otherwise another process could lock a new file.
        isOpen(file, at: path)
      } end: {
        // Another process that has opened the file meanwhile finds that it has lost its name.
        if isOpen(file, at: path) { _ = unsafe unlink(path) }
        close(file)
      }
      // The file may have been removed between the two calls.
      if lock.isHeld { return lock }
    }
  }
}
