import Signalbox
import Terminal

/// Shows the state in a terminal and edits the query.
@MainActor
final class TerminalView {
  private let store: Store<SearchState, SearchAction>
  private let console: Console
  private let field: TextField
  private var drawn: Frame?
  /// The index of the first path that is shown.
  private var start = 0
  /// The number of paths that fit into the window.
  private var height = 0
  private var subscriptions: Set<Subscription> = []

  init(store: Store<SearchState, SearchAction>, console: Console) {
    self.store = store
    self.console = console
    field = TextField(store.binder.query)
    store.publisher
      .sink { [weak self] _ in self?.draw() }.store(in: &subscriptions)
    console.redraws.sink { [weak self] in self?.draw(always: true) }.store(in: &subscriptions)
    console.keys.sink { [weak self] in self?.press($0) }.store(in: &subscriptions)
  }

  // MARK: Output

  private func draw(always: Bool = false) {
    let columns = console.columns
    let page = SearchPage(store.state, from: start, columns: columns, rows: console.rows)
    // A new search has no paths at first, so it is shown from its start.
    (start, height) = (page.start, page.height)
    let prompt = field.prompt(label: "search> ", columns: columns)
    let frame = Frame(prompt: prompt, below: page.lines)
    guard always || frame != drawn else { return }
    console.write(frame.bytes(over: drawn, columns: columns))
    drawn = frame
  }

  // MARK: Input

  private func press(_ key: Key) {
    switch key {
    case .endOfInput where field.isEmpty: console.quits.send(0)
    case .escape: store.dispatch(.cancel)
    case .enter: store.dispatch(.search(store.query))
    case .up: scroll(by: -1)
    case .down: scroll(by: 1)
    case .pageUp: scroll(by: -height)
    case .pageDown: scroll(by: height)
    default: if field.apply(key) { draw() }
    }
  }

  private func scroll(by paths: Int) {
    start += paths
    draw()
  }
}
