import Testing

/// Expects that each text shows that something is redacted, and not the secret of these tests.
func expectHidden(_ texts: [String], sourceLocation: SourceLocation = #_sourceLocation) {
  for text in texts {
    #expect(text.contains("<redacted>"), "\(text)", sourceLocation: sourceLocation)
    #expect(!text.contains("s3cret"), "\(text)", sourceLocation: sourceLocation)
  }
}
