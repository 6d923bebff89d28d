import Signalbox
import Terminal

/// Connects the search with a script.
///
/// It searches for each line of standard input. It prints paths to standard output and everything
/// else to standard error.
@MainActor
final class ScriptView {
  /// Sends the exit code when all lines have been handled.
  let quits = Emitter<Int32>()

  private let store: Store<SearchState, SearchAction>
  private let input = ScriptInput(limit: 4_096, unused: "was not searched for")
  private var shownPaths = 0
  private var shownFolders = 0
  private var showing = Subscription.empty

  init(store: Store<SearchState, SearchAction>) {
    self.store = store
    showing = store.publisher.findings.sink { [weak self] in self?.show($0) }
  }

  func run() async {
    while let query = await input.next() {
      // Dispatches the action itself instead of writing the query to the state, so that the queries
      // run one after another and do not supersede each other.
      await store.dispatch(.search(query))
      complain("\(query): \(store.status)")
    }
    quits.send(input.exitCode)
  }

  private func show(_ findings: Findings) {
    for folder in findings.unreadable.elements.dropFirst(shownFolders) { complain(folder.sentence) }
    shownFolders = findings.unreadable.count
    for path in findings.paths.elements.dropFirst(shownPaths) {
      guard say(path.printable) else { return quits.send(1) }
    }
    shownPaths = findings.paths.count
  }
}
