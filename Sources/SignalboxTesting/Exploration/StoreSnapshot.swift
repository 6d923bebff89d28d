import Signalbox
import SignalboxInspection

/// The state of a store at a moment; a class, because an exploration keeps and compares many.
@MainActor final class StoreSnapshot {
  let state: any Equatable
  /// The number of the last event of the store until then.
  let lastEvent: Int
  // Counted, because a recording that another test begins takes the number of an event, too.
  private let events: Int
  /// The number of the store among those of its test.
  let number: Int
  private let name: String?

  init(_ state: any Equatable, lastEvent: Int, events: Int, of name: String?, number: Int) {
    self.state = state
    self.lastEvent = lastEvent
    self.events = events
    self.name = name
    self.number = number
  }

  func hasState(of other: StoreSnapshot) -> Bool {
    func isSame<State: Equatable>(_ state: State) -> Bool {
      guard let other = other.state as? State else { return false }
      // A state with NaN does not equal itself.
      return other == state || !(state == state) && Diff(from: other, to: state) == nil
    }
    return isSame(state)
  }

  /// Whether both are of the same moment.
  func isSame(as other: StoreSnapshot) -> Bool {
    // The objects of an earlier run, which snapshots share with it, have changed since.
    number == other.number && events == other.events
      && (hasState(of: other) || ObjectSnapshot(of: state) != nil)
  }

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
      case .removed, .inserted, .moved, .other: named(change.line)
      }
    }
  }

  private func named(_ text: String) -> String { name.map { "\($0): \(text)" } ?? text }
}
