internal import SignalboxInspection

extension ValueTree {
  /// The value as a Swift literal; `nil` if there is none, or if it has more than `most` bytes.
  ///
  /// - Parameter isTyped: whether a case needs the name of its type, as the context gives no type.
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
}
