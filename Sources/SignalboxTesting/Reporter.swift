import Signalbox
import SignalboxInspection

/// Reports the failures of a test store and what it leaves.
///
/// It outlives the test store until it has reported, because any thread may release the store.
@MainActor final class Reporter<State: Equatable, Action> {
  nonisolated let store: Store<State, Action>
  let isExhaustive: Bool
  /// What was asserted, which a child shares with its parent.
  private var own: (asserted: State, seen: (state: State, updates: Int))
  /// The reporter of the parent; `nil` in the outermost store.
  private let parent: ParentReporter<State>?
  /// The state of a child after its last call without a closure, and what was asserted then.
  private var passed: (state: State, updates: Int, asserted: State)?
  private var hasReported = false
  /// Whether the store belongs to a process that has crashed, so that nothing of it counts.
  var isGone = false
  /// The last event when `finish()` looked for what was not asserted.
  var finishedAt: Int?
  private var arrangements: [Arrangement] = []
  private let book: Recorder<State, Action>
  private var recorder: Recorder<State, Action> {
    book.catchUp()
    return book
  }
  private let tracker: WorkTracker

  private struct Arrangement {
    /// The number of state updates before.
    let updates: Int
    /// The state before, for a computed property, which may lead elsewhere in another state.
    let before: State?
    let write: (inout State) -> Void
  }

  var scope: TestScope
  private let origin: CallSite

  init(
    _ store: Store<State, Action>, _ recorder: Recorder<State, Action>, _ tracker: WorkTracker,
    _ scope: TestScope, exhaustive: Bool, from origin: CallSite,
    of parent: ParentReporter<State>? = nil
  ) {
    self.store = store
    self.parent = parent
    book = recorder
    self.tracker = tracker
    self.scope = scope
    self.origin = origin
    isExhaustive = exhaustive
    own = (store.instruments.state, (store.instruments.state, 0))
  }

  // MARK: - What was asserted

  var asserted: State { parent?.asserted() ?? own.asserted }

  /// The newest state that an assertion has looked at, and the number of state updates until then.
  var seen: (state: State, updates: Int) {
    guard let parent, let theirs = parent.seen() else { return own.seen }
    return (theirs.state, max(theirs.updates, own.seen.updates))
  }

  /// The state from which `expect` asserts: the one after the last call.
  var stateOfLastCall: State {
    guard let passed, passed.updates > seen.updates, passed.asserted == asserted else {
      return asserted
    }
    return passed.state
  }

  /// Begins with the current state, which nothing has to assert.
  func start() { own = (store.instruments.state, (store.instruments.state, recorder.updates)) }

  /// Notes an assertion, unless it is about an older state than an earlier one.
  func advance(to state: State, _ updates: Int, asserting asserted: State) {
    guard updates >= seen.updates else { return }
    own = (asserted, (state, updates))
    parent?.assert(asserted, state, updates)
  }

  /// Notes a call without a closure, which asserts nothing for the parent of a child.
  func pass(to state: State, _ updates: Int) {
    if parent == nil { return advance(to: state, updates, asserting: state) }
    if updates > passed?.updates ?? 0 { passed = (state, updates, asserted) }
  }

  // `write` puts the child's part, as far as it was asserted, into a state, and `see` the part that
  // the assertion has looked at.
  func childHasAsserted(
    _ updates: Int, _ write: @escaping (inout State) -> Void, _ see: (inout State) -> Void
  ) {
    var (asserted, seen) = (asserted, seen)
    write(&asserted)
    see(&seen.state)
    own = (asserted, seen)
    if isExhaustive {
      arrangements.append(Arrangement(updates: updates, before: nil, write: write))
    }
    parent?.assert(asserted, seen.state, updates)
  }

  /// Records that the test writes a part of the state, so that it need not assert that.
  func arrange<T>(
    _ keyPath: WritableKeyPath<State, T>, _ value: T, isStored: Bool, _ write: () -> Void
  ) {
    arrangements.append(
      Arrangement(
        updates: recorder.updates, before: isStored ? nil : store.instruments.state,
        write: { $0[keyPath: keyPath] = value }))
    var (asserted, seen) = (asserted, seen)
    if isStored {
      asserted[keyPath: keyPath] = value
      seen.state[keyPath: keyPath] = value
    } else if SourceChanges(from: asserted, to: store.instruments.state).all.isEmpty {
      // What hooks do in response must be asserted.
      asserted[keyPath: keyPath] = value
      seen = (asserted, recorder.updates)
    }
    own = (asserted, seen)
    parent?.assert(asserted, seen.state, recorder.updates)
    write()
  }

  /// Whether a property is stored, maybe with observers or as a `@Redacted` one, so that a write
  /// changes the same part of each state.
  func isStored<T>(_ keyPath: WritableKeyPath<State, T>, _ value: T) -> Bool {
    if MemoryLayout<State>.offset(of: keyPath) != nil { return true }
    let (state, equality) = (store.instruments.state, DeepEquality())
    let old = state[keyPath: keyPath]
    func parts(of state: State, written: Bool) -> [Any] {
      var state = state
      if written { state[keyPath: keyPath] = value }
      return Mirror(reflecting: state).children
        .map { ($0.value as? any RedactedValue)?.hidden ?? $0.value }
    }
    if equality.areSame(old, value) { return false }
    let (before, after) = (parts(of: state, written: false), parts(of: state, written: true))
    guard before.count == after.count,
      let index = before.indices.first(where: {
        equality.areSame(before[$0], old) && equality.areSame(after[$0], value)
      })
    else { return false }
    let asserted = parts(of: asserted, written: true)
    return asserted.indices.contains(index) && equality.areSame(asserted[index], value)
  }

