@testable import Signalbox

/// Computes without a store what the state is, which children live, and what each observer is told.
@MainActor final class ChildOracle {
  /// A write, as the oracle carries it out.
  typealias Change = (inout StationState) -> Void

  /// An observer, with its view of the whole state; `nil` if its child is not there.
  final class Observer {
    let name: String
    let view: (StationState) -> String?
    var isOver = false
    /// What it received last, or what was there when it subscribed.
    var last: String?
    var subscription: Subscription?
    /// A write that follows from the first value that it receives.
    var reaction: (@MainActor () -> Void)?
    /// The writes that follow in the oracle.
    var expectedReaction: (@MainActor () -> Void)?

    init(_ name: String, _ view: @escaping (StationState) -> String?) {
      self.name = name
      self.view = view
    }
  }

  private(set) var state: StationState
  private(set) var expected: [String] = []
  private(set) var observers: [Observer] = []
  private var queue: [(before: StationState, after: StationState, limit: Int)] = []
  private var isDelivering = false
  private var batch: StationState?

  init(_ state: StationState) { self.state = state }

  var isInBatch: Bool { batch != nil }

  /// The names of the children that live.
  var children: Set<String> {
    var names: Set<String> = state.editor == nil ? [] : ["editor"]
    func add(_ name: String, _ row: StationRowState) {
      names.insert(name)
      if row.note != nil { names.insert("\(name) note") }
    }
    for row in state.rows { add("row \(row.id)", row) }
    for (name, row) in state.sensors { add("sensor \(name)", row) }
    switch state.panel {
    case .closed: break
    case .note: names.insert("panel note")
    case .draft: names.insert("panel draft")
    case .row(let row): add("panel row", row)
    }
    return names
  }

  func add(_ observer: Observer) { observers.append(observer) }

  func begin() { batch = state }

  func end() {
    guard let before = batch else { return }
    batch = nil
    commit(from: before)
    deliver()
  }

  func expect(_ change: Change) {
    let before = state
    change(&state)
    if batch == nil { commit(from: before) }
  }

  private func commit(from before: StationState) {
    // A child that is gone is told nothing any more, not even what has happened before.
    for observer in observers where observer.view(state) == nil { observer.isOver = true }
    queue.append((before, state, observers.count))
  }

  /// Delivers what the store has delivered.
  func deliver() {
    guard !isDelivering, batch == nil else { return }
    isDelivering = true
    while !queue.isEmpty {
      let commit = queue.removeFirst()
      for observer in observers.prefix(commit.limit) where !observer.isOver {
        guard let value = observer.view(commit.after), let old = observer.view(commit.before),
          value != old
        else { continue }
        expected.append("\(observer.name): \(value)")
        observer.expectedReaction.take()?()
      }
    }
    isDelivering = false
  }
}
