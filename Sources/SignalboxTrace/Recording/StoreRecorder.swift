internal import Signalbox
internal import SignalboxInspection

/// Makes the lines of the events of one store.
@MainActor final class StoreRecorder<State, Action>: EventRecorder {
  /// How much of the store is in the file.
  private enum Progress {
    /// Nothing, as there was no room; `first` is the number of the first event, once there is one.
    case waiting(first: Int?)
    case begun
    case over
  }

  private let tape: TraceTape
  private let store: Int
  private let info: TraceEvent.StoreInfo
  private var progress = Progress.waiting(first: nil) {
    didSet { if case .waiting = progress { isWaiting = true } else { isWaiting = false } }
  }
  // Stored, because asking `progress` takes longer.
  private var isWaiting = true
  /// The state after the last change that was recorded.
  private var recorded: State?
  /// The state now, which is another one while changes are lost.
  private var current: State?
  private var hiddenOrigins = HiddenOrigins()
  /// The number of events that were not recorded since the last line.
  private var lost = 0
  var isOver: Bool { if case .over = progress { true } else { false } }
  var onRelease: @MainActor () -> Void = {}

  init(_ store: Int, _ info: TraceEvent.StoreInfo, tape: TraceTape) {
    self.store = store
    self.info = info
    self.tape = tape
  }

  func record(_ event: StoreEvent<State, Action>) {
    switch event.kind {
    case .started(let state):
      recorded = state
      current = state
      progress = .waiting(first: event.id)
      if tape.hasRoom { begin() }
    case .stateChanged(_, let state):
      guard hasRoom() else {
        replaceCurrent(by: state)
        return tape.loseChange(of: store)
      }
      replaceCurrent(by: state)
      let changes = takeChanges()
      add(event, .changed(changes.edits), changes.parts)
    case .child(let child):
      // Asked of lost events, too, because an operator may remember what a hook received.
      let isHidden = hiddenOrigins.hide(event, in: current)
      guard hasRoom(), let kind = child.read(by: ChildKinds(isHidden: isHidden)) else { return }
      add(event, kind, child: child.path)
    case .hookFired, .derived:
      let isHidden = hiddenOrigins.hide(event, in: current)
      guard hasRoom(), let kind = TraceEvent.Kind(event, isHidden: isHidden) else { return }
      add(event, kind)
    default:
      guard hasRoom(), let kind = TraceEvent.Kind(event, isHidden: false) else { return }
      add(event, kind)
    }
  }

  /// Whether there is room for an event, before which what was lost is written.
  private func hasRoom() -> Bool {
    guard tape.hasRoom else {
      lost += 1
      return false
    }
    catchUp()
    return true
  }

  func storeWasReleased() {
    if tape.hasRoom { catchUp() }
    switch progress {
    case .waiting(let first): tape.lose(lost + (first == nil ? 0 : 1))
    case .begun:
      addLost()
      tape.add(TraceEvent(store: store, time: tape.now, kind: .released))
    case .over: break
    }
    progress = .over
    finish()
    onRelease()
  }

  /// Writes the first lines if they are not in the file, and what was lost.
  func catchUp() {
    if isWaiting { begin() }
    addLost()
  }

  func finish() {
    // Released last, because what a state holds may call back.
    let states = (recorded.take(), current.take())
    withExtendedLifetime(states) {}
  }

  private func begin() {
    guard isWaiting, case .waiting(let first) = progress, let state = recorded else { return }
    progress = .begun
    tape.add(TraceEvent(store: store, time: tape.now, kind: .store(info)))
    let started = TraceEvent.Kind.started(ValueTree(followed: state))
    tape.add(TraceEvent(store: store, id: first, time: tape.now, kind: started))
  }

  private func addLost() {
    guard lost > 0 else { return }
    let count = exchange(&lost, with: 0)
    let changes = takeChanges()
    tape.add(
      TraceEvent(store: store, time: tape.now, kind: .lost(count: count, changes.edits)),
      changing: changes.parts)
  }

  private func takeChanges() -> (edits: [ValueEdit], parts: [ChangedPart]) {
    guard let old = recorded, let new = current else { return ([], []) }
    let changes = ValueDifference.changes(from: old, to: new)
    recorded = new
    withExtendedLifetime(old) {}
    return changes
  }

  private func replaceCurrent(by state: State) {
    let old = current
    current = state
    withExtendedLifetime(old) {}
  }

  private func add(
    _ event: StoreEvent<State, Action>, _ kind: TraceEvent.Kind, _ parts: [ChangedPart] = [],
    child: String? = nil
  ) {
    tape.add(
      TraceEvent(
        store: store, child: child, id: event.id, cause: event.cause, work: event.work,
        time: tape.now, kind: kind),
      changing: parts)
  }
}

/// Makes the line of an event of a child.
private struct ChildKinds: ChildEventReader {
  let isHidden: Bool

  func read<State, Action>(
    _ event: StoreEvent<State, Action>, in state: State?
  ) -> TraceEvent.Kind? { TraceEvent.Kind(event, isHidden: isHidden) }
}
