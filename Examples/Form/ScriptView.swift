import Signalbox
import Terminal

/// Fills the form in as a program says on standard input: a field and its text a line, or `submit`.
///
/// What has become of it is told on standard output, and why not on standard error.
@MainActor
final class ScriptView {
  /// Fires when all has been said, with the exit code.
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
        // Not what it says: that may be a password.
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

/// What a line of a script asks for.
enum ScriptCommand: Equatable {
  case fill(FormField, String)
  case submit

  /// What there is to ask for.
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
