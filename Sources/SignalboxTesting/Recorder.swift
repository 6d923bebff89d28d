import Signalbox
import SignalboxInspection

/// Records the events of a store under test, and drops old large states, with the events that hold
/// them, unless an assertion needs them.
@MainActor final class Recorder<State, Action>: EventRecorder {
  typealias Event = StoreEvent<State, Action>

  /// An action that the test has not dispatched itself, with the states around it.
  struct Received {
    let event: Int
    let action: Action
    /// The state, and its number of updates, when the work began or, until then, at the dispatch.
    var before: (state: State, updates: Int)
  }

  struct Ending {
    let event: Event
    let state: State
    let updates: Int
  }

  private(set) var events: [Event] = []
  private(set) var stateUpdates: [State] = []
  /// The number of the event of the last state update.
  private(set) var updates = 0
  private(set) var triggeredActions: [Action] = []
  private(set) var firedHooks: [String] = []
  /// The actions that the test has neither dispatched nor asserted.
  private(set) var received: [Received] = []
  /// The actions that the test has received, and those that it has skipped with a later one.
  private(set) var passed: [(action: Action, skippedBy: Action?)] = []
  /// How the received and the dispatched actions ended, by their events; `nil` while an action runs.
  private var endings: [Int: Ending?] = [:]
  /// Whether an event ends before its effects begin, which may be within its dispatch.
  var endsBeforeEffects = false
  /// The actions of `endings` that run, each with the work that sent it.
  private var running: [Int: Int?] = [:]
  /// The states at which events ended although they have not reported it.
  private var early: [Int: (state: State, updates: Int)] = [:]
  let ledger: TestLedger
  /// Where the store lives in the outermost one; empty for that one.
  let path: String
  /// Takes new events from the recorder of the parent; `nil` in the outermost store.
  private let pull: (@MainActor (Recorder) -> Void)?

  var lastEvent: Int { events.last?.id ?? 0 }

  private(set) var droppedEvents = 0
  /// The events with hidden values among the first `count`; found again if more is redacted.
  var hidden = (redactions: 0, origins: HiddenOrigins(), events: Set<Int>(), count: 0)

  var activity: Activity
  private var state: State
  /// The estimated size of the recorded states, in bytes.
  private var size = 0

  init(_ state: State, from site: CallSite, in activity: Activity) {
    (self.state, ledger, path, pull) = (state, TestLedger(from: site), "", nil)
    self.activity = activity
  }

  init(
    _ state: State, _ ledger: TestLedger, at path: String, in activity: Activity,
    _ pull: @escaping @MainActor (Recorder) -> Void
  ) {
    (self.state, self.ledger, self.path, self.pull) = (state, ledger, path, pull)
    self.activity = activity
  }

  func catchUp() { pull?(self) }

  /// Begins with the state that a child had when it began.
  func begin(with event: Event) {
    take(event)
    updates = event.id
  }

  func record(_ event: Event) {
    ledger.add(event.id, cause: event.cause, sender: Piece.current?.number)
    noteMishap(of: event)
    take(event)
    activity.hasChanged()
  }

  func take(_ event: Event) {
    events.append(event)
    switch event.kind {
    case .started(let state): self.state = state
    case .stateChanged(_, let state):
      self.state = state
      stateUpdates.append(state)
      updates = max(updates, event.id)
      for index in received.indices where !path.isEmpty {
        // It was queued until after this change.
        let action = ledger.received[received[index].event]
        if let action, action.lastBefore >= event.id { received[index].before = (state, updates) }
      }
      // `onError` and the removal of marks follow the end of the work and belong to it. A write by a
      // closure that outlives the work does not (A6).
      if let work = event.work, early[work] == nil, let ending = endings[work], let ending,
        event.cause == ending.event.id
      {
        endings[work] = Ending(event: ending.event, state: state, updates: updates)
      }
      drop(toMakeRoomFor: state)
    case .dispatched(let action):
      triggeredActions.append(action)
      if endsBeforeEffects { endBeforeEffects(of: event) }
      if path.isEmpty ? isReceived(event) : ledger.received[event.id] != nil {
        received.append(Received(event: event.id, action: action, before: (state, updates)))
        watch(event)
      } else if ledger.dispatched.contains(event.id) {
        watch(event)
      }
    case .finished, .cancelled, .failed: end(event)
    case .hookFired(let name, _): firedHooks.append(name)
    default: break
    }
  }

  // An action without a cause was dispatched by the test or by another thread.
  private func isReceived(_ event: Event) -> Bool {
    if event.cause != nil || !ledger.isSending { return true }
    ledger.lastSent = event.id
    if ledger.isDispatching { ledger.dispatched.insert(event.id) }
    return false
  }

  /// Notes what has gone wrong in the store or in a child, and what a child has dispatched.
  private func noteMishap(of event: Event) {
    let (mishap, path) =
      if case .child(let child) = event.kind {
        (child.read(by: Mishaps(path: child.path)), child.path)
      } else {
        (Mishaps(path: "").read(event, in: nil), "")
      }
    switch mishap {
    case .none: return
    case .dispatched(let action):
      if !path.isEmpty, isReceived(event) {
        ledger.received[event.id] = TestLedger.ChildAction(path: path, action: action)
      }
    case .dropped: ledger.dropped.append((event.id, path))
    case .other(let text, let error):
      ledger.mishaps.append(
        TestLedger.Mishap(
          text: text, error: error, work: event.work, site: ledger.site(of: event.id), path: path))
    }
  }

