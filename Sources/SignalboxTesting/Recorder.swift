import Signalbox

/// Records the events of a store under test.
///
/// Old states are dropped when they are many and large, and so are the events that hold them. What
/// an assertion needs is kept.
@MainActor final class Recorder<State, Action>: EventRecorder {
  typealias Event = StoreEvent<State, Action>

  /// An action that the test has not dispatched itself, with the states around it.
  struct Received {
    let event: Int
    let action: Action
    /// The state when the work of the action began, or until then, when the action was dispatched.
    var before: State
  }

  /// How an action ended.
  struct Ending {
    /// The event that says so.
    let event: Event
    /// The state then, and the number of state updates until then.
    let state: State
    let updates: Int
  }

  /// An error that was not handled, or a loop that was stopped.
  struct Mishap {
    let text: String
    let error: (any Error)?
    /// The work that threw the error.
    let work: Int?
    /// The call of the test that led to it.
    let site: CallSite
  }

  private(set) var events: [Event] = []
  private(set) var stateUpdates: [State] = []
  /// The number of state updates, including those that were dropped.
  private(set) var updates = 0
  private(set) var triggeredActions: [Action] = []
  private(set) var firedHooks: [String] = []
  /// The actions that the test has neither dispatched nor asserted.
  private(set) var received: [Received] = []
  /// How those actions ended, by their events; `nil` while an action runs.
  private var endings: [Int: Ending?] = [:]
  /// What has gone wrong and was not reported yet.
  var mishaps: [Mishap] = []
  /// The events about attempts of cancelled work that were dropped and not asserted.
  var dropped: [Event] = []

  /// The call of the test that causes what has no cause in the store.
  var site: CallSite
  /// The number of the store among those of its test.
  var store = 0
  /// Whether assertions depend on the order of all events.
  var seesOrder = false
  /// The number of the last event.
  var lastEvent: Int { events.last?.id ?? 0 }

  /// Whether the test itself dispatches what is dispatched now.
  var isSending = false
  /// The event of the action that the test has dispatched last.
  private(set) var lastSent: Int?

  /// The number of events that were dropped.
  private(set) var droppedEvents = 0

  var activity: Activity
  private var state: State
  private var origins: [Int: Origin] = [:]
  /// The estimated size of the recorded states, in bytes.
  private var size = 0

  /// Where an event comes from.
  private struct Origin {
    let cause: Int?
    /// The call that led to an event without a cause.
    let site: CallSite?
  }

  init(_ state: State, from site: CallSite, in activity: Activity) {
    self.state = state
    self.site = site
    self.activity = activity
  }

  func record(_ event: Event) {
    noteFootprint(of: event)
    events.append(event)
    origins[event.id] = Origin(cause: event.cause, site: event.cause == nil ? site : nil)
    switch event.kind {
    case .started(let state): self.state = state
    case .stateChanged(_, let state):
      self.state = state
      stateUpdates.append(state)
      updates += 1
      // `onError` and the removal of marks follow the end of the work and belong to it.
      if let work = event.work, let ending = endings[work], let ending {
        endings[work] = Ending(event: ending.event, state: state, updates: updates)
      }
      drop(toMakeRoomFor: state)
    case .dispatched(let action):
      triggeredActions.append(action)
      // An action without a cause was dispatched by the test or by another thread.
      if event.cause != nil || !isSending {
        received.append(Received(event: event.id, action: action, before: state))
        endings[event.id] = .some(nil)
      } else {
        lastSent = event.id
      }
    case .finished, .cancelled, .failed: end(event)
    case .hookFired(let name, _): firedHooks.append(name)
    case .unhandled(let error, let action):
      let text = unhandledText(error, action)
      mishaps.append(Mishap(text: text, error: error, work: event.work, site: site(of: event)))
    case .loopStopped(let writers):
      let text = "A loop of writes was stopped: \(writers.joined(separator: " → ")) → and so on."
      mishaps.append(Mishap(text: text, error: nil, work: nil, site: site(of: event)))
    case .dropped: dropped.append(event)
    case .duplicateChild(let path):
      let text = duplicateText(path)
      mishaps.append(Mishap(text: text, error: nil, work: nil, site: site(of: event)))
    case .child(let child): record(child.read(by: ChildMishaps(path: child.path)), of: event)
    default: break
    }
    activity.hasChanged()
  }

