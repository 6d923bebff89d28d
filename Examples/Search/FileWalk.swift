/// Walks through a folder and all its subfolders in steps, off the main actor.
actor FileWalk {
  private let filter: NameFilter
  private let isTimeUp: () -> () -> Bool
  private var waiting: [String]
  private var folder: Folder?

  /// - Parameters:
  ///   - folder: the folder.
  ///   - filter: selects the names.
  ///   - interval: the longest duration of a step, unless the disk hangs.
  ///   - clock: measures the interval.
  init(
    below folder: String, for filter: NameFilter, interval: Duration = .milliseconds(50),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    waiting = [folder]
    self.filter = filter
    isTimeUp = { Self.timer(interval, clock) }
  }

  /// Performs the next step.
  ///
  /// Returns `nil` at the end, or if the task has been cancelled.
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

  /// Reads one name of a folder.
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

  /// Makes a timer.
  ///
  /// It is generic, because each clock has its own type of instants.
  private static func timer(
    _ interval: Duration, _ clock: some Clock<Duration>
  ) -> () -> Bool {
    let end = clock.now.advanced(by: interval)
    return { clock.now >= end }
  }
}
