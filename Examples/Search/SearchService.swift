/// What the search needs of the world.
struct SearchService {
  /// Goes through all names, and gives what it comes across step by step.
  var search: @MainActor (_ query: String) -> AsyncStream<SearchStep>
}

/// What a search has come across since the step before.
struct SearchStep: Equatable, Sendable {
  /// Those whose names match.
  var paths: [String] = []
  /// How many names have been looked at.
  var lookedAt = 0
  var unreadable: [UnreadableFolder] = []
}

struct UnreadableFolder: Equatable, Sendable {
  var path: String
  var reason: String
}

extension SearchService {
  /// The real thing: the files below a folder.
  static func files(below folder: String) -> SearchService {
    SearchService { query in
      let walk = FileWalk(below: folder, for: NameFilter(query))
      // It goes no further than it is asked to: a walk is never ahead of who looks at it.
      return AsyncStream { await walk.next() }
    }
  }
}
