/// Holds what the handles, waiters and marks of a piece of work need.
///
/// Most work has none of them.
///
///     ActionTask ──▶ WorkWaiters ◀──▶ Work       until the work is over
///     ActionTask ──▶ WorkWaiters ──▶ Settlement  if work that it started has not settled
///
/// A separate object, because work without waiters then stores a single `nil`, and a handle to work
/// that is over keeps only its outcome.
@MainActor final class WorkWaiters {
  /// The work; `nil`, like `book`, once the work is over.
  private(set) var work: Work?
  var book: WorkBook?
  private(set) var outcome: WorkOutcome?
  /// The settlement of work that is over.
  private var settlement: Settlement?

  /// The work that joined this work, by its order.
  ///
  /// A dictionary, like `awaited`, because each element may be removed at any time.
  var joined: [Int: Work] = [:]
  var leader: Work?
  /// The first of two tasks that the work has made.
  var firstTask: Task<Void, any Error>?
  /// Starts queued work with the task-local values and the priority of its own caller.
  var turn: MainActorEntry?
  var awaited: [Int: Work] = [:]
  /// The number of pieces of work that await this work.
  var awaiters = 0
  private var marks: [Mark] = []
  /// What they mark.
  private var marked: Set<Mark.Target> = []
  /// Closures that remove the marks of work that this work has superseded.
  private var inherited: [@MainActor () -> Void] = []
  /// The changes of the state that are pending.
  var changes: (any WorkChanges)?
  private var onOver: [@MainActor () -> Void] = []
  private var onEnd: [@MainActor (WorkOutcome) -> Void] = []

  /// - Parameter work: the work; `nil` if it is over.
  init(_ work: Work?, _ outcome: WorkOutcome?) {
    self.work = work
    self.outcome = outcome
  }

  deinit {
    if let settlement { MainQueue.run { settlement.handleHasGone() } }
  }

  /// Calls a closure with the outcome as soon as there is one, which may be now.
  func whenEnded(_ body: @escaping @MainActor (WorkOutcome) -> Void) {
    if let outcome { body(outcome) } else { onEnd.append(body) }
  }

  /// What counts the work that the work has started; `nil` if it has started none.
  var startedWork: Settlement? { (work?.startedWork ?? settlement)?.current }

  /// Calls a closure when the work and everything that it started has ended, recursively.
  func whenSettled(_ body: @escaping @MainActor () -> Void) {
    if let settlement = work?.makeSettlement() ?? settlement {
      settlement.whenSettled(body)
    } else {
      body()
    }
  }

  /// Calls a closure as soon as the work is over, which may be now.
  func whenOver(_ body: @escaping @MainActor () -> Void) {
    if work == nil { body() } else { onOver.append(body) }
  }

  /// Called when the work is over.
  ///
  /// - Parameter settlement: kept as long as a handle is left, which may wait for it.
  func workIsOver(_ settlement: Settlement?) {
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

  func has(_ target: Mark.Target) -> Bool {
    // Searched in a copy, because user code compares key paths and may mark in turn.
    let marked = marked
    return marked.contains(target)
  }

  func add(_ mark: Mark) {
    marks.append(mark)
    var marked: Set<Mark.Target> = []
    swap(&marked, &self.marked)
    marked.insert(mark.target)
    swap(&marked, &self.marked)
    // User code has marked these while the key path was hashed.
    if !marked.isEmpty { self.marked.formUnion(marked) }
  }

  func inherit(_ marks: [@MainActor () -> Void]) { inherited += marks }

  func takeInherited() -> [@MainActor () -> Void] { inherited.takeAll() }

  /// Takes the closures that remove all marks of the work, including inherited ones.
  func takeMarks(after event: Int?) -> [@MainActor () -> Void] {
    inherited.takeAll() + marks.takeAll().map { mark in { mark.takeBack(event) } }
  }

  /// Takes the work that has joined this work, in the order in which it came.
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
  /// Returns all elements and empties the array.
  mutating func takeAll() -> Self {
    defer { self = [] }
    return self
  }
}
