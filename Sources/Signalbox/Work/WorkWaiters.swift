/// What hardly any work has: a handle, those who wait for it, and those it waits for.
///
///     ActionTask ──▶ Company ◀──▶ Work       until the work is over
///     ActionTask ──▶ Company ──▶ Settlement  if the work leaves something that has not settled
///
/// Apart from the work, so that work without company carries no more than a `nil`, and so that a
/// handle keeps nothing of work that is over but its outcome.
@MainActor final class WorkWaiters {
  /// Until it is over, as is the book.
  private(set) var work: Work?
  var book: WorkBook?
  private(set) var outcome: Result<Void, any Error>?
  private(set) var isCancelled: Bool
  /// Of work that is over.
  private var settlement: Settlement?

  /// By their orders, as `awaited` is: each may leave at any time.
  var followers: [Int: Work] = [:]
  var leader: Work?
  /// Where queued work starts, as its own caller would have started it.
  var turn: MainActorEntry?
  var awaited: [Int: Work] = [:]
  /// How many await it.
  var awaiters = 0
  private var marks: [Mark] = []
  /// Their key paths.
  private var marked: Set<AnyKeyPath> = []
  /// Marks of those it has superseded.
  private var inherited: [@MainActor () -> Void] = []
  private var onOver: [@MainActor () -> Void] = []
  private var onEnd: [@MainActor (Result<Void, any Error>) -> Void] = []

  init(_ work: Work?, _ outcome: Result<Void, any Error>?, isCancelled: Bool) {
    self.work = work
    self.outcome = outcome
    self.isCancelled = isCancelled
  }

  deinit {
    if let settlement { MainQueue.run { settlement.handleHasGone() } }
  }

  /// Calls back with the outcome: now, or when there is one.
  func whenEnded(_ body: @escaping @MainActor (Result<Void, any Error>) -> Void) {
    if let outcome { body(outcome) } else { onEnd.append(body) }
  }

  /// Calls back when the work, and all that it began, recursively, has ended.
  func whenSettled(_ body: @escaping @MainActor () -> Void) {
    if let settlement = work?.makeSettlement() ?? settlement {
      settlement.whenSettled(body)
    } else {
      body()
    }
  }

  /// Calls back when nothing that the body still does counts: now, or as soon as that is so.
  func whenOver(_ body: @escaping @MainActor () -> Void) {
    if work == nil { body() } else { onOver.append(body) }
  }

  /// - Parameter settlement: is kept while there is a handle, which may ask for it.
  func workIsOver(_ settlement: Settlement?) {
    work = nil
    book = nil
    self.settlement = settlement
    for body in onOver.takeAll() { body() }
  }

  func workHasEnded(_ outcome: Result<Void, any Error>, isCancelled: Bool) {
    self.outcome = outcome
    self.isCancelled = isCancelled
    for resume in onEnd.takeAll() { resume(outcome) }
  }

  func has(_ keyPath: AnyKeyPath) -> Bool {
    // In a copy: a key path is compared by code of the user's, which may mark in turn.
    let marked = marked
    return marked.contains(keyPath)
  }

  func add(_ mark: Mark) {
    marks.append(mark)
    var marked: Set<AnyKeyPath> = []
    swap(&marked, &self.marked)
    marked.insert(mark.keyPath)
    self.marked.formUnion(marked)
  }

  func inherit(_ marks: [@MainActor () -> Void]) { inherited += marks }

  func takeInherited() -> [@MainActor () -> Void] { inherited.takeAll() }

  /// What takes back all that the work has marked.
  func takeMarks(after event: Int?) -> [@MainActor () -> Void] {
    inherited.takeAll() + marks.takeAll().map { mark in { mark.takeBack(event) } }
  }

  /// Those who have joined the work, in the order in which they came.
  func takeFollowers() -> [Work] {
    let followers = followers
    self.followers = [:]
    return followers.values.sorted { $0.order < $1.order }
  }
}

extension Array {
  mutating func takeAll() -> Self {
    defer { self = [] }
    return self
  }
}
