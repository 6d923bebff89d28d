internal import Signalbox
internal import SignalboxInspection

/// Writes the test of the steps of a store.
///
///     hook measured 17.0          ──▶  sensor.send(17.0)
///     ├─ changed celsius               store.expect {
///     └─ hook cold                       $0.celsius = 17.0
///        └─ changed isHeated             $0.isHeated = true
///                                      }
struct TestWriter {
  let surroundings: Trace.Surroundings
  let optionals: OptionalProperties
  private let type: String
  var lines: [String] = []
  /// The names of the handles of actions that are cancelled later, by their work.
  private var handles: [Int: String] = [:]
  /// The work whose handles are optional, because its child may be gone.
  private var optionalHandles: Set<Int> = []
  /// The number of expressions that were used of each redacted property.
  var usedSecrets: [String: Int] = [:]
  private(set) var isOver = false
  /// Whether a change since the last assertion cannot be written as a statement.
  private var isBehind = false

  init(_ surroundings: Trace.Surroundings, optionals: OptionalProperties, state type: String) {
    self.surroundings = surroundings
    self.optionals = optionals
    self.type = type
  }

  mutating func source(
    of steps: [TestStep], from start: ValueTree, inFlight: InFlightAtEnd, name: String
  ) throws(TraceTestError) -> String {
    guard let state = surroundings.state ?? start.literal(surroundings, most: 20_000) else {
      throw .noState(type)
    }
    var rest = steps[...]
    while let step = rest.popFirst(), !isOver {
      findHandle(of: step, in: rest)
      write(step, before: rest.first)
    }
    if !isOver { finish(inFlight) }
    // A test that ends early may not come to a cancel.
    for handle in handles.values
    where !lines.contains("\(handle).cancel()") && !lines.contains("\(handle)?.cancel()") {
      lines = lines.map { $0.replacing("let \(handle) = ", with: "") }
    }
    return TestSource.text(
      name: name, imports: surroundings.imports,
      body: surroundings.setup
        + ["let store = TestStore(\n  state: \(state),\n  \(surroundings.subject))"] + lines)
  }

  private mutating func write(_ step: TestStep, before next: TestStep?) {
    let changes = TestChanges(
      from: step.start, to: step.end, root: .init(root: "$0"), surroundings, optionals)
    var settles = step.begun.count > 0 || step.running > 0 || step.isLate
    var isWritten = false
    switch step.input {
    case .beginning: break
    case .action(let action, let child, let work):
      isWritten = send(action, in: child, work, step, changes)
      settles = !step.isAction
    case .hook(let hook, let value, let child):
      settles = fire(hook, value, in: child) || settles
    case .write(let edits, let isBesidePending):
      write(edits, to: .init(root: "store", isAlone: isBesidePending), step)
    case .answer(let endpoint, let request, let answer, let isOldest):
      self.answer(endpoint, request, answer, isOldest)
      settles = false
    case .advance(let seconds):
      let duration = SourceLiterals.duration(seconds) ?? ".seconds(\(seconds))"
      lines.append(
        seconds == "all" ? "await clock.run()" : "await clock.advance(by: \(duration))")
      settles = false
    case .cancel: cancel(step)
    case .end(let reason): end(reason)
    }
    guard !isOver else { return }
    let isAsserted = step.errors > 0 || changes.comparisons.count + changes.statements.count > 0
    if settles, !isWritten, isAsserted || next?.settlesFirst != true {
      lines.append("await store.settle()")
    }
    for _ in 0..<step.errors { lines.append("store.expectError()") }
    if !isWritten { expect(changes, step) }
    lines += changes.comparisons
    if changes.statements.isEmpty { lines += changes.comments.map(TestSource.comment) }
  }

  /// What the feature forgets to cancel is still pending at the end.
  private mutating func finish(_ inFlight: InFlightAtEnd) {
    let assertions = inFlight.lines(surroundings)
    if !assertions.isEmpty, lines.last != "await store.settle()" {
      lines.append("await store.settle()")
    }
    lines += assertions + ["await store.finish()"]
  }

