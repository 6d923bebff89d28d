import Signalbox

/// Reports the failures of a test store, and what is left when the store is released.
///
/// It outlives the test store until it has reported, because another thread may release the store.
@MainActor final class Reporter<State: Equatable, Action> {
  nonisolated let store: Store<State, Action>
  let isExhaustive: Bool
  /// The state at the last assertion.
  var asserted: State
  /// The number of state updates until the last assertion.
  var assertedUpdates = 0
  /// Whether the store has reported a failure.
  private var hasReported = false
  /// The last event when `finish()` looked for what was not asserted.
  var finishedAt: Int?
  /// What the test has written to arrange the state, with the number of state updates before.
  private var arrangements: [(updates: Int, write: (inout State) -> Void)] = []
  private let recorder: Recorder<State, Action>
  private let tracker: WorkTracker
  var scope: TestScope
  /// The call that made the store.
  private let origin: CallSite

  init(
    _ store: Store<State, Action>, _ recorder: Recorder<State, Action>, _ tracker: WorkTracker,
    _ scope: TestScope, exhaustive: Bool, from origin: CallSite
  ) {
    self.store = store
    self.recorder = recorder
    self.tracker = tracker
    self.scope = scope
    self.origin = origin
    isExhaustive = exhaustive
    asserted = store.instruments.state
  }

  // MARK: - Arranging

  /// Records that the test writes a part of the state, so that it need not assert that.
  ///
  /// A computed property may not be written in an older state, where it may lead elsewhere.
  func arrange<T>(_ keyPath: WritableKeyPath<State, T>, _ value: T, _ write: () -> Void) {
    let updates = recorder.updates
    guard MemoryLayout<State>.offset(of: keyPath) != nil else {
      // What hooks do in response must be asserted.
      if SourceChanges(from: asserted, to: store.instruments.state).all.isEmpty {
        asserted[keyPath: keyPath] = value
        assertedUpdates = recorder.updates
      }
      return write()
    }
    asserted[keyPath: keyPath] = value
    if isExhaustive { arrangements.append((updates, { $0[keyPath: keyPath] = value })) }
    write()
  }

  /// A state with what the test has written after it.
  func arranged(_ state: State, after updates: Int) -> State {
    var state = state
    for arrangement in arrangements where arrangement.updates >= updates {
      arrangement.write(&state)
    }
    return state
  }

  // MARK: - Failures

  /// Prefixes a text with the name of the store, if it has one.
  func named(_ text: String) -> String { store.storeName.map { "\($0): \(text)" } ?? text }

  /// A failure with everything that the store knows about itself.
  func failure(_ headline: String) -> Failure<State, Action> {
    var failure = Failure(named(headline), of: recorder)
    failure.inFlight = tracker.inFlight.all(includingBodies: true)
    failure.held = tracker.held.all()
    failure.remarks = scope.remarks
    return failure
  }

  func fail(
    _ headline: String, _ differences: [String] = [], more: Int = 0, instead: [String] = [],
    at place: CallSite
  ) {
    hasReported = true
    var failure = failure(headline)
    failure.differences = differences
    failure.moreDifferences = more
    failure.instead = instead
    place.fail(failure.text, in: scope.test)
  }

  /// Records a failure with changes of the state that the test did not expect.
  func fail(_ headline: String, _ changes: SourceChanges, at place: CallSite) {
    fail(headline, changes.all.map { $0.line(naming: $0.name) }, more: changes.more, at: place)
  }

  /// Reports the errors that the test has not expected, each at the call that led to it.
  func reportMishaps() {
    let mishaps = recorder.mishaps
    recorder.mishaps = []
    for mishap in mishaps {
      let remedy =
        mishap.error == nil
        ? "" : " Add \(store.instruments.remedyForErrors), or expect it with expectError."
      fail(mishap.text + remedy, at: mishap.site)
    }
  }

  /// Reports what the test has not asserted when the store is released.
  func reportWhatIsLeft() {
    reportMishaps()
    guard isExhaustive, !hasReported, finishedAt != recorder.lastEvent else { return }
    var left: [String] = []
    let actions = recorder.received.map { SourceFormatter.text(of: $0.action) }
    if !actions.isEmpty { left.append("received and not asserted: \(listed(actions))") }
    let changes = SourceChanges(from: asserted, to: store.instruments.state)
    if !changes.all.isEmpty { left.append("changed and not asserted") }
    // A value that a hook holds back counts only at `finish()`.
    let running = tracker.inFlight.all(includingBodies: true).map(\.name)
    if !running.isEmpty { left.append("still running: \(listed(running))") }
    if !recorder.dropped.isEmpty { left.append("dropped and not expected") }
    guard !left.isEmpty else { return }
    fail(
      "The exhaustive store was released without finish(): \(left.joined(separator: "; ")).",
      changes, at: origin)
  }

  /// The names of the work that has not returned, and of values that are held back.
  var unfinishedWork: [String] {
    let work = tracker.inFlight.all(includingBodies: true).map { piece in
      piece.isCancelledBody ? "\(piece.name), which was cancelled" : piece.name
    }
    return work + tracker.held.all().map(\.name)
  }

  /// What a test may write so that nothing is left.
  var suggestionsToFinish: [String] {
    let sleeps = (tracker.inFlight.all(includingBodies: true) + tracker.held.all()).contains {
      $0.waits.contains { wait in
        switch wait {
        case .clock, .interval: true
        default: false
        }
      }
    }
    return [sleeps ? "await clock.run()  // or store.cancelAll()" : "store.cancelAll()"]
  }
}
