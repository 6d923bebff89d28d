import Signalbox

/// The state of a store at a moment.
@MainActor struct StoreSnapshot {
  let state: Any
  /// The number of events of the store until then.
  let events: Int
  /// The number of the store among those of its test.
  let number: Int
  private let name: String?
  private let equals: @MainActor (Any) -> Bool

  init<State: Equatable>(_ state: State, events: Int, of name: String?, number: Int) {
    self.state = state
    self.events = events
    self.name = name
    self.number = number
    equals = { $0 as? State == state }
  }

  func isSame(as other: StoreSnapshot) -> Bool {
    number == other.number && events == other.events && hasState(of: other)
  }

  func hasState(of other: StoreSnapshot) -> Bool { equals(other.state) }

  /// The changes since an earlier moment, each as a line.
  func changes(since old: StoreSnapshot) -> [String] {
    if hasState(of: old) { return [] }
    let changes = SourceChanges(from: old.state, to: state)
    return changes.all.map { named($0.line) } + (changes.more > 0 ? ["… \(changes.more) more"] : [])
  }

  /// The parts that have changed since an earlier moment, each with its value.
  func values(since old: StoreSnapshot) -> [String] {
    if hasState(of: old) { return [] }
    return SourceChanges(from: old.state, to: state).all.map { change in
      switch change.kind {
      case .replaced(_, let value): named("\(change.name) \(value)")
      case .removed, .inserted, .other: named(change.line)
      }
    }
  }

  private func named(_ text: String) -> String { name.map { "\($0): \(text)" } ?? text }
}
