/// What there is to show.
struct SearchState: Equatable, Sendable {
  enum Phase: Equatable, Sendable {
    case idle
    /// Something has been typed, and perhaps more will be.
    case waiting
    case searching
    case finished
    case stopped
  }

  var query = ""
  var phase = Phase.idle
  var findings = Findings()
}

/// What a search has come across so far.
struct Findings: Equatable, Sendable {
  var paths: Beginning<String>
  var unreadable: Beginning<UnreadableFolder>
  /// How many names have been looked at.
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

/// The first elements of a sequence that may be long, and how many there were.
struct Beginning<Element: Equatable & Sendable>: Equatable, Sendable {
  let limit: Int
  private(set) var elements: [Element] = []
  /// The ones that were not kept included.
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
  // In this order: a pause that is noticed only when the next key comes ended before that key.
  case typingPaused
  case queryTyped
}
