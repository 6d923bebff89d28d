import ExampleTesting
import Foundation

/// What people do with the form in a folder of their own, and the log of it.
///
/// The log is one for a whole process, and other tests turn it on as well: it is only ever turned
/// on in a process that is the form's.
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

  /// What is logged of a script, once that has ended.
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

/// What is logged of one event, without the spaces that indent it.
struct LogEntry: Equatable {
  var headline: String
  var lines: [String] = []
}
