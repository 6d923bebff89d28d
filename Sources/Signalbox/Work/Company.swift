/// What hardly any work has: a handle, those who wait for it, and those it waits for.
///
///     ActionTask ──▶ Company ◀──▶ Work       until the work is over
///     ActionTask ──▶ Company ◀─── Work       until it has settled
///
/// Apart from the work, so that work without company carries no more than a `nil`, and so that a
/// handle keeps nothing of work that is over but its outcome.
@MainActor final class Company {
  /// Until it is over, as is the book.
  private(set) var work: Work?
  var book: WorkBook?
  private(set) var outcome: Result<Void, any Error>?
  private(set) var isCancelled: Bool
  private(set) var isSettled: Bool

  var followers: [Work] = []
  var leader: Work?
  var awaited: [Work] = []
  private var onOver: [@MainActor () -> Void] = []
  private var onEnd: [@MainActor (Result<Void, any Error>) -> Void] = []
  private(set) var onSettle: [@MainActor () -> Void] = []

  init(
    _ work: Work?, _ outcome: Result<Void, any Error>?, isCancelled: Bool, _ isSettled: Bool
  ) {
    self.work = work
    self.outcome = outcome
    self.isCancelled = isCancelled
    self.isSettled = isSettled
  }

  /// Calls back with the outcome: now, or when there is one.
  func whenEnded(_ body: @escaping @MainActor (Result<Void, any Error>) -> Void) {
    if let outcome { body(outcome) } else { onEnd.append(body) }
  }

  /// Calls back when the work, and all that it began, recursively, has ended.
  func whenSettled(_ body: @escaping @MainActor () -> Void) {
    if isSettled { body() } else { onSettle.append(body) }
  }

  /// Calls back when nothing that the body still does counts: now, or as soon as that is so.
  func whenOver(_ body: @escaping @MainActor () -> Void) {
    if work == nil { body() } else { onOver.append(body) }
  }

  func workIsOver() {
    work = nil
    book = nil
    for body in onOver.takeAll() { body() }
  }

  func workHasEnded(_ outcome: Result<Void, any Error>, isCancelled: Bool) {
    self.outcome = outcome
    self.isCancelled = isCancelled
    for resume in onEnd.takeAll() { resume(outcome) }
  }

  func workHasSettled() {
    isSettled = true
    for resume in onSettle.takeAll() { resume() }
  }
}

extension Array {
  mutating func takeAll() -> Self {
    defer { self = [] }
    return self
  }
}
