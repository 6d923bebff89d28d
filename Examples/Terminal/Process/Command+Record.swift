import Foundation
import SignalboxTrace

extension Command {
  /// Records what happens in the stores that the program makes from here on, if it was asked to.
  ///
  /// - Parameter path: the file that the user named; `nil` for none.
  /// - Throws: a `Misuse` if the file cannot be written.
  package func record(to path: String?) throws(Misuse) {
    guard let path else { return }
    do {
      try Recording.start(to: URL(filePath: path))
    } catch {
      throw Misuse("\(error)".printable)
    }
  }
}
