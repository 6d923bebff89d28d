import Signalbox
import Terminal

/// Shows the state in a terminal and edits the fields.
@MainActor
final class TerminalView {
  private let store: Store<FormState, FormAction>
  private let console: Console
  private let fields: [TextField]
  private var focus = 0
  private var drawn = ""
  /// The number of drawn lines above the cursor.
  private var linesAbove = 0
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
    console.redraws.sink { [weak self] in self?.redraw() }.store(in: &subscriptions)
    console.keys.sink { [weak self] in self?.press($0) }.store(in: &subscriptions)
  }

  /// Clears the form and leaves raw mode.
  func close() {
    console.write(toTop)
    console.close()
  }

  // MARK: Output

  private var toTop: String { linesAbove > 0 ? "\u{1B}[\(linesAbove)A" : "" }

  private func redraw() {
    drawn = ""
    draw()
  }

  private func draw() {
    let prompts = zip(FormField.allCases, fields).map {
      $1.prompt(label: $0.label, columns: console.columns)
    }
    // The last column remains free, as in `Prompt`.
    let remarks = store.state.remarks.map { String($0.prefix(columns: console.columns - 1)) }
    let room = console.rows - 1
    let above = prompts[..<focus].map(\.text).suffix(room)
    let below = (prompts[(focus + 1)...].map(\.text) + remarks).prefix(room - above.count)
    let frame =
      "\r" + above.map { "\($0)\u{1B}[K\n" }.joined()
      + prompts[focus].bytes(above: Array(below))
    guard frame != drawn else { return }
    console.write(toTop + frame)
    drawn = frame
    linesAbove = above.count
  }

  // MARK: Input

  private func press(_ key: Key) {
    switch key {
    case .endOfInput where fields[focus].isEmpty: console.quits.send(0)
    case .escape: store.dispatch(.withdraw)
    case .tab: move(to: (focus + 1) % fields.count)
    case .backTab: move(to: (focus + fields.count - 1) % fields.count)
    case .down: move(to: min(focus + 1, fields.count - 1))
    case .up: move(to: max(focus - 1, 0))
    case .enter: submit()
    default: if fields[focus].apply(key) { draw() }
    }
  }

  /// Signs up if the form is complete.
  ///
  /// Otherwise moves to the next field or, from the last one, to the first unfinished field.
  private func submit() {
    guard focus == fields.count - 1 || store.canSignUp else { return move(to: focus + 1) }
    if let index = store.unfinished.flatMap(FormField.allCases.firstIndex) { move(to: index) }
    store.dispatch(.signUp)
  }

  private func move(to index: Int) {
    focus = index
    fields[index].moveToEnd()
    draw()
  }
}
