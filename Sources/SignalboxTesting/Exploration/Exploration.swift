import Signalbox

/// One order of an exploration, which a scenario sets up and runs.
///
/// A scenario makes its stores anew each time, with the clock and the endpoints of the exploration as
/// their dependencies. It states what must hold, starts the work and calls `run()`.
@MainActor public final class Exploration {
  /// A clock whose timers fire when the exploration chooses them.
  public let clock = TestClock()

  private let script: Script
  let scope: TestScope
  let order: ExploredOrder
  /// Whether to note what each step changes.
  private let isDetailed: Bool
  var steps: [(label: String, changes: [String])] = []
  /// The events of the stores at each step, for a replay.
  private(set) var log: [String] = []
  private(set) var hasRun = false
  /// The actions of a sequence; `nil` if the scenario alone decides what happens.
  var nextActions: NextActions?
  /// What endpoints may do and what optional events there are, and what has happened of that.
  var occurrences = Occurrences()

  var endpoints: [any ExploredEndpoint] = []
  var faults = Faults()
  var events: [OptionalEvent] = []
  private let always = Conditions("always")
  private let finally = Conditions("finally")
  /// The calls and timers that have been choices: for each number, what its token counts.
  var calls: [Int: Int] = [:]
  var timers: [Int: Int] = [:]
  /// The stores before the first step, and at the end.
  private var start: [StoreSnapshot] = []
  private var end: [StoreSnapshot] = []
  /// The stores at the end of a run, whose work would end with them if the scenario released them.
  private var kept: [any SettlingStore] = []

  struct OptionalEvent {
    let name: String
    let body: @MainActor () -> Void
    var hasHappened = false
  }

  init(_ script: Script, _ order: ExploredOrder, in scope: TestScope, isDetailed: Bool) {
    self.script = script
    self.order = order
    self.scope = scope
    self.isDetailed = isDetailed
  }

  // MARK: - The scenario

  /// Makes an endpoint whose calls are answered when the exploration chooses them.
  ///
  /// - Parameters:
  ///   - name: the name of the endpoint in reports.
  ///   - failing: an error with which each call may fail instead. `nil` if calls don't fail.
  ///   - heedsCancellation: whether a call throws `CancellationError` as soon as its task is
  ///     cancelled. With `false`, a cancelled call stays pending, and when its late answer arrives is
  ///     a choice.
  ///   - answer: computes the answer to a request, on the main actor. An error that it throws is the
  ///     answer.
  public func endpoint<Request: Sendable, Response: Sendable>(
    _ name: String, failing: (any Error)? = nil, heedsCancellation: Bool = true,
    _ answer: @escaping @MainActor (Request) throws -> Response
  ) -> TestEndpoint<Request, Response> {
    let endpoint = TestEndpoint<Request, Response>(name, heedsCancellation: heedsCancellation)
    occurrences.expect("\(name) answers")
    if failing != nil { occurrences.expect("\(name) fails") }
    endpoints.append(
      AnsweringEndpoint(
        endpoint: endpoint, failure: failing, answer: answer,
        note: { self.occurrences.note("\(name) \($0)") }))
    return endpoint
  }

  /// Declares an event that may happen once, at any moment, or never.
  public func may(_ name: String, _ event: @escaping @MainActor () -> Void) {
    events.append(OptionalEvent(name: name, body: event))
    occurrences.expect(name)
  }

  /// Declares what must hold at the start and after each step.
  public func always(_ name: String, _ condition: @escaping @MainActor () -> Bool) {
    always.add(name, condition)
  }

  /// Declares what must hold when nothing is left to happen, at the end of each `run()`.
  public func finally(_ name: String, _ condition: @escaping @MainActor () -> Bool) {
    finally.add(name, condition)
  }

  /// Records a value as an outcome of this order.
  ///
  /// The report counts equal outcomes. If a scenario records nothing, its outcome is what has changed
  /// in its stores.
  public func outcome<Value: Hashable>(_ value: Value) {
    order.outcomes.append(.value(value))
  }

  // MARK: - Running

  /// Lets one thing after another happen until nothing is left.
  ///
  /// Between two steps, all stores of the scenario are at rest. Work that waits for something outside
  /// of the exploration, such as a real clock, is a failure (I8). So is what is still pending when the
  /// scenario returns (I9).
  ///
  /// It also returns after a crash of a storage (I11). The process is gone then: the work and the hooks
  /// of its stores are cancelled, what they do counts no more, and its optional events and conditions
  /// are dropped. The scenario goes on with new stores, as it does without a crash.
  public func run() async {
    hasRun = true
    kept = []
    guard order.obstacle == nil else { return }
    guard await settle() else { return await endOfProcess() }
    if start.isEmpty { start = snapshots }
    always.check(for: order)
    while let choice = choose() {
      let before = isDetailed ? snapshots : []
      steps.append((isDetailed ? choice.label() : "", []))
      let isAtRest = await settle(after: choice)
      if isDetailed, !faults.hasCrashed { note(before) }
      guard isAtRest else { return await endOfProcess() }
      always.check(for: order)
    }
    guard order.obstacle == nil else { return }
    let known = Set(endpoints.map(\.id))
    if let wait = scope.stores.lazy.compactMap({ $0.work(atEndpointsOtherThan: known) }).first {
      order.fails(
        """
        \(wait.work) waits at \(wait.name), which is not an endpoint of the exploration. Make it \
        with endpoint(_:_:) of the exploration.
        """, isMistake: true)
    }
    finally.check(for: order)
    end = snapshots
    kept = scope.stores
  }

