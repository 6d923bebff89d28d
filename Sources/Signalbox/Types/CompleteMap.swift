extension Sequence {
  /// The results for all elements; `nil` if one of them has none.
  package func completeMap<Result>(_ transform: (Element) -> Result?) -> [Result]? {
    var results: [Result] = []
    for element in self {
      guard let result = transform(element) else { return nil }
      results.append(result)
    }
    return results
  }
}
