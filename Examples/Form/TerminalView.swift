import Signalbox
import Terminal

/// Shows the state in a terminal and edits the fields.
@MainActor
final class TerminalView {
  private let store: Store<FormState, FormAction>
  private let console: Console
  private let fields: [TextField]
  private var focus = 0
  /// Whether the last key was a Return that could not sign up.
  private var isRejected = false
  private var drawn: Frame?
  private var subscriptions: Set<Subscription> = []

  init(store: Store<FormState, FormAction>, console: Console) {
    self.store = store
    self.console = console
    fields = FormField.allCases.map {
      TextField(store.binder[dynamicMember: $0.text], isSecret: $0.isSecret)
    }
    store.publisher
      .sink { [weak self] _ in self?.draw() }.store(in: &subscriptions)
    store.publisher.progress.filter(\.isDone)
      .sink { [weak self] _ in self?.console.quits.send(0) }.store(in: &subscriptions)
    store.publisher.progress.filter(\.isRefused)
      .sink { [weak self] _ in self?.moveToHint() }.store(in: &subscriptions)
    console.redraws.sink { [weak self] in self?.draw(always: true) }.store(in: &subscriptions)
    console.keys.sink { [weak self] in self?.press($0) }.store(in: &subscriptions)
  }

  /// Clears the form and leaves raw mode.
  func close() {
    let rows = drawn?.rowsAboveCursor(columns: console.columns) ?? 0
    if rows > 0 { console.write("\u{1B}[\(rows)A") }
    console.close()
  }

  // MARK: Output

  private func draw(always: Bool = false) {
    let columns = console.columns
    let prompts = zip(FormField.allCases, fields).map {
      $1.prompt(label: mark(of: $0) + $0.label, columns: columns)
    }
    // The last column remains free, as in `Prompt`.
    let remarks = store.state.remarks(isRejected: isRejected).map {
      String($0.prefix(columns: columns - 1))
    }
    let room = console.rows - 1
    let above = prompts[..<focus].map(\.text).suffix(room)
    let below = (prompts[(focus + 1)...].map(\.text) + remarks).prefix(room - above.count)
    let frame = Frame(above: Array(above), prompt: prompts[focus], below: Array(below))
    guard always || frame != drawn else { return }
    console.write(frame.bytes(over: drawn, columns: columns))
    drawn = frame
  }

  /// Shows which field the hint is about, and whether that field is why there is no account.
  private func mark(of field: FormField) -> String {
    guard field == store.state.hintedField else { return "  " }
    return isRejected || store.progress.isRefused ? "! " : "> "
  }

  // MARK: Input

  private func press(_ key: Key) {
    isRejected = false
    switch key {
    case .endOfInput where fields[focus].isEmpty: console.quits.send(0)
    case .escape: store.dispatch(.withdraw)
    case .tab: move(to: (focus + 1) % fields.count)
    case .backTab: move(to: (focus + fields.count - 1) % fields.count)
    case .down: move(to: min(focus + 1, fields.count - 1))
    case .up: move(to: max(focus - 1, 0))
    case .enter: submit()
    default: fields[focus].apply(key)
    }
    draw()
  }

  /// Signs up if the form is complete.
  ///
  /// Otherwise moves to the next field or, from the last one, to the first unfinished field.
  private func submit() {
    guard focus == fields.count - 1 || store.canSignUp else { return move(to: focus + 1) }
    isRejected = store.unfinished != nil
    moveToHint()
    store.dispatch(.signUp)
  }

  private func moveToHint() {
    if let index = store.state.hintedField.flatMap(FormField.allCases.firstIndex) {
      move(to: index)
    }
  }

  private func move(to index: Int) {
    focus = index
    fields[index].moveToEnd()
    draw()
  }
}
