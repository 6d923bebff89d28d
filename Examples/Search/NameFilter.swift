/// Selects the names that contain a query, ignoring case.
struct NameFilter: Sendable {
  private let query: String

  init(_ query: String) {
    self.query = query.lowercased()
  }

  func matches(_ name: String) -> Bool {
    name.lowercased().contains(query)
  }

  /// The first part of a name that matches.
  func range(in name: Substring) -> Range<String.Index>? {
    for start in name.indices {
      var end = start
      var rest = query[...]
      while let letter = rest.first, end < name.endIndex,
        name[end].lowercased() == String(letter)
      {
        rest.removeFirst()
        end = name.index(after: end)
      }
      if rest.isEmpty { return start..<end }
    }
    return nil
  }
}
