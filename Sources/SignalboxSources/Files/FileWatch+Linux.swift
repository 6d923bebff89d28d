#if canImport(Glibc) || canImport(Musl)
import Dispatch

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Watches the name of a file with inotify.
///
/// It watches each folder of the `PathWalk` for the names that are looked up in it. If one of them
/// comes or goes, or if a folder moves, the watches follow the path as it is then, and the file is
/// compared with what is known of it.
final class FileWatch: @unchecked Sendable {
  // Unchecked because, after the initialiser, only `queue` reads and writes what changes.

  private let path: String
  private let tell: @Sendable (FileChange) -> Void
  private let inotify: Inotify?
  private let queue = DispatchQueue(label: "SignalboxSources.FileWatch")
  /// What is looked up in each watched folder.
  private var lookups: [Int32: [[UInt8]: PathWalk.Lookup]] = [:]
  /// The file that has the name; `nil` if there is none.
  private var file: FileStamp?
  /// What the name leads to, if it is a symbolic link.
  private var target: FileStamp?
  /// Looks at the file where the system cannot watch; `nil` if it can.
  private var poll: (any DispatchSourceTimer)?

  init(_ path: String, _ tell: @escaping @Sendable (FileChange) -> Void) {
    self.path = path
    self.tell = tell
    inotify = Inotify(on: queue)
    queue.sync {
      setWatches()
      (file, target) = (fileNow(), targetNow())
    }
    inotify?.start { [weak self] in self?.receive($0) }
  }

  /// Ends the watch, and lets go of its descriptor soon.
  func end() {
    queue.async {
      // The timer uses the descriptor, so it ends first.
      self.setPolling(false)
      self.inotify?.end()
    }
  }

  // MARK: Setting watches

  /// Watches the folders on the path as it is now, and no others.
  private func setWatches() {
    var walk = PathWalk(path)
    // The path may change before its folders are watched, and would then not be noticed.
    for _ in 1...10 {
      let isWatched = watch(walk)
      let now = PathWalk(path)
      if walk == now { return setPolling(!isWatched) }
      walk = now
    }
    setPolling(true)
  }

  /// - Returns: whether everything on the way can be watched.
  private func watch(_ walk: PathWalk) -> Bool {
    var lookups: [Int32: [[UInt8]: PathWalk.Lookup]] = [:]
    var isWatched = walk.isComplete
    for step in walk.steps {
      if let watch = inotify?.add(step.folder, step.lookup.interest) {
        // The name itself matters more than that it is also on the way to its target.
        if lookups[watch]?[step.name] != .file {
          lookups[watch, default: [:]][step.name] = step.lookup
        }
      } else if step.lookup != .folder {
        // A folder that exists rarely goes away while the folder around it may not be read.
        isWatched = false
      }
    }
    // A folder that is still on the path keeps its watch, so none of its events is lost.
    for watch in self.lookups.keys where lookups[watch] == nil { inotify?.remove(watch) }
    self.lookups = lookups
    return isWatched
  }

  private func setPolling(_ isPolling: Bool) {
    guard isPolling != (poll != nil) else { return }
    poll.take()?.cancel()
    guard isPolling else { return }
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now() + 1, repeating: 1)
    timer.setEventHandler { [weak self] in self?.lookAgain() }
    timer.resume()
    poll = timer
  }

  // MARK: Events

  private func receive(_ event: Inotify.Event) {
    if event.isOverflow { return lookAgain(afterLoss: true) }
    guard let names = lookups[event.watch] else { return }
    if event.isEnd { return lookAgain() }
    switch names[event.name] {
    case .folder, .link: lookAgain()
    case .file: nameHas(event.kind)
    case .target: targetHas(event.kind)
    case nil: break
    }
  }

  private func nameHas(_ event: Inotify.Event.Kind) {
    let wasLink = hasTarget
    switch event {
    case .arrived:
      // The stamp now may be that of a later file, whose own event follows.
      tell(file == nil ? .created : .changed)
      file = fileNow() ?? FileStamp(device: 0, inode: 0, size: 0, seconds: 0, nanoseconds: 0)
      target = targetNow()
    case .left:
      if file != nil { tell(.removed) }
      (file, target) = (nil, nil)
    case .written:
      tell(.changed)
      file = fileNow() ?? file
    }
    if wasLink || isLink { setWatches() }
  }

  /// Notices what happens to the file behind a link.
  ///
  /// It does not compare, because a new file may get the inode of the old one.
  private func targetHas(_ event: Inotify.Event.Kind) {
    guard file != nil else { return }
    target = targetNow()
    if event != .written { setWatches() }
    tell(.changed)
  }

  /// Follows the path as it is now, and tells what has changed in between.
  ///
  /// - Parameter afterLoss: whether something has happened that cannot be seen any more.
  private func lookAgain(afterLoss: Bool = false) {
    setWatches()
    let before = (file: file, target: target)
    (file, target) = (fileNow(), targetNow())
    switch (before.file, file) {
    case (nil, nil): break
    case (nil, _?): tell(.created)
    case (_?, nil): tell(.removed)
    case (_?, _?):
      if afterLoss || before != (file, target) { tell(.changed) }
    }
  }

  // MARK: The file

  private func fileNow() -> FileStamp? { status(followingLinks: false).map(Self.stamp(of:)) }

  private func targetNow() -> FileStamp? {
    isLink ? status(followingLinks: true).map(Self.stamp(of:)) : nil
  }

  private var isLink: Bool {
    status(followingLinks: false).map { $0.st_mode & S_IFMT == S_IFLNK } ?? false
  }

  /// Whether the folders on the path to a target are watched.
  private var hasTarget: Bool { lookups.values.contains { $0.values.contains(.target) } }

  private func status(followingLinks: Bool) -> stat? {
    var status = stat()
    let code = unsafe followingLinks ? stat(path, &status) : lstat(path, &status)
    return code == 0 ? status : nil
  }

  private static func stamp(of status: stat) -> FileStamp {
    FileStamp(
      device: UInt64(status.st_dev), inode: UInt64(status.st_ino), size: Int64(status.st_size),
      seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec)
  }
}

extension PathWalk.Lookup {
  fileprivate var interest: Inotify.Interest {
    switch self {
    case .folder, .link: .names
    case .file, .target: .contents
    }
  }
}
#endif
