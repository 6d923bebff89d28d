import Testing

extension ExitTest.Result? {
  /// The text that the process has printed to standard error.
  var errorText: String { String(decoding: self?.standardErrorContent ?? [], as: UTF8.self) }
}

/// Expects that a process has printed a sentence to standard error.
func expectError(
  _ sentence: String, from result: ExitTest.Result?,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let text = result.errorText
  #expect(text.contains(sentence), "\(text)", sourceLocation: sourceLocation)
}
