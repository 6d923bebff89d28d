/// Selects the names that contain a query, ignoring case.
struct NameFilter: Sendable {
  private let query: String

  init(_ query: String) {
    self.query = query.lowercased()
  }

  func matches(_ name: String) -> Bool {
    name.lowercased().contains(query)
  }
}
