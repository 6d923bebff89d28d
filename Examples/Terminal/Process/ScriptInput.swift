/// The lines of standard input, without empty ones.
///
/// A line that cannot be used is reported on standard error by its number.
@MainActor
package final class ScriptInput {
  /// The number of the last line.
  package private(set) var number = 0
  /// Zero, or one if a line could not be used.
  package private(set) var exitCode: Int32 = 0

  private let input: StandardInput
  private let limit: Int
  private let unused: String

  /// - Parameters:
  ///   - limit: the number of bytes that a line may have.
  ///   - unused: describes what happened to a line that cannot be used, such as "was not sent".
  package init(limit: Int, unused: String) {
    input = StandardInput(limit: limit)
    self.limit = limit
    self.unused = unused
  }

  /// Reads the next line.
  ///
  /// Returns `nil` at the end.
  package func next() async -> String? {
    while let item = await input.next() {
      number += 1
      switch item {
      case .line(let text) where text.allSatisfy(\.isWhitespace): continue
      case .line(let text): return text
      case .tooLong: refuse("has more than \(limit) bytes")
      case .notUTF8: refuse("is not UTF-8")
      }
    }
    return nil
  }

  private func refuse(_ reason: String) {
    complain("Line \(number) \(reason) and \(unused).")
    exitCode = 1
  }
}
