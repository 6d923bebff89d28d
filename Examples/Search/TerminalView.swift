import Signalbox
import Terminal

/// Shows the state in a terminal and edits the query.
@MainActor
final class TerminalView {
  private let store: Store<SearchState, SearchAction>
  private let console: Console
  private let field: TextField
  private var drawn = ""
  private var subscriptions: Set<Subscription> = []

  init(store: Store<SearchState, SearchAction>, console: Console) {
    self.store = store
    self.console = console
    field = TextField(store.binder.query)
    store.publisher
      .sink { [weak self] _ in self?.draw() }.store(in: &subscriptions)
    console.redraws.sink { [weak self] in self?.redraw() }.store(in: &subscriptions)
    console.keys.sink { [weak self] in self?.press($0) }.store(in: &subscriptions)
  }

  private func redraw() {
    drawn = ""
    draw()
  }

  private func draw() {
    let lines = store.state.lines(columns: console.columns, rows: console.rows)
    let frame = field.prompt(label: "search> ", columns: console.columns).bytes(above: lines)
    guard frame != drawn else { return }
    console.write(frame)
    drawn = frame
  }

  private func press(_ key: Key) {
    switch key {
    case .endOfInput where field.isEmpty: console.quits.send(0)
    case .escape: store.dispatch(.cancel)
    case .enter: store.dispatch(.search(store.query))
    default: if field.apply(key) { draw() }
    }
  }
}
