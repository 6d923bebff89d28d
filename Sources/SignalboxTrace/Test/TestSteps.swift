internal import Signalbox
internal import SignalboxInspection

/// What came from outside, and what followed until something else did.
struct TestStep {
  enum Input {
    case beginning
    case action(ValueTree, child: String?, work: Int)
    case hook(String, ValueTree, child: String?)
    /// A part was written, maybe beside pending changes.
    case write([ValueEdit], isBesidePending: Bool)
    case answer(endpoint: String, request: ValueTree, TraceEvent.Answer, isOldest: Bool)
    case advance(seconds: String)
    /// Work was cancelled, one piece after another.
    case cancel
    /// The test cannot go on, for this reason.
    case end(String)
  }

  let input: Input
  /// The state before the input, after the input alone, and after what followed.
  var before: ValueTree
  var start: ValueTree
  var end: ValueTree
  /// The work that began, and the work that ended or was cancelled from outside.
  var begun: [Int] = []
  var ended: Set<Int> = []
  /// Whether work changed something that began before.
  var hasOlderWork = false
  /// The children whose hooks the input makes fire; `nil` for the store itself.
  var listeners: Set<String?> = []
  /// Whether a hook without a cause has fired, maybe later; one with a cause fires at once.
  var isLate = false
  /// The number of actions and runs that run afterwards.
  var running = 0
  var errors = 0
  var cancels: [TraceEvent] = []
  /// Whether no older work is left where the first cancel was.
  var cancelsAll = false
  /// The events from which something followed.
  var causes: Set<Int?> = []

  init(_ input: Input, at state: ValueTree) {
    self.input = input
    (before, start, end) = (state, state, state)
    if case .hook(_, _, let child) = input { listeners = [child] }
  }

  /// Whether the input is an action that ended before anything else happened or ran.
  var isAction: Bool {
    guard case .action(_, _, let work) = input else { return false }
    return begun == [work] && ended.contains(work) && !hasOlderWork && !isLate
  }
}

/// Divides the events of a store into steps.
///
///     hook measured 17.0          ─┐ input
///     ├─ changed celsius           │
///     └─ hook cold                 │ step
///        └─ changed isHeated      ─┘
///     dispatched turn(on: true)   ── input of the next step
struct TestSteps {
  private let events: [TraceEvent]
  private(set) var all: [TestStep] = []
  private(set) var start: ValueTree?
  private(set) var optionals = OptionalProperties()
  /// The work that runs, with the place of its child, which is empty for the store itself.
  private var running: [Int: String] = [:]
  private var request = (call: 0, tree: ValueTree.omitted)
  private(set) var inFlight = InFlightAtEnd()
  /// The number of changes that are pending.
  private var pending = 0

  init(of store: Int, in events: [TraceEvent]) {
    self.events = events.filter { $0.store == store || $0.store == nil }
  }

  mutating func read(_ surroundings: Trace.Surroundings) {
    for index in events.indices {
      if case .end? = all.last?.input { return }
      if case .released = events[index].kind { return }
      read(index, surroundings)
    }
  }

  private mutating func read(_ index: Int, _ surroundings: Trace.Surroundings) {
    let event = events[index]
    inFlight.note(event)
    if case .started(let tree) = event.kind { begin(tree) }
    if case .state(let tree) = event.kind { begin(tree) }
    guard start != nil else { return }
    switch event.kind {
    case .called(_, let call, let tree): request = (call, tree)
    case .answered(let endpoint, let call, let answer):
      let tree = request.call == call ? request.tree : .omitted
      add(
        .answer(
          endpoint: endpoint, request: tree, answer, isOldest: isOldest(call, of: endpoint, index)))
    case .advanced(let seconds): add(.advance(seconds: seconds))
    case .changed(let edits): change(edits, at: index)
    case .began(let work):
      guard let id = event.work else { return }
      if case .action(let action) = work, event.cause == nil, !isCausedByChild(index) {
        add(.action(action, child: event.child, work: id))
      }
      begin(id, of: event.child)
    case .hookFired(let hook, let value) where event.cause == nil:
      if firesByItself(hook, at: index, surroundings) {
        last { $0.isLate = true }
      } else if !joinsLast(hook, value, of: event.child) {
        add(.hook(hook, value, child: event.child))
      }
    case .cancelled(_, .requested(by: nil)): cancel(event)
    // It was in flight when the session ended.
    case .cancelled(_, .storeReleased): break
    case .finished, .failed, .cancelled(.action, .endedWithState): end(event)
    case .cancelled: if let work = event.work { running[work] = nil }
    case .unhandled: last { $0.errors += 1 }
    case .pending: pending += 1
    case .confirmed, .takenBack: pending = max(0, pending - 1)
    case .lost: add(.end("Events were lost."))
    default: break
    }
    last { [count = running.count] step in
      step.running = count
      step.causes.insert(event.cause)
    }
  }

  private mutating func begin(_ tree: ValueTree) {
    optionals.note(tree)
    guard start == nil else { return }
    start = tree
    all = [TestStep(.beginning, at: tree)]
  }