  /// A state with what the test has written between two numbers of state updates.
  func arranged(_ state: State, after updates: Int, until end: Int = .max) -> State {
    var state = state
    for arrangement in arrangements
    where arrangement.updates >= updates && arrangement.updates < end {
      if let before = arrangement.before, before != state { continue }
      arrangement.write(&state)
    }
    return state
  }

  func compared(
    _ before: (state: State, updates: Int), _ after: (state: State, updates: Int)
  ) -> (before: State, after: (state: State, updates: Int)) {
    guard isExhaustive else {
      return (arranged(before.state, after: before.updates, until: after.updates), after)
    }
    // The changes have already been asserted together with later ones.
    if after.updates < seen.updates { return (asserted, seen) }
    return (asserted, (arranged(after.state, after: after.updates), after.updates))
  }

  // MARK: - Failures

  func named(_ text: String) -> String {
    let text = book.path.isEmpty ? text : "\(book.path): \(text)"
    return store.storeName.map { "\($0): \(text)" } ?? text
  }

  func hasFailed() {
    hasReported = true
    parent?.fails()
  }

  func failure(_ headline: String) -> Failure<State, Action> {
    var failure = Failure(named(headline), of: recorder)
    failure.inFlight = tracker.inFlight.all(includingBodies: true)
    failure.held = tracker.held.all()
    failure.remarks = scope.remarks
    return failure
  }

  func fail(
    _ headline: String, _ differences: [String] = [], more: Int = 0, instead: [String] = [],
    at site: CallSite
  ) {
    if isGone { return }
    hasFailed()
    var failure = failure(headline)
    // A child in a redacted part of the state shows nothing of its own (D4).
    failure.isHidden = parent != nil && store.eventLog.isHidden
    if !failure.isHidden {
      failure.differences = differences
      failure.moreDifferences = more
      failure.instead = instead
    }
    site.fail(failure.text, in: scope.test)
  }

  func fail(_ headline: String, _ changes: SourceChanges, at site: CallSite) {
    fail(headline, changes.all.map { $0.line(naming: $0.name) }, more: changes.more, at: site)
  }

  /// Reports the errors that the test has not expected, each at the call that led to it.
  func reportMishaps() {
    if let parent { return parent.reportMishaps() }
    let mishaps = recorder.mishaps
    recorder.mishaps = []
    for mishap in mishaps {
      let remedy =
        mishap.error == nil
        ? ""
        : " Add \(store.instruments.remedyForErrors), or expect it with expectError."
          + store.instruments.doubtAboutErrors
      fail(mishap.text + remedy, at: mishap.site)
    }
  }

  func reportWhatIsLeft() {
    // Its parent reports what is left of a child.
    if parent != nil { return }
    reportMishaps()
    guard isExhaustive, !hasReported, finishedAt != recorder.lastEvent else { return }
    var left: [String] = []
    let actions = unasserted
    if !actions.isEmpty { left.append("received and not asserted: \(listed(actions))") }
    let changes = SourceChanges(from: asserted, to: store.instruments.state)
    if !changes.all.isEmpty { left.append("changed and not asserted") }
    let running = unfinishedWork
    if !running.isEmpty { left.append("still running: \(listed(running))") }
    if store.instruments.pendingChanges > 0 { left.append("still pending") }
    if !recorder.dropped.isEmpty { left.append("dropped and not expected") }
    guard !left.isEmpty else { return }
    fail(
      "The exhaustive store was released without finish(): \(left.joined(separator: "; ")).",
      changes, at: origin)
  }

  /// Notes that the test waits, beside the calls of the kit, for work or for a value of the state,
  /// and returns a closure to call after the wait (T13).
  func testWaits(
    for event: Int?, orGiveUp giveUp: @escaping @MainActor () -> Void
  ) -> @MainActor () -> Void {
    let site = recorder.ledger.site
    return scope.waits.add(in: scope) { [weak self, scope, tracker] end in
      let name = tracker.inFlight.all(includingBodies: true).first { $0.event == event }?.name
      let waits = event == nil ? "a value of the state" : name ?? "work of the store"
      let reason =
        if end == .restless {
          "\(scope.restlessWork()) never comes to rest"
        } else if let idleness = scope.idleness {
          idleness
        } else {
          "everything has been idle for one second"
        }
      self?.fail("The test waits for \(waits), which does not come: \(reason).", at: site)
      giveUp()
    }
  }

  /// The texts of the actions that the test has neither dispatched nor asserted.
  var unasserted: [String] {
    recorder.received.map { SourceFormatter.text(ofMessage: $0.action) }
      + recorder.receivedByChildren
  }

  /// The names of the work that has not returned, and of values that are held back.
  var unfinishedWork: [String] {
    let work = tracker.inFlight.all(includingBodies: true).map { piece in
      piece.isCancelledBody ? "\(piece.name), which was cancelled" : piece.name
    }
    return work + tracker.held.all().map(\.name)
  }

  var suggestionsToFinish: [String] {
    let (works, held) = (tracker.inFlight.all(includingBodies: true), tracker.held.all())
    let sleeps = (works + held).contains {
      $0.waits.contains { wait in
        switch wait {
        case .clock, .interval: true
        default: false
        }
      }
    }
    var ends = held.isEmpty ? [] : ["store.deactivateHooks()"]
    if !works.isEmpty || held.isEmpty { ends.insert("store.cancelAll()", at: 0) }
    return sleeps ? ["await clock.run()  // or \(ends.joined(separator: " and "))"] : ends
  }
}
