import Testing

@testable import Terminal

struct WordWrapTests {
  @Test(arguments: [
    ("", [""]), ("one", ["one"]), ("one two th", ["one two th"]),
    ("one two three", ["one two", "  three"]), ("one two  three", ["one two", "  three"]),
    ("0123456789 ab", ["0123456789", "  ab"]), ("0123456789ab c", ["0123456789", "  ab c"]),
    ("a 0123456789", ["a", "  01234567", "  89"]), ("日本語日本語", ["日本語日本", "  語"]),
    ("   0123456789", ["   0123456", "  789"]), ("one two   ", ["one two   "]),
    ("0123456789      ", ["0123456789"]),
  ])
  func `a line ends between words`(text: String, lines: [String]) {
    #expect(text.wrapped(columns: 10) == lines)
  }

  @Test func `no line is too long, and no letter is lost, however narrow the window`() {
    let text = "Grüße 🙂 an alle, von 日本語日本語 und von longerthantheline"
    for columns in 0...70 {
      let lines = text.wrapped(columns: columns)
      #expect(lines.allSatisfy { $0.columns <= max(2, columns) })
      #expect(lines.joined().filter { $0 != " " } == text.filter { $0 != " " })
    }
  }
}
