/// The state of the search.
struct SearchState: Equatable, Sendable {
  enum Phase: Equatable, Sendable {
    case idle
    /// The user has typed and may type more.
    case waiting
    case searching
    case finished
    case stopped
  }

  var query = ""
  var phase = Phase.idle
  var findings = Findings()
}

/// All findings of a search so far.
struct Findings: Equatable, Sendable {
  var paths: Beginning<String>
  var unreadable: Beginning<UnreadableFolder>
  /// The number of names that were compared.
  var lookedAt = 0

  init(limit: Int = .max) {
    paths = Beginning(limit: limit)
    unreadable = Beginning(limit: limit)
  }

  mutating func add(_ step: SearchStep) {
    paths.append(step.paths)
    unreadable.append(step.unreadable)
    lookedAt += step.lookedAt
  }
}

/// The first elements of a sequence that may be long, and the number of all elements.
struct Beginning<Element: Equatable & Sendable>: Equatable, Sendable {
  let limit: Int
  private(set) var elements: [Element] = []
  /// The number of all elements, including those that were not kept.
  private(set) var count = 0

  init(limit: Int) {
    self.limit = limit
  }

  mutating func append(_ new: [Element]) {
    elements += new.prefix(limit - elements.count)
    count += new.count
  }
}

enum SearchAction: Equatable, Sendable {
  /// The query has changed.
  case wait
  case search(String)
  case cancel
}

enum SearchHook: CaseIterable {
  // `typingPaused` comes first. If the end of a pause is noticed only when the next key arrives,
  // the search for the old query starts first, and the `wait` for that key supersedes it.
  case typingPaused
  case queryTyped
}
