internal import SignalboxInspection

extension ValueTree {
  /// The value as a Swift literal where its type is known.
  ///
  /// - Parameters:
  ///   - surroundings: what the caller knows about the types.
  ///   - isTyped: whether a case needs the name of its type, because the type around it is unknown.
  ///   - most: the length in bytes from which a test could not be read.
  /// - Returns: `nil` if there is none, for example because something is redacted or was left out.
  func literal(
    _ surroundings: Trace.Surroundings? = nil, isTyped: Bool = false, most: Int = 2_000
  ) -> String? {
    let literals = SourceLiterals(
      defaults: surroundings?.defaults ?? [:], expressions: surroundings?.expressions ?? [:])
    guard let text = literals.source(of: self, isTyped: isTyped), text.utf8.count <= most else {
      return nil
    }
    return text
  }

  var isTuple: Bool {
    guard case .record(let record) = self else { return false }
    return record.type == nil && !record.fields.isEmpty
  }

  /// The expression of a duration that is known in seconds, as in `0.15`.
  static func duration(ofSeconds text: String) -> String? {
    SourceLiterals.duration(text)
  }
}