  private mutating func add(_ input: TestStep.Input) {
    guard let state = all.last?.end else { return }
    all.append(TestStep(input, at: state))
  }

  private mutating func last(_ change: (inout TestStep) -> Void) {
    change(&all[all.count - 1])
  }

  // MARK: - Work

  private mutating func begin(_ work: Int, of child: String?) {
    running[work] = child ?? ""
    last { $0.begun.append(work) }
  }

  private mutating func end(_ event: TraceEvent) {
    guard let work = event.work else { return }
    running[work] = nil
    last { step in
      step.ended.insert(work)
      if !step.begun.contains(work) { step.hasOlderWork = true }
    }
  }

  /// Joins cancels of a store and its children, unless a cancel let other work go on.
  private mutating func cancel(_ event: TraceEvent) {
    guard let work = event.work else { return add(.end("Something was cancelled from outside.")) }
    let (step, child) = (all[all.count - 1], event.child ?? "")
    if step.cancels.isEmpty || step.begun.contains(work) || step.hasOlderWork
      || !Self.contains(child, in: step.cancels[0].child)
    {
      add(.cancel)
    }
    running[work] = nil
    last { [running] step in
      step.cancels.append(event)
      step.ended.insert(work)
      let scope = step.cancels[0].child
      let rest = running.filter { Self.contains($0.value, in: scope) }
      step.cancelsAll = rest.keys.allSatisfy(step.begun.contains)
    }
  }

  private static func contains(_ path: String, in child: String?) -> Bool {
    child.map { path == $0 || path.hasPrefix($0 + ".") } ?? true
  }

  // MARK: - Changes

  private mutating func change(_ edits: [ValueEdit], at index: Int) {
    let event = events[index]
    guard var state = all.last?.end else { return }
    guard (try? state.apply(edits)) != nil else {
      return add(.end("A change does not fit the state."))
    }
    optionals.note(state)
    if event.cause == nil, event.work == nil, !isCausedByChild(index) {
      add(.write(edits, isBesidePending: pending > 0))
      last { $0.start = state }
    }
    last { step in
      step.end = state
      if let work = event.work, !step.begun.contains(work), !step.ended.contains(work) {
        step.hasOlderWork = true
      }
    }
  }

  // MARK: - Causes

  /// Whether an event without a cause is due to a child's work that called a closure of its parent.
  ///
  /// The work then goes on until it ends, and does not wait for anything from outside.
  private func isCausedByChild(_ index: Int) -> Bool {
    let children = Set(running.lazy.filter { !$0.value.isEmpty }.map(\.key))
    guard !children.isEmpty, events[index].child == nil else { return false }
    switch all.last?.input {
    case .action, .answer, .advance: break
    default: return false
    }
    // A child that is gone has removed itself only if nothing else made the last change.
    var isOwnChange = events[index].isChange
    for event in events[(index + 1)...] {
      switch event.kind {
      case .changed: isOwnChange = event.cause == nil
      case .cancelled(.action, .endedWithState):
        if let work = event.work, children.contains(work) { return isOwnChange }
      case .finished, .failed:
        if let work = event.work, children.contains(work) { return true }
      case .called, .advanced, .cancelled(.action, .requested(by: nil)): return false
      case .began(.action) where event.cause == nil && event.child != nil: return false
      default: break
      }
    }
    return false
  }

  /// Whether a hook without a cause follows from the last input.
  ///
  /// Hooks with a first value, and those that a clock or an endpoint feeds, fire by themselves.
  private func firesByItself(
    _ hook: String, at index: Int, _ surroundings: Trace.Surroundings
  ) -> Bool {
    let name = Self.name(of: hook, in: events[index].child)
    if surroundings.hooks[name] == "" || isCausedByChild(index) { return true }
    switch all.last?.input {
    case .beginning, .answer, .advance: return surroundings.hooks[name] == nil
    default: return false
    }
  }

  /// Whether a hook fires because of the last input, which has made that of another child fire.
  ///
  /// Hooks of one name are fed by one emitter, because `Surroundings` cannot tell them apart.
  private mutating func joinsLast(_ hook: String, _ value: ValueTree, of child: String?) -> Bool {
    guard case .hook(let other, value, let first) = all.last?.input,
      Self.name(of: other, in: first) == Self.name(of: hook, in: child)
    else { return false }
    return all[all.count - 1].listeners.insert(child).inserted
  }

  /// The name of a hook in `Surroundings.hooks`.
  static func name(of hook: String, in child: String?) -> String {
    let properties = child.map { Why.names(inChildPath: $0).filter { !$0.hasPrefix("[") } } ?? []
    return (properties + [hook]).joined(separator: ".")
  }

  /// Whether no older call of an endpoint is answered later.
  private func isOldest(_ call: Int, of endpoint: String, _ index: Int) -> Bool {
    events[index...].allSatisfy { event in
      guard case .answered(endpoint, let other, _) = event.kind else { return true }
      return other >= call
    }
  }
}

extension TraceEvent {
  fileprivate var isChange: Bool { if case .changed = kind { true } else { false } }
}
