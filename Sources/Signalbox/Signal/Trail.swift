/// A link in the chain of writes that led to a delivery, for the report of a loop (S17).
@MainActor final class Trail {
  private let parent: Trail?
  private let writer: String
  private let path: AnyKeyPath

  init(parent: Trail?, writer: String, path: AnyKeyPath) {
    self.parent = parent
    self.writer = writer
    self.path = path
  }

  /// The last writes, oldest first, up to where they begin to repeat.
  var chain: [String] {
    var chain: [String] = []
    var link: Trail? = self
    while let current = link {
      let step = "\(current.writer) wrote \(current.path)"
      if chain.contains(step) { break }
      chain.append(step)
      link = current.parent
    }
    return chain.reversed()
  }
}