  // Performs a choice and waits for rest. Only what happens meanwhile may meet a fault. Returns
  // `false` if the run is over.
  private func settle(after choice: Choice? = nil) async -> Bool {
    faults.mayOccur = true
    choice?.perform()
    let isAtRest = await rest()
    faults.mayOccur = false
    return isAtRest && order.obstacle == nil && !faults.hasCrashed
  }

  private func endOfProcess() async {
    guard faults.hasCrashed else { return }
    let stores = scope.stores
    for store in stores { store.processHasCrashed() }
    if await rest() { await endWaits(rest) }
    guard order.obstacle == nil else { return }
    for store in stores { scope.remove(store) }
    always.removeAll()
    finally.removeAll()
    (events, start, end) = ([], [], [])
    for storage in faults.storages { storage.restart() }
    faults.hasCrashed = false
  }

  /// What the exploration decides that has not happened.
  private var pending: [String] {
    endpoints.flatMap(\.pendingCalls).map { $0.text() }
      + clock.due.map { "\($0.work ?? "a timer") until \($0.deadline)" }
  }

  /// Ends what is pending, and what its work waits for then, such as the next attempt of a save.
  private func endWaits(_ rest: () async -> Bool) async {
    // Work that asks again without end is left as it is.
    for _ in 0..<100 {
      for endpoint in endpoints { endpoint.cancelCalls() }
      clock.cancelSleepers()
      guard await rest(), !pending.isEmpty else { return }
    }
  }

  private var snapshots: [StoreSnapshot] { scope.stores.map(\.snapshot) }

  /// The number of steps after which work counts as endless.
  private let mostSteps = 1_000

  private func rest() async -> Bool {
    let end = await Patience(in: scope).waitForRest {
      scope.hasQuietSources
        && scope.stores.allSatisfy { $0.hasSettled(includingBodies: true) }
    }
    if end != .cancelled, let work = scope.activity.workResumedFromOutside {
      order.obstacle = .outside(outsideText(work))
      return false
    }
    switch end {
    case .happened:
      guard let work = scope.stores.lazy.compactMap({ $0.work(notOn: self.clock) }).first else {
        return true
      }
      order.obstacle = .outside("\(work) waits for a clock that is not the exploration's.")
    case .cancelled: order.obstacle = .cancelled
    case .elapsed:
      order.obstacle = .outside(outsideText(scope.restlessWork(includingBodies: true)))
    case .restless:
      order.obstacle = .outside(
        "\(scope.restlessWork(includingBodies: true)) never comes to rest.")
    }
    return false
  }

  private func outsideText(_ work: String) -> String {
    """
    \(work) waits for something outside of the exploration, such as a real clock, a queue, a thread, \
    an unstructured task or an actor that another test uses. Give it the clock and the endpoints of \
    the exploration.
    """
  }

  /// Makes the next choice; `nil` if nothing is left, or if the order has an obstacle.
  private func choose() -> Choice? {
    let choices = choices
    guard let oldest = choices.first else { return nil }
    if steps.count == mostSteps, oldest.token != Choice.end {
      order.obstacle = .outside(
        """
        After \(mostSteps) steps, something is still left to happen: \(oldest.label()). Cancel the \
        work, or let it end.
        """)
      return nil
    }
    return decide(choices, snapshots)
  }

  func decide(_ choices: [Choice], _ states: [StoreSnapshot]) -> Choice? {
    switch script.choice(of: choices, in: order, states) {
    case .chosen(let index):
      order.points.append(
        ExploredOrder.Point(tokens: choices.map(\.token), chosen: index, states: states))
      return choices[index].token == Choice.end ? nil : choices[index]
    case .parting(let reason): order.parts(because: reason)
    case .misfit(let text): order.obstacle = .misfit(text)
    }
    return nil
  }

  private func note(_ before: [StoreSnapshot]) {
    for store in scope.stores {
      let now = store.snapshot
      let old = before.first { $0.number == now.number }
      if let old { steps[steps.count - 1].changes += now.changes(since: old) }
      log += store.log(from: old?.lastEvent ?? 0).map(store.named)
    }
  }

  // MARK: - The end

  private func reportMistakes() {
    always.requireChecks(of: order)
    finally.requireChecks(of: order)
    if let mistake = scope.mistake { order.fails(mistake, isMistake: true) }
    let pending = pending
    if !pending.isEmpty {
      order.fails(
        """
        The scenario has returned, and this is still pending: \(listed(pending)). Call run() after \
        what starts work, or cancel the work at the end.
        """)
    }
    let stuck = scope.stores.compactMap { $0.tracker.inFlight.namesOfStuckWork?.map($0.named) }
    let names = stuck.flatMap { $0 }
    if stuck.count == scope.stores.count, scope.sources.isEmpty, !names.isEmpty {
      order.fails("This work waits in a circle, so it never ends: \(listed(names)).")
    }
  }

  /// Ends what the scenario has left behind, and notes what came of the order.
  func finish() async {
    if order.outcomes.isEmpty, !end.isEmpty { order.outcomes = [.stores(end, from: start)] }
    // Work that began after the last run may be on its way to what it waits for.
    let isAtRest = hasRun && order.obstacle == nil ? await rest() : false
    for store in scope.stores { store.reportErrors() }
    if isAtRest { reportMistakes() }
    always.removeAll()
    finally.removeAll()
    // Events may refer to the stores, and so may answers.
    (events, kept) = ([], [])
    // In a task of its own, so that what is left ends even if the test was cancelled.
    await Task { [scope] in
      let limits = Activity.JobLimits(idle: .seconds(5), busy: .seconds(60))
      let rest = { @MainActor in await scope.activity.rest(limits) { 1 } == .resting }
      await endWaits(rest)
      endpoints = []
      _ = await rest()
    }.value
  }
}