  func storeWasReleased() {}

  private func watch(_ event: Event) {
    endings[event.id] = .some(nil)
    running[event.id] = .some(ledger.sender(of: event.id))
  }

  private func end(_ event: Event) {
    guard let work = event.work, let ending = endings[work], ending == nil else { return }
    running[work] = nil
    let end = early[work] ?? (state, updates)
    endings[work] = Ending(event: event, state: end.state, updates: end.updates)
  }

  /// Ends the changes of running events, if one of their effects sends another event.
  private func endBeforeEffects(of next: Event) {
    let sender = ledger.sender(of: next.id)
    for (event, work) in running where work != sender && early[event] == nil {
      early[event] = (state, updates)
    }
  }

  /// Records that the work of an action begins, which may have been queued until now.
  func workBegins(_ event: Int) {
    ledger.received[event]?.lastBefore = lastEvent
    guard endings[event] != nil,
      let index = received.lastIndex(where: { $0.event == event })
    else { return }
    received[index].before = (state, updates)
  }

  func ending(of event: Int) -> Ending? { endings[event] ?? nil }

  func forget(_ event: Int?) {
    guard let event else { return }
    (endings[event], early[event]) = (nil, nil)
    running[event] = nil
    ledger.dispatched.remove(event)
  }

  func removeReceived(through received: Received) {
    guard let index = self.received.firstIndex(where: { $0.event == received.event }) else {
      return
    }
    for earlier in self.received[...index] {
      forget(earlier.event)
      ledger.received[earlier.event] = nil
    }
    passed += self.received[..<index].map { ($0.action, received.action) }
    passed.append((received.action, nil))
    self.received.removeFirst(index + 1)
  }

  // MARK: - Family

  /// What has gone wrong here and in the children, and was not reported yet.
  var mishaps: [TestLedger.Mishap] {
    get { ledger.mishaps.filter { TestLedger.contains($0.path, in: path) } }
    set {
      ledger.mishaps.removeAll { TestLedger.contains($0.path, in: path) }
      ledger.mishaps += newValue
    }
  }

  var dropped: [Int] {
    get { ledger.dropped.filter { TestLedger.contains($0.path, in: path) }.map(\.event) }
    set {
      ledger.dropped.removeAll {
        TestLedger.contains($0.path, in: path) && !newValue.contains($0.event)
      }
    }
  }

  /// The texts of the actions of children that the test has neither dispatched nor asserted.
  var receivedByChildren: [String] {
    ledger.received.sorted { $0.key < $1.key }.map(\.value)
      .filter { $0.path != path && TestLedger.contains($0.path, in: path) }.map(\.text)
  }

  /// The event with a number, such as the first of a piece of work, if it has not been dropped.
  func beginning(of event: Int?) -> Event? {
    guard let event else { return nil }
    return events.last { $0.id == event }
  }

  // MARK: - Room

  /// The size of the recorded states, in bytes, at which the oldest are dropped.
  private let mostBytes = 64 << 20

  private func drop(toMakeRoomFor state: State) {
    size += StateSize.estimate(of: state)
    guard size > mostBytes, stateUpdates.count > 16 else { return }
    // Half of them at once, because each time costs as much as there are events.
    stateUpdates.removeFirst(stateUpdates.count / 2)
    var left = events.count { Self.holdsState($0) } / 2
    let count = events.count
    events.removeAll { event in
      guard left > 0, Self.holdsState(event) else { return false }
      left -= 1
      return true
    }
    droppedEvents += count - events.count
    size /= 2
  }

  private static func holdsState(_ event: Event) -> Bool {
    if case .stateChanged = event.kind { true } else { false }
  }
}

private func unhandledText<Action>(_ error: any Error, _ action: Action?) -> String {
  let work = action.map { SourceFormatter.text(ofMessage: $0) } ?? "A run"
  return "\(work) threw \(SourceFormatter.text(of: error)), which is not handled."
    .replacing("\n", with: "\\n")
}

private func duplicateText(_ path: String) -> String {
  "Two elements have the id of the child \(path). The first is the child."
}

/// Finds what has gone wrong in a store or in a child, and what was dispatched.
private struct Mishaps: ChildEventReader {
  enum Result {
    case none
    case dispatched(Any)
    case dropped
    case other(String, (any Error)?)
  }

  let path: String

  func read<State, Action>(_ event: StoreEvent<State, Action>, in state: State?) -> Result {
    switch event.kind {
    case .dispatched(let action): .dispatched(action)
    case .dropped: .dropped
    case .unhandled(let error, let action):
      .other((path.isEmpty ? "" : "\(path): ") + unhandledText(error, action), error)
    case .loopStopped(let writers):
      .other("A loop of writes was stopped: \(writers.joined(separator: " → ")) → and so on.", nil)
    case .duplicateChild(let rest):
      .other(duplicateText(path.isEmpty ? rest : path + rest.dropFirst()), nil)
    default: .none
    }
  }
}
