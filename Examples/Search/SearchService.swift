/// The dependencies of the search.
struct SearchService {
  /// Goes through all names and returns the findings step by step.
  var search: @MainActor (_ query: String) -> AsyncStream<SearchStep>
}

/// The findings of a search since the previous step.
struct SearchStep: Equatable, Sendable {
  /// The paths whose names match.
  var paths: [String] = []
  /// The number of names that were compared.
  var lookedAt = 0
  var unreadable: [UnreadableFolder] = []
}

struct UnreadableFolder: Equatable, Sendable {
  var path: String
  var reason: String
}

extension SearchService {
  /// A service that searches the files below a folder.
  ///
  /// - Parameters:
  ///   - folder: the folder.
  ///   - showsHidden: whether it finds hidden and ignored files, too.
  static func files(below folder: String, showsHidden: Bool = false) -> SearchService {
    SearchService { query in
      let walk = FileWalk(below: folder, for: NameFilter(query), showsHidden: showsHidden)
      // The stream is unbuffered, so the walk continues only when the next step is requested.
      return AsyncStream { await walk.next() }
    }
  }
}
