/// Holds what the handles, waiters and marks of a piece of work need.
///
///     ActionTask ──▶ WorkWaiters ◀──▶ Work       until the work is over
///     ActionTask ──▶ WorkWaiters ──▶ Settlement  if work that it started has not settled
///
/// Separate, because most work has none of them, and a handle of work that is over needs few.
@MainActor final class WorkWaiters {
  /// The work; `nil`, like `book`, once the work is over.
  private(set) var work: Work?
  var book: WorkBook?
  /// The first event of the work, also once the work is over.
  var firstEvent: Int? { work?.firstEvent ?? event }
  private var event: Int?
  private(set) var outcome: WorkOutcome?
  /// The settlement of work that is over.
  private var settlement: Settlement?

  /// The work that joined this work, by its order, because each piece may be removed at any time.
  var joined: [Int: Work] = [:]
  var leader: Work?
  /// The first of two tasks that the work has made.
  var firstTask: Task<Void, any Error>?
  /// Starts queued work with the task-local values and the priority of its own caller.
  var turn: MainActorEntry?
  var awaited: [Int: Work] = [:]
  var awaiters = 0
  var marks: Set<Mark> = []
  /// Closures that remove the marks, in the order in which they were set.
  var takeBacks: [@MainActor (_ event: Int?) -> Void] = []
  /// Closures that remove the marks of work that this work has superseded.
  var inherited: [@MainActor () -> Void] = []
  var changes: (any WorkChanges)?
  private var onOver: [@MainActor () -> Void] = []
  private var onEnd: [@MainActor (WorkOutcome) -> Void] = []

  init(_ work: Work?, _ outcome: WorkOutcome?) {
    self.work = work
    self.outcome = outcome
  }

  deinit {
    if let settlement { MainQueue.run { settlement.handleHasGone() } }
  }

  func whenEnded(_ body: @escaping @MainActor (WorkOutcome) -> Void) {
    if let outcome { body(outcome) } else { onEnd.append(body) }
  }

  /// What counts the work that the work has started; `nil` if it has started none.
  var startedWork: Settlement? { (work?.startedWork ?? settlement)?.current }

  func whenSettled(_ body: @escaping @MainActor () -> Void) {
    if let settlement = work?.makeSettlement() ?? settlement {
      settlement.whenSettled(body)
    } else {
      body()
    }
  }

  func whenOver(_ body: @escaping @MainActor () -> Void) {
    if work == nil { body() } else { onOver.append(body) }
  }

  /// - Parameter settlement: kept as long as a handle is left, which may wait for it.
  func workIsOver(_ settlement: Settlement?) {
    event = work?.firstEvent
    work = nil
    book = nil
    self.settlement = settlement
    for body in onOver.takeAll() { body() }
  }

  /// Called when the work has ended for its own caller.
  func workHasEnded(_ outcome: WorkOutcome) {
    self.outcome = outcome
    for resume in onEnd.takeAll() { resume(outcome) }
  }

  func takeMarks(after event: Int?) -> [@MainActor () -> Void] {
    inherited.takeAll() + takeBacks.takeAll().map { takeBack in { takeBack(event) } }
  }

  func takeJoined() -> [Work] {
    let joined = joined
    self.joined = [:]
    return joined.values.sorted { $0.order < $1.order }
  }
}

/// How a piece of work has ended for a caller.
enum WorkOutcome {
  case returned(Result<Void, any Error>)
  case cancelled

  var result: Result<Void, any Error> {
    switch self {
    case .returned(let result): result
    case .cancelled: .failure(CancellationError())
    }
  }

  var isCancelled: Bool { if case .cancelled = self { true } else { false } }
}

extension Array {
  mutating func takeAll() -> Self {
    defer { self = [] }
    return self
  }
}
