import Signalbox
import Terminal

/// Shows the state to a program: paths on standard output, the rest on standard error; what comes
/// in on standard input is searched for line by line.
@MainActor
final class ScriptView {
  /// Fires when all has been said, with the exit code.
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
      // Not typed into the state: one line after the other, and none supersedes the one before.
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
