/// A walk through a folder and all folders in it, off the main actor and step by step.
actor FileWalk {
  private let filter: NameFilter
  private let isTimeUp: () -> () -> Bool
  private var waiting: [String]
  private var folder: Folder?

  /// - Parameters:
  ///   - interval: how long a step takes at the most, but for a disk that hangs.
  ///   - clock: measures it.
  init(
    below folder: String, for filter: NameFilter, interval: Duration = .milliseconds(50),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    waiting = [folder]
    self.filter = filter
    isTimeUp = { Self.timer(interval, clock) }
  }

  /// Walks on; `nil` when there is nothing left, or when the task has been cancelled.
  func next() -> SearchStep? {
    var step = SearchStep()
    let isTimeUp = isTimeUp()
    while !Task.isCancelled {
      guard let folder = folder ?? openNext(&step) else {
        return step == SearchStep() ? nil : step
      }
      look(into: folder, &step)
      if isTimeUp() { return step }
    }
    return nil
  }

  /// Looks at one name.
  private func look(into folder: Folder, _ step: inout SearchStep) {
    do {
      guard let entry = try folder.next() else {
        self.folder = nil
        return
      }
      step.lookedAt += 1
      let path = folder.path(of: entry)
      if filter.matches(entry.name) { step.paths.append(path) }
      if entry.isFolder { waiting.append(path) }
    } catch {
      step.unreadable.append(UnreadableFolder(path: folder.path, reason: "\(error)"))
      self.folder = nil
    }
  }

  private func openNext(_ step: inout SearchStep) -> Folder? {
    while let path = waiting.popLast() {
      do {
        folder = try Folder(path)
        return folder
      } catch {
        step.unreadable.append(UnreadableFolder(path: path, reason: "\(error)"))
      }
    }
    return nil
  }

  /// Opens the clock, whose instants have a type of their own.
  private static func timer(
    _ interval: Duration, _ clock: some Clock<Duration>
  ) -> () -> Bool {
    let end = clock.now.advanced(by: interval)
    return { clock.now >= end }
  }
}