  private mutating func expect(_ changes: TestChanges, _ step: TestStep) {
    let isExact = changes.isComplete && step.isDistinct && !isBehind
    guard !changes.statements.isEmpty else {
      if !changes.isComplete { isBehind = true }
      return
    }
    lines.append(
      TestSource.closure("store.expect", changes.statements, changes.comments, isExact: isExact))
    isBehind = false
  }

  mutating func end(_ reason: String) {
    isOver = true
    lines.append(
      TestSource.comment("The recording goes on here, and the test does not: \(reason)"))
  }

  // MARK: - Actions

  /// - Returns: whether the line expects the changes.
  private mutating func send(
    _ action: ValueTree, in child: String?, _ work: Int, _ step: TestStep, _ changes: TestChanges
  ) -> Bool {
    guard let literal = action.literal(surroundings) else {
      end("An action cannot be written as Swift: \(action.text()).")
      return false
    }
    let store: String
    do {
      store = try surroundings.expression(ofChild: child, in: step.start, optionals)
    } catch {
      end("The child \(child ?? "") got \(action.text()). \(error.reason)")
      return false
    }
    guard step.isAction else {
      let handle = handles[work].map { "let \($0) = " } ?? ""
      if store.contains("?") { optionalHandles.insert(work) }
      lines.append("\(handle)\(store).send(\(literal))")
      return false
    }
    let call = "await \(store).dispatch(\(literal))"
    guard child == nil, !changes.statements.isEmpty else {
      lines.append(call)
      return false
    }
    let isExact = changes.isComplete && step.isDistinct
    lines.append(
      TestSource.closure(call, changes.statements, changes.comments, isExact: isExact))
    isBehind = false
    return true
  }

  // MARK: - Cancels

  private mutating func findHandle(of step: TestStep, in rest: ArraySlice<TestStep>) {
    guard case .action(let action, _, let work) = step.input, !step.isAction else { return }
    guard rest.contains(where: { $0.cancels.contains { $0.work == work } }) else { return }
    var name = "task"
    if case .record(let record) = action, let caseName = record.caseName {
      name = "\(caseName)Task"
    }
    let count = handles.values.count { $0.hasPrefix(name) }
    handles[work] = count == 0 ? name : "\(name)\(count + 1)"
  }

  private mutating func cancel(_ step: TestStep) {
    let followed = step.cancels.filter { step.causes.contains($0.id) }
    // In reverse, because queued work starts when the work before it is cancelled.
    let queued = step.cancels.filter { !step.causes.contains($0.id) }.reversed()
    let calls = (queued + followed).compactMap { call(of: $0, in: step) }
    // `cancelAll()` cancels the store's own work as it began, and then that of each child.
    let children = step.cancels.map(\.child)
    let order = followed.map { (children.firstIndex(of: $0.child) ?? 0, $0.work ?? 0) }
    let child = step.running == 0 ? nil : step.cancels[0].child
    if calls.count == step.cancels.count {
      // Queued work may have started between two of them, but never does in `cancelAll()`.
      lines += calls
    } else if step.cancelsAll, zip(order, order.dropFirst()).allSatisfy({ $0 < $1 }),
      let store = try? surroundings.expression(ofChild: child, in: step.start, optionals)
    {
      lines.append("\(store).cancelAll()")
    } else {
      end("Work was cancelled from outside that did not begin there.")
    }
  }

  /// Whether an action without a handle has a name is not in the recording.
  private func call(of cancel: TraceEvent, in step: TestStep) -> String? {
    guard let id = cancel.work, case .cancelled(let work, _) = cancel.kind else { return nil }
    if let handle = handles[id] {
      return "\(handle)\(optionalHandles.contains(id) ? "?" : "").cancel()"
    }
    guard work.isRun, let name = work.tree?.literal(surroundings, isTyped: true), name != "nil",
      let store = try? surroundings.expression(ofChild: cancel.child, in: step.start, optionals)
    else { return nil }
    return "\(store).cancel(id: \(name))"
  }
}

extension TestStep {
  /// Whether all that has changed can be seen.
  fileprivate var isDistinct: Bool { start.isDistinct && end.isDistinct }

  /// Whether the stores settle before the input arrives.
  fileprivate var settlesFirst: Bool {
    switch input {
    case .answer, .advance: true
    default: false
    }
  }
}
