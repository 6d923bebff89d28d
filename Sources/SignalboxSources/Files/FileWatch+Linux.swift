#if canImport(Glibc) || canImport(Musl)
import Dispatch

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Watches the name of a file with inotify.
///
///     /                       ends, moves
///     └─ home                 ends, moves
///        └─ folder            ends, moves, and every event of a name in it
///           └─ file
///
/// If the folder does not exist, the last folder that does waits for the next name on the path. When
/// anything on the path ends, moves or comes, all watches are set anew, and the file is compared with
/// what is known of it.
final class FileWatch: @unchecked Sendable {
  // Unchecked because, after the initialiser, only `queue` reads and writes what changes.

  /// Which folder a watch is for.
  private enum Role {
    case above
    /// The last folder that exists, which waits for a name.
    case waiting(for: String)
    case folder
    /// The file that a symbolic link leads to.
    case target
  }

  private let watched: WatchedPath
  private let tell: @Sendable (FileChange) -> Void
  private let inotify: Inotify?
  private let queue = DispatchQueue(label: "SignalboxSources.FileWatch")
  private var roles: [Int32: Role] = [:]
  /// The file that has the name; `nil` if there is none.
  private var file: FileStamp?
  /// What the name leads to, if it is a symbolic link.
  private var target: FileStamp?
  /// Looks at the file where the system cannot watch; `nil` if it can.
  private var poll: (any DispatchSourceTimer)?

  init(_ path: String, _ tell: @escaping @Sendable (FileChange) -> Void) {
    watched = WatchedPath(path)
    self.tell = tell
    inotify = Inotify(on: queue)
    queue.sync {
      watchAll()
      (file, target) = (fileNow(), targetNow())
    }
    inotify?.start { [weak self] in self?.receive($0) }
  }

  /// Ends the watch, and lets go of its descriptor soon.
  func end() {
    inotify?.end()
    queue.async { self.setPolling(false) }
  }

  // MARK: Setting watches

  private func watchAll() {
    for watch in roles.keys { inotify?.remove(watch) }
    roles = [:]
    while let missing = watchFolders() {
      // The folder may come between the two calls, and would then not be noticed.
      if !isFolder(watched.folders[missing]) { return }
    }
    watchTarget()
  }

  /// Watches the folders on the path.
  ///
  /// - Returns: the depth of the first folder that does not exist; `nil` if all of them do.
  private func watchFolders() -> Int? {
    var isComplete = inotify != nil
    defer { setPolling(!isComplete) }
    for (depth, folder) in watched.folders.enumerated() {
      let isLast = depth == watched.folders.count - 1
      if let watch = inotify?.add(folder, isLast ? .names : .ends) {
        roles[watch] = isLast ? .folder : .above
      } else if isFolder(folder) {
        // A folder above that may not be read rarely ends. The last one matters.
        isComplete = isComplete && !isLast
      } else {
        isComplete = isComplete && waits(in: depth - 1)
        return depth
      }
    }
    return nil
  }

  /// Waits for the next name in a folder.
  private func waits(in depth: Int) -> Bool {
    guard depth >= 0, let watch = inotify?.add(watched.folders[depth], .arrivals) else {
      return false
    }
    roles[watch] = .waiting(for: watched.names[depth])
    return true
  }

  private func setPolling(_ isPolling: Bool) {
    guard isPolling != (poll != nil) else { return }
    poll.take()?.cancel()
    guard isPolling else { return }
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now() + 1, repeating: 1)
    timer.setEventHandler { [weak self] in self?.reset(isCertain: false) }
    timer.resume()
    poll = timer
  }

  private func watchTarget() {
    guard targetNow() != nil, let watch = inotify?.add(watched.path, .writes) else { return }
    roles[watch] = .target
  }

  // MARK: Events

  private func receive(_ event: Inotify.Event) {
    if event.isOverflow { return reset(isCertain: true) }
    guard let role = roles[event.watch] else { return }
    if event.isEnd {
      if case .target = role {
        roles[event.watch] = nil
        return
      }
      return reset(isCertain: false)
    }
    switch role {
    case .above: break
    case .waiting(let name): if event.name == name { reset(isCertain: false) }
    case .target: tell(.changed)
    case .folder where event.name == watched.name: nameHas(event)
    case .folder: linkMayLeadElsewhere()
    }
  }

  private func nameHas(_ event: Inotify.Event) {
    switch event.kind {
    case .arrived:
      // The stamp now may be that of a later file, whose own event follows.
      tell(file == nil ? .created : .changed)
      file = fileNow() ?? FileStamp(device: 0, inode: 0, size: 0, seconds: 0, nanoseconds: 0)
      target = targetNow()
      watchTarget()
    case .left:
      if file != nil { tell(.removed) }
      (file, target) = (nil, nil)
    case .written:
      tell(.changed)
      file = fileNow() ?? file
    }
  }

  /// Sets all watches anew, and tells what has changed in between.
  ///
  /// - Parameter isCertain: whether something has happened that cannot be seen any more.
  private func reset(isCertain: Bool) {
    watchAll()
    let before = (file: file, target: target)
    (file, target) = (fileNow(), targetNow())
    switch (before.file, file) {
    case (nil, nil): break
    case (nil, _?): tell(.created)
    case (_?, nil): tell(.removed)
    case (_?, _?):
      if isCertain || before != (file, target) { tell(.changed) }
    }
  }

  /// Notices a link in the same folder through which the name leads to another file.
  private func linkMayLeadElsewhere() {
    guard target != nil else { return }
    let now = targetNow()
    let isSame = if let now, let target { now.isSameFile(as: target) } else { now == target }
    target = now
    guard !isSame else { return }
    watchTarget()
    tell(.changed)
  }

  // MARK: The file

  private func fileNow() -> FileStamp? { status(followingLinks: false).map(Self.stamp(of:)) }

  private func targetNow() -> FileStamp? {
    guard let own = status(followingLinks: false), own.st_mode & S_IFMT == S_IFLNK else {
      return nil
    }
    return status(followingLinks: true).map(Self.stamp(of:))
  }

  private func status(followingLinks: Bool) -> stat? {
    var status = stat()
    let path = watched.path
    let code = unsafe followingLinks ? stat(path, &status) : lstat(path, &status)
    return code == 0 ? status : nil
  }

  private func isFolder(_ path: String) -> Bool {
    var status = stat()
    let code = unsafe stat(path, &status)
    return code == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private static func stamp(of status: stat) -> FileStamp {
    FileStamp(
      device: UInt64(status.st_dev), inode: UInt64(status.st_ino), size: Int64(status.st_size),
      seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec)
  }
}
#endif
