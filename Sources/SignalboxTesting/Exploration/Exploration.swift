import Signalbox

/// One order of an exploration, which a scenario sets up and runs.
///
/// A scenario makes its stores anew each time, with the clock and the endpoints of the exploration as
/// their dependencies. It states what must hold, starts the work and calls `run()`.
@MainActor public final class Exploration {
  /// A clock whose timers fire when the exploration chooses them.
  public let clock = TestClock()

  private let script: Script
  private let scope: TestScope
  let order: ExploredOrder
  /// Whether to note what each step changes.
  private let isDetailed: Bool
  private let reduction: OrderReduction?
  /// The point of the search that follows the last step.
  private var next = ChoicePoint()
  /// The label of each step, and what it changed.
  private(set) var steps: [(label: String, changes: [String])] = []
  /// The events of the stores at each step, for a replay.
  private(set) var log: [String] = []
  private(set) var hasRun = false

  private var endpoints: [any ExploredEndpoint] = []
  private var events: [OptionalEvent] = []
  private let always = Conditions("always")
  private let finally = Conditions("finally")
  /// The calls and timers that have been choices: for each number, what its token counts.
  private var calls: [Int: Int] = [:]
  private var timers: [Int: Int] = [:]
  /// The stores before the first step, and at the end.
  private var start: [StoreSnapshot] = []
  private var end: [StoreSnapshot] = []

  private struct OptionalEvent {
    let name: String
    let body: @MainActor () -> Void
    var hasHappened = false
  }

