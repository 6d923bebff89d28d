import ExampleTesting
import Foundation

/// A script for the form in its own folder, and the log of it.
///
/// There is one log for the whole process, and other tests enable it as well. The log of a session
/// is therefore enabled only in the process of the form.
struct Session {
  let folder: TemporaryFolder
  let log: String

  init() throws {
    folder = try TemporaryFolder()
    log = folder.path + "/form.log"
  }

  func script(_ arguments: String..., says lines: String...) throws -> Program {
    let form = try Program.betweenPipes("Form", arguments)
    form.type(lines.joined(separator: "\n"))
    form.closeInput()
    return form
  }

  var logged: String {
    get throws { try String(contentsOfFile: log, encoding: .utf8) }
  }

  /// The log entries of a script after it has ended.
  func entries(of form: Program) async throws -> [LogEntry] {
    _ = await form.exitCode()
    return try logged.split(separator: "\n").reduce(into: []) { entries, line in
      let words = line.split(separator: " ").joined(separator: " ")
      if line.hasPrefix("FormState: ") {
        entries.append(LogEntry(headline: words))
      } else {
        entries[entries.count - 1].lines.append(words)
      }
    }
  }
}

/// The log of one event, without its indentation.
struct LogEntry: Equatable {
  var headline: String
  var lines: [String] = []
}
