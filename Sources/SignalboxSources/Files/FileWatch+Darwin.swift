#if canImport(Darwin)
import Darwin
import Dispatch

/// Watches the name of a file through the folders on its path and the file itself.
///
/// The system reports only that something has happened, so the file is compared with what is known
/// of it. Quick changes may be reported as one.
final class FileWatch: @unchecked Sendable {
  // Unchecked because, after the initialiser, only `queue` reads and writes what changes.

  private let path: String
  private let tell: @Sendable (FileChange) -> Void
  private let queue = DispatchQueue(label: "SignalboxSources.FileWatch")
  private var sources: [any DispatchSourceFileSystemObject] = []
  private var walk: PathWalk
  private var file: FileStamp?
  private var isOver = false

  init(_ path: String, _ tell: @escaping @Sendable (FileChange) -> Void) {
    self.path = path
    self.tell = tell
    walk = PathWalk(path)
    queue.sync {
      watchAll()
      file = fileNow()
    }
  }

  func end() {
    queue.async {
      self.isOver = true
      self.stop()
    }
  }

  private func stop() {
    for source in sources { source.cancel() }
    sources = []
  }

  private func watchAll() {
    stop()
    walk = PathWalk(path)
    // The folder around it notices a folder or a file that comes. The last step is the file.
    for folder in Set(walk.steps.map(\.folder)) { watch(folder) }
  }

  private func watch(_ path: String) {
    let descriptor = open(path, O_EVTONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    let source = DispatchSource.makeFileSystemObjectSource(
      fileDescriptor: descriptor, eventMask: [.write, .extend, .delete, .rename, .revoke],
      queue: queue)
    source.setEventHandler { [weak self] in self?.lookAgain() }
    source.setRegistrationHandler { [weak self] in self?.lookAgainIfChanged() }
    source.setCancelHandler { _ = close(descriptor) }
    source.resume()
    sources.append(source)
  }

  /// Notices what happened before the system began to watch.
  private func lookAgainIfChanged() {
    if PathWalk(path) != walk || fileNow() != file { lookAgain() }
  }

  private func lookAgain() {
    guard !isOver else { return }
    watchAll()
    let before = file
    file = fileNow()
    switch (before, file) {
    case (nil, nil): break
    case (nil, _?): tell(.created)
    case (_?, nil): tell(.removed)
    case (let before?, let now?): if before != now { tell(.changed) }
    }
  }

  private func fileNow() -> FileStamp? {
    var status = stat()
    let code = unsafe stat(path, &status)
    guard code == 0 else { return nil }
    return FileStamp(
      device: UInt64(bitPattern: Int64(status.st_dev)), inode: status.st_ino,
      size: status.st_size, seconds: status.st_mtimespec.tv_sec,
      nanoseconds: status.st_mtimespec.tv_nsec)
  }
}
#endif
