import Foundation
import Signalbox
import SignalboxSources

/// The lines of standard input, without empty ones.
///
/// A line that cannot be used is reported on standard error by its number.
@MainActor
package final class ScriptInput {
  /// The number of the last line.
  package private(set) var number = 0
  /// Zero, or one if a line could not be used.
  package private(set) var exitCode: Int32 = 0

  // Read when they are requested, because a subscription to them lasts for one line.
  private let lines = Signal.lines(of: .standardInput)
  private let limit: Int
  private let unused: String

  /// - Parameters:
  ///   - limit: the number of bytes that a line may have.
  ///   - unused: describes what happened to a line that cannot be used, such as "was not sent".
  package init(limit: Int, unused: String) {
    self.limit = limit
    self.unused = unused
  }

  /// Reads the next line.
  ///
  /// Returns `nil` at the end.
  package func next() async -> String? {
    while let line = await lines.first() {
      number += 1
      switch line {
      case .success(let text) where text.allSatisfy(\.isWhitespace): continue
      case .success(let text) where text.utf8.count <= limit: return text
      case .failure(LineError.unreadable(let reason)): refuse("cannot be read (\(reason))")
      case .failure(LineError.notUTF8): refuse("is not UTF-8")
      case .success, .failure: refuse("has more than \(limit) bytes")
      }
    }
    return nil
  }

  private func refuse(_ reason: String) {
    complain("Line \(number) \(reason) and \(unused).")
    exitCode = 1
  }
}