  /// Records what has gone wrong in a child.
  private func record(_ mishap: ChildMishaps.Result, of event: Event) {
    if case .none = mishap { return }
    activity.footprints?.touch(.record(store: store))
    switch mishap {
    case .none: break
    case .dropped: dropped.append(event)
    case .unhandled(let text, let error):
      mishaps.append(Mishap(text: text, error: error, work: event.work, site: site(of: event)))
    case .duplicate(let text):
      mishaps.append(Mishap(text: text, error: nil, work: nil, site: site(of: event)))
    }
  }

  func storeWasReleased() {}

  /// Notes that a step changes what assertions see in order, or what a hook sees.
  private func noteFootprint(of event: Event) {
    guard let footprints = activity.footprints else { return }
    if seesOrder || footprints.keepsHistory { footprints.touch(.record(store: store)) }
    switch event.kind {
    case .hookFired(let name, _): footprints.touch(.hook(store: store, name))
    case .dispatched, .dropped, .unhandled, .loopStopped: footprints.touch(.record(store: store))
    default: break
    }
  }

  private func end(_ event: Event) {
    guard let work = event.work, let ending = endings[work], ending == nil else { return }
    endings[work] = Ending(event: event, state: state, updates: updates)
  }

  /// Records that the work of an action begins, which may have been queued until now.
  func workBegins(_ event: Int) {
    guard endings[event] != nil,
      let index = received.lastIndex(where: { $0.event == event })
    else { return }
    received[index].before = state
  }

  /// How a received action has ended; `nil` while it runs.
  func ending(of received: Received) -> Ending? { endings[received.event] ?? nil }

  /// Removes received actions from the list, all before one and the one itself.
  func removeReceived(through received: Received) {
    guard let index = self.received.firstIndex(where: { $0.event == received.event }) else {
      return
    }
    for earlier in self.received[...index] { endings[earlier.event] = nil }
    self.received.removeFirst(index + 1)
  }

  // MARK: - Causes

  /// The call of the test that led to an event.
  private func site(of event: Event) -> CallSite { root(of: event.id)?.site ?? site }

  /// The call of the test that led directly to an event; `nil` if an event of the store did.
  func directSite(of event: Int) -> CallSite? { origins[event]?.site }

  /// The event that caused another one.
  func cause(of event: Int) -> Int? { origins[event]?.cause }

  /// The first event of a piece of work, if it has not been dropped.
  func beginning(of event: Int?) -> Event? {
    guard let event else { return nil }
    return events.last { $0.id == event }
  }

  private func root(of event: Int) -> Origin? {
    var origin = origins[event]
    while let cause = origin?.cause, let next = origins[cause] { origin = next }
    return origin
  }

  // MARK: - Room

  /// The size of the recorded states, in bytes, at which the oldest are dropped.
  private let mostBytes = 64 << 20

  /// Drops the oldest states, and the events that hold them, when they are large.
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
  let work = action.map { SourceFormatter.text(of: $0) } ?? "A run"
  return "\(work) threw \(SourceFormatter.text(of: error)), which is not handled."
    .replacing("\n", with: "\\n")
}

private func duplicateText(_ path: String) -> String {
  "Two elements have the id of the child \(path). The first is the child."
}

/// Finds what has gone wrong in a child.
private struct ChildMishaps: ChildEventReader {
  enum Result {
    case none
    case dropped
    case unhandled(String, any Error)
    case duplicate(String)
  }

  let path: String

  func read<State, Action>(_ event: StoreEvent<State, Action>, in state: State?) -> Result {
    switch event.kind {
    case .dropped: .dropped
    case .unhandled(let error, let action):
      .unhandled("\(path): \(unhandledText(error, action))", error)
    case .duplicateChild(let rest): .duplicate(duplicateText(path + rest.dropFirst()))
    default: .none
    }
  }
}
