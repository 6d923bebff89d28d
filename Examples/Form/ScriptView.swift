import Signalbox
import Terminal

/// Fills in the form from standard input.
///
/// Each line is a field and its text, or `submit`. A success is printed to standard output, and a
/// failure to standard error.
@MainActor
final class ScriptView {
  /// Sends the exit code when all lines have been handled.
  let quits = Emitter<Int32>()

  private let store: Store<FormState, FormAction>
  private let input = ScriptInput(limit: 4_096, unused: "was left out")
  private var isUnderstood = true

  init(store: Store<FormState, FormAction>) {
    self.store = store
  }

  func run() async {
    while let line = await input.next() {
      switch ScriptCommand(line) {
      case .fill(let field, let text):
        store.binder[dynamicMember: field.text].wrappedValue = text
      case .submit:
        await submit()
      case nil:
        // The message does not quote the line, which may contain a password.
        complain("Line \(input.number) begins with none of \(ScriptCommand.words).")
        isUnderstood = false
      }
    }
    quits.send(isUnderstood && store.progress.isDone ? input.exitCode : 1)
  }

  private func submit() async {
    await store.dispatch(.signUp)
    guard store.progress.isDone else { return complain(store.hint) }
    say(store.hint.printable)
  }
}

/// A line of a script.
enum ScriptCommand: Equatable {
  case fill(FormField, String)
  case submit

  /// The words that a line may begin with.
  static let words = (FormField.allCases.map(\.rawValue) + ["submit"]).joined(separator: ", ")

  init?(_ line: String) {
    let word = line.prefix { $0 != " " }
    if line == "submit" {
      self = .submit
    } else if let field = FormField(rawValue: String(word)) {
      self = .fill(field, String(line[word.endIndex...].dropFirst()))
    } else {
      return nil
    }
  }
}
