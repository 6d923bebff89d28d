import Signalbox

/// The state of a store at a moment.
///
/// A class, because an exploration keeps many snapshots and compares each outcome with the others.
@MainActor class StoreSnapshot {
  /// The number of events of the store until then.
  final let events: Int
  /// The number of the store among those of its test.
  final let number: Int
  private let name: String?

  fileprivate init(events: Int, of name: String?, number: Int) {
    self.events = events
    self.name = name
    self.number = number
  }

  /// Takes a snapshot.
  static func of<State: Equatable>(
    _ state: State, events: Int, of name: String?, number: Int
  ) -> StoreSnapshot {
    TypedSnapshot(state, events: events, of: name, number: number)
  }

  var state: Any { fatalError("A subclass of StoreSnapshot must override state.") }

  func hasState(of other: StoreSnapshot) -> Bool { false }

  /// Whether the state holds objects, which snapshots share with the running program.
  var holdsObjects: Bool { ObjectSnapshot(of: state) != nil }

  /// Whether both are of the same moment.
  final func isSame(as other: StoreSnapshot) -> Bool {
    // The objects of an earlier run have changed since.
    number == other.number && events == other.events && (hasState(of: other) || holdsObjects)
  }

  /// The changes since an earlier moment, each as a line.
  final func changes(since old: StoreSnapshot) -> [String] {
    if hasState(of: old) { return [] }
    let changes = SourceChanges(from: old.state, to: state)
    return changes.all.map { named($0.line) } + (changes.more > 0 ? ["… \(changes.more) more"] : [])
  }

  /// The parts that have changed since an earlier moment, each with its value.
  final func values(since old: StoreSnapshot) -> [String] {
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

/// A snapshot that knows the type of the state.
private final class TypedSnapshot<State: Equatable>: StoreSnapshot {
  private let value: State

  init(_ value: State, events: Int, of name: String?, number: Int) {
    self.value = value
    super.init(events: events, of: name, number: number)
  }

  override var state: Any { value }

  override func hasState(of other: StoreSnapshot) -> Bool {
    guard let other = (other as? TypedSnapshot)?.value else { return false }
    if other == value { return true }
    // A state with NaN does not equal itself.
    return !(value == value) && Diff(from: other, to: value) == nil
  }
}