  init(
    _ script: Script, _ order: ExploredOrder, in scope: TestScope, _ reduction: OrderReduction?,
    isDetailed: Bool
  ) {
    self.reduction = reduction
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
  ///   - answer: computes the answer to a request. An error that it throws is the answer.
  public func endpoint<Request: Sendable, Response: Sendable>(
    _ name: String, failing: (any Error)? = nil, heedsCancellation: Bool = true,
    _ answer: @escaping @Sendable (Request) throws -> Response
  ) -> TestEndpoint<Request, Response> {
    let endpoint = TestEndpoint<Request, Response>(name, heedsCancellation: heedsCancellation)
    scope.footprints?.add(endpoint)
    endpoints.append(AnsweringEndpoint(endpoint: endpoint, failure: failing, answer: answer))
    return endpoint
  }

  /// Declares an event that may happen once, at any moment, or never.
  ///
  /// - Parameters:
  ///   - name: the name of the event in reports.
  ///   - event: makes the event happen.
  public func may(_ name: String, _ event: @escaping @MainActor () -> Void) {
    events.append(OptionalEvent(name: name, body: event))
  }

  /// Declares what must hold at the start and after each step.
  ///
  /// - Parameters:
  ///   - name: the name of the condition in reports.
  ///   - condition: whether it holds.
  public func always(_ name: String, _ condition: @escaping @MainActor () -> Bool) {
    always.add(name, condition)
  }

  /// Declares what must hold when nothing is left to happen, at the end of each `run()`.
  ///
  /// - Parameters:
  ///   - name: the name of the condition in reports.
  ///   - condition: whether it holds.
  public func finally(_ name: String, _ condition: @escaping @MainActor () -> Bool) {
    finally.add(name, condition)
  }

  /// Records a value as an outcome of this order.
  ///
  /// The report counts equal outcomes. If a scenario records nothing, its outcome is what has changed
  /// in its stores.
  public func outcome<Value: Hashable>(_ value: Value) {
    scope.footprints?.touch(.outcomes)
    order.outcomes.append(.value(value))
  }

  // MARK: - Running

  /// Lets one thing after another happen until nothing is left.
  ///
  /// Between two steps, all stores of the scenario are at rest. Work that waits for something outside
  /// of the exploration, such as a real clock, is a failure.
  public func run() async {
    hasRun = true
    guard order.obstacle == nil, await rest() else { return }
    if start.isEmpty { start = snapshots }
    // What the scenario does between two runs is not a step.
    next = ChoicePoint()
    checkAlways()
    while let choice = choose() {
      let before = snapshots
      steps.append((isDetailed ? choice.label() : "", []))
      scope.footprints?.begin(isBlind: before.contains(where: \.holdsObjects))
      choice.perform()
      let isAtRest = await rest()
      endStep()
      if isDetailed { note(before) }
      guard isAtRest else { return }
      checkAlways()
    }
    guard order.obstacle == nil else { return }
    let known = Set(endpoints.map(\.id))
    if let wait = scope.stores.lazy.compactMap({ $0.work(atEndpointsOtherThan: known) }).first {
      order.fails(
        """
        \(wait.work) waits at \(wait.name), which is not an endpoint of the exploration. Make it \
        with endpoint(_:_:) of the exploration.
        """)
    }
    finally.check(for: order)
    end = snapshots
  }

  /// What follows the tasks of sources that belong to no store.
  var sourceFollower: any SourceFollower { scope }

  private var snapshots: [StoreSnapshot] { scope.stores.map(\.snapshot) }

  /// The number of steps after which work counts as endless.
  private let mostSteps = 1_000

  /// Waits until nothing runs any more.
  ///
  /// No time passes, because what a real clock wakes in time would differ from run to run.
  private func rest() async -> Bool {
    let end = await Patience(.zero, in: scope).waitForRest {
      scope.hasQuietSources
        && scope.stores.allSatisfy { $0.hasSettled(includingBodies: true) }
    }
    switch end {
    case .happened:
      guard let work = scope.stores.lazy.compactMap({ $0.work(notOn: self.clock) }).first else {
        return true
      }
      order.obstacle = .outside("\(work) waits for a clock that is not the exploration's.")
    case .cancelled: order.obstacle = .cancelled
    case .elapsed:
      order.obstacle = .outside(
        """
        \(scope.restlessWork(includingBodies: true)) waits for something outside of the \
        exploration, such as a real clock or an unstructured task. Give it the clock and the \
        endpoints of the exploration.
        """)
    case .restless:
      order.obstacle = .outside(
        "\(scope.restlessWork(includingBodies: true)) never comes to rest.")
    }
    return false
  }

  /// Makes the next choice; `nil` if nothing is left, or if the order has an obstacle.
  private func choose() -> Choice? {
    let choices = choices
    guard let oldest = choices.first else { return nil }
    if order.steps == mostSteps, oldest.token != Choice.end {
      order.obstacle = .outside(
        """
        After \(mostSteps) steps, something is still left to happen: \(oldest.label()). Cancel the \
        work, or let it end.
        """)
      return nil
    }
    let states = snapshots
    let point = script.point(at: order.points.count) ?? next
    var first = 0
    if order.end == nil {
      if let awake = choices.indices.first(where: { point.asleep[choices[$0].token] == nil }) {
        first = awake
      } else {
        // The order still runs to its end, because the scenario may expect that.
        order.end = order.points.count
      }
    }
    switch script.choice(of: choices, first: first, at: order.points.count, states) {
    case .chosen(let index):
      order.points.append(
        ExploredOrder.Point(
          tokens: choices.map(\.token), chosen: index, first: first, states: states, point: point))
      guard choices[index].token == Choice.end else { return choices[index] }
      // No choice is independent of the end, after which none is possible.
      var end = Footprint()
      end.addUnknown()
      next = point.point(after: Choice.end, end)
      return nil
    case .parting(let reason): order.parts(because: reason)
    case .misfit(let text): order.obstacle = .misfit(text)
    }
    return nil
  }

  /// Records what the step has touched that has ended.
  private func endStep() {
    guard let reduction, let recorder = scope.footprints, let point = order.points.last else {
      return
    }
    let footprint = reduction.completed(recorder.end())
    next = point.point.point(after: point.tokens[point.chosen], footprint)
  }

  private func checkAlways() {
    guard let reduction, let recorder = scope.footprints else { return always.check(for: order) }
    reduction.watch(with: recorder) { always.check(for: order) }
  }

  private func note(_ before: [StoreSnapshot]) {
    for store in scope.stores {
      let now = store.snapshot
      let old = before.first { $0.number == now.number }
      if let old { steps[steps.count - 1].changes += now.changes(since: old) }
      log += store.log(from: old?.events ?? 0).map(store.named)
    }
  }

  // MARK: - Choices

  /// What may happen next, first come, first served.
  private var choices: [Choice] {
    let pending = endpoints.flatMap(\.pendingCalls).sorted { $0.number < $1.number }
    for call in pending where calls[call.number] == nil { calls[call.number] = calls.count }
    let due = clock.due
    for timer in due where timers[timer.number] == nil { timers[timer.number] = timers.count + 1 }
    var choices: [Choice] = []
    for call in pending {
      choices.append(
        Choice(
          token: letters(of: call),
          label: { "\(call.text()) answers\(call.isLate ? ", late" : "")" }, perform: call.answer))
    }
    for call in pending {
      guard let fail = call.fail else { continue }
      choices.append(
        Choice(
          token: letters(of: call) + "!",
          label: { "\(call.text()) fails\(call.isLate ? ", late" : "")" }, perform: fail))
    }
    for timer in due {
      let work = timer.work.map { "\($0) wakes" } ?? "a timer fires"
      choices.append(
        Choice(
          token: "\(timers[timer.number] ?? 0)",
          label: { "\(work) at \(timer.deadline)" },
          perform: { [clock] in clock.wake(timer.number) }))
    }
    let left = events.indices.filter { !events[$0].hasHappened }
    if choices.isEmpty, !left.isEmpty {
      choices.append(Choice(token: Choice.end, label: { "" }, perform: {}))
    }
    for index in left {
      choices.append(
        Choice(
          token: "+\(index + 1)", label: { self.events[index].name },
          perform: {
            self.events[index].hasHappened = true
            self.events[index].body()
          }))
    }
    return choices
  }

  private func letters(of call: PendingCall) -> String {
    Choice.letters(of: calls[call.number] ?? 0)
  }

  // MARK: - The end

  /// Fails the order if the scenario has asked for something that the exploration cannot do.
  private func reportMistakes() {
    always.requireChecks(of: order)
    finally.requireChecks(of: order)
    if let mistake = scope.mistake { order.fails(mistake) }
  }

  /// Ends what the scenario has left behind, and notes what came of the order.
  func finish() async {
    if order.outcomes.isEmpty, !end.isEmpty { order.outcomes = [.stores(end, from: start)] }
    for store in scope.stores { store.reportErrors() }
    if hasRun, order.obstacle == nil { reportMistakes() }
    for endpoint in endpoints { endpoint.cancelCalls() }
    clock.cancelSleepers()
    always.removeAll()
    finally.removeAll()
    // Events may refer to the stores.
    (events, endpoints) = ([], [])
    // In a task of its own, so that what is left ends before the next order also if the test was
    // cancelled.
    await Task { [scope] in
      let limits = Activity.JobLimits(idle: .seconds(5), busy: .seconds(60))
      _ = await scope.activity.rest(limits) { 1 }
    }.value
  }
}
