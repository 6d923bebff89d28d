#if canImport(Glibc) || canImport(Musl) || canImport(Android)
import Foundation

/// Watches the name of a file with inotify.
///
/// It watches each folder of the `PathWalk` for the names that are looked up in it, and the file for
/// its contents, which other names may lead to. If a name comes or goes, or if a folder moves, the
/// watches follow the path as it is then.
package final class FileWatch: @unchecked Sendable {
  // Unchecked because only the queue of `Inotify` reads and writes what changes.

  private let path: String
  private let walk: @Sendable (String) -> PathWalk
  private let tell: @Sendable (FileChange) -> Void
  private var inotify: Inotify?
  private var lookups: Inotify.Lookups = [:]
  private var file: FileStamp?
  /// What the name leads to, if it is a symbolic link.
  private var target: FileStamp?
  /// Looks at the file where the system cannot watch; `nil` if it can.
  private var poll: (any DispatchSourceTimer)?

  /// - Parameter walk: walks the path. A test changes the path behind a walk.
  package init(
    _ path: String, walk: @escaping @Sendable (String) -> PathWalk = { PathWalk($0) },
    _ tell: @escaping @Sendable (FileChange) -> Void
  ) {
    self.path = path
    self.walk = walk
    self.tell = tell
    Inotify.queue.sync {
      setWatches()
      look()
    }
  }

  package func end() {
    Inotify.queue.async {
      self.setPolling(false)
      self.inotify?.replace(self.lookups, by: [:], of: self)
      (self.lookups, self.inotify) = ([:], nil)
    }
  }

  // MARK: Setting watches

  func setWatches() {
    inotify = inotify ?? Inotify.shared
    var steps = walk(path)
    // The path may change before its folders are watched, and would then not be noticed.
    for _ in 1...10 {
      let isWatched = watch(steps)
      let now = walk(path)
      if steps == now { return setPolling(!isWatched) }
      steps = now
    }
    setPolling(true)
  }

  /// - Returns: whether everything on the way can be watched.
  private func watch(_ walk: PathWalk) -> Bool {
    var lookups: Inotify.Lookups = [:]
    var isWatched = walk.isComplete
    for step in walk.steps {
      if let watch = inotify?.add(step) {
        // The name itself matters most, then a folder on the path, then the target of a link.
        let known = lookups[watch]?[step.name]
        if known == nil || (known != .file && step.lookup != .target) {
          lookups[watch, default: [:]][step.name] = step.lookup
        }
      } else if step.lookup != .folder {
        // A folder that exists rarely goes away while the folder around it may not be read.
        isWatched = false
      }
    }
    // A folder that is still on the path keeps its watch, so none of its events is lost.
    inotify?.replace(self.lookups, by: lookups, of: self)
    self.lookups = lookups
    return isWatched
  }

  private func setPolling(_ isPolling: Bool) {
    guard isPolling != (poll != nil) else { return }
    poll.take()?.cancel()
    guard isPolling else { return }
    let timer = DispatchSource.makeTimerSource(queue: Inotify.queue)
    timer.schedule(deadline: .now() + 1, repeating: 1)
    timer.setEventHandler { [weak self] in self?.lookAgain() }
    timer.resume()
    poll = timer
  }

  // MARK: Events

  func receive(_ event: Inotify.Event) {
    if event.kind == .lost { return lookAgain(afterLoss: true) }
    guard let names = lookups[event.watch] else { return }
    // The watch of the folder reports what happens to the name of a file that ends.
    if event.kind == .ended { return names[[]] == .contents ? () : lookAgain() }
    switch names[event.name] {
    case .folder, .link: lookAgain()
    case .file: nameHas(event.kind)
    case .target, .contents: targetHas(event.kind)
    case nil: break
    }
  }

  /// Follows the name before it notifies, to miss nothing after a subscriber has read the file.
  private func nameHas(_ event: Inotify.Event.Kind) {
    setWatches()
    let wasThere = file != nil
    look()
    if event == .left {
      // The stamp now would be that of a later file, whose own event follows.
      (file, target) = (nil, nil)
      if wasThere { tell(.removed) }
      return
    }
    let isWritten = event == .made && !isLink && file?.size ?? 0 > 0
    file = file ?? FileStamp(device: 0, inode: 0, size: 0, seconds: 0, nanoseconds: 0)
    tell(wasThere ? .changed : .created)
    // A write before the file was watched.
    if isWritten { tell(.changed) }
  }

  // Does not compare stamps, because a new file may get the inode of the old one.
  private func targetHas(_ event: Inotify.Event.Kind) {
    guard let before = file else { return }
    if event != .written { setWatches() }
    look()
    file = file ?? before
    tell(.changed)
  }

  /// - Parameter afterLoss: whether something has happened that cannot be seen any more.
  func lookAgain(afterLoss: Bool = false) {
    setWatches()
    let before = (file: file, target: target)
    look()
    switch (before.file, file) {
    case (nil, nil): break
    case (nil, _?): tell(.created)
    case (_?, nil): tell(.removed)
    case (_?, _?):
      if afterLoss || before != (file, target) { tell(.changed) }
    }
  }

  // MARK: The file

  /// Whether the path leads to something else, or other contents, than when it was last looked at.
  var isElsewhere: Bool { found != (file, target) }

  private func look() { (file, target) = found }

  private var found: (file: FileStamp?, target: FileStamp?) {
    (
      status(followingLinks: false).map(Self.stamp(of:)),
      isLink ? status(followingLinks: true).map(Self.stamp(of:)) : nil
    )
  }

  private var isLink: Bool {
    status(followingLinks: false).map { $0.st_mode & S_IFMT == S_IFLNK } ?? false
  }

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
#endif
