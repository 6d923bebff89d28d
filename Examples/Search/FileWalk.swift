/// Walks through a folder and its subfolders in steps, off the main actor.
actor FileWalk {
  private let filter: NameFilter
  private let isTimeUp: () -> () -> Bool
  private var waiting: [Place]
  private var current: (folder: Folder, rules: IgnoreRules?)?

  /// A folder that has not been opened.
  private struct Place {
    var path: String
    /// What is hidden in the folder, except by its own file; `nil` if nothing is.
    var rules: IgnoreRules?
  }

  /// - Parameters:
  ///   - folder: the folder.
  ///   - filter: selects the names.
  ///   - showsHidden: whether hidden and ignored names are compared, too.
  ///   - interval: the longest duration of a step, unless the disk hangs.
  ///   - clock: measures the interval.
  init(
    below folder: String, for filter: NameFilter, showsHidden: Bool = false,
    interval: Duration = .milliseconds(50), clock: any Clock<Duration> = ContinuousClock()
  ) {
    waiting = [Place(path: folder, rules: showsHidden ? nil : IgnoreRules())]
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
      guard let (folder, rules) = current ?? openNext(&step) else {
        return step == SearchStep() ? nil : step
      }
      look(into: folder, rules, &step)
      if isTimeUp() { return step }
    }
    return nil
  }

  /// Reads one name of a folder.
  private func look(into folder: Folder, _ rules: IgnoreRules?, _ step: inout SearchStep) {
    do {
      guard let entry = try folder.next() else {
        current = nil
        return
      }
      if let rules, rules.hides(entry.name, isFolder: entry.isFolder) { return }
      step.lookedAt += 1
      let path = folder.path(of: entry)
      if filter.matches(entry.name) { step.paths.append(path) }
      if entry.isFolder {
        waiting.append(Place(path: path, rules: rules?.inside(entry.name)))
      }
    } catch {
      step.unreadable.append(UnreadableFolder(path: folder.path, reason: "\(error)"))
      current = nil
    }
  }

  private func openNext(
    _ step: inout SearchStep
  ) -> (folder: Folder, rules: IgnoreRules?)? {
    while var place = waiting.popLast() {
      do {
        let folder = try Folder(place.path)
        if place.rules != nil, let bytes = folder.contents(of: IgnoreFile.name) {
          place.rules?.add(IgnoreFile(bytes))
        }
        current = (folder, place.rules)
        return current
      } catch {
        step.unreadable.append(UnreadableFolder(path: place.path, reason: "\(error)"))
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
