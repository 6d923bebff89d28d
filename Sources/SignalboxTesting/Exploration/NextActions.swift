import Signalbox
import SignalboxInspection

/// The actions that may come next in a sequence (I12).
@MainActor final class NextActions {
  private let all: [Choice]
  /// How many more actions the sequence may have.
  private var left: Int

  init<State, Action>(
    _ actions: [Action], upTo length: Int, to store: TestStore<State, Action>, at site: CallSite
  ) {
    left = length
    all = Self.different(actions).map { number, action in
      Choice(
        token: "\(Choice.action)\(number)",
        label: { "send(\(SourceFormatter.text(ofMessage: action)))" },
        perform: {
          store.send(
            action, fileID: site.fileID, filePath: site.filePath, line: site.line,
            column: site.column)
        })
    }
  }

  var choices: [Choice] {
    left <= 0
      ? []
      : all.map { choice in
        Choice(
          token: choice.token, label: choice.label,
          perform: {
            self.left -= 1
            choice.perform()
          })
      }
  }

  /// The actions with their numbers in the list, of which equal ones are taken once (I4).
  private static func different<Action>(_ actions: [Action]) -> [(number: Int, action: Action)] {
    var different: [(number: Int, action: Action)] = []
    for (index, action) in actions.enumerated()
    where !different.contains(where: { isEqual($0.action, to: action) }) {
      different.append((index + 1, action))
    }
    return different
  }

  private static func isEqual<Action>(_ a: Action, to b: Action) -> Bool {
    func open<E: Equatable>(_ a: E) -> Bool { a == b as? E }
    return (a as? any Equatable).map { open($0) } ?? false
  }
}

extension Exploration {
  func run<State, Action>(
    sequencesOf actions: [Action], upTo length: Int, in store: TestStore<State, Action>,
    at site: CallSite
  ) async {
    // A store of another scenario is noticed even if no action is sent to it.
    _ = store.scope
    nextActions = NextActions(actions, upTo: length, to: store, at: site)
    await run()
    // Its choices refer to the store.
    nextActions = nil
    var occurrences = Occurrences()
    for action in actions { occurrences.expect(SourceFormatter.text(ofMessage: action)) }
    occurrences.add(self.occurrences)
    for hook in store.hooks?.names ?? [] { occurrences.expect("hook \(hook)") }
    for hook in store.firedHooks { occurrences.note("hook \(hook)") }
    for action in store.triggeredActions {
      occurrences.note(SourceFormatter.text(ofMessage: action))
    }
    order.occurrences = occurrences
  }
}
