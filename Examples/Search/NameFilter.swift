/// Which names a query is about: those that have it in them, in capitals or not.
struct NameFilter: Sendable {
  private let query: String

  init(_ query: String) {
    self.query = query.lowercased()
  }

  func matches(_ name: String) -> Bool {
    name.lowercased().contains(query)
  }
}
