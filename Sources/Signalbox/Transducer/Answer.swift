/// What a request is waiting for.
///
///     request ──▶ Waiter ◀── Answer ◀── EffectScope       until the work has ended
///                    └──────────────────────▲             what to cancel with its caller
///
/// Who waits for what is superseded goes over to the answer of what came in its place.
@MainActor final class Answer<Output: Sendable> {
  private(set) var result: Result<Output, any Error>?
  private var waiters: [Waiter<Output>] = []

  func add(_ waiter: Waiter<Output>) {
    if let result { waiter.resume(with: result) } else { waiters.append(waiter) }
  }

  func give(_ result: Result<Output, any Error>) {
    guard self.result == nil else { return }
    self.result = result
    for waiter in waiters.takeAll() { waiter.resume(with: result) }
  }

  var isAwaited: Bool { waiters.contains { !$0.isDone } }

  /// Everybody who waits for another one waits for this one from here on.
  func takeOver(_ other: Answer, by work: Work? = nil) {
    var moved = other.waiters.takeAll()
    if let work { for waiter in moved { waiter.work = work } }
    // A chain of those that supersede one another may be long: what has gathered is not copied.
    swap(&moved, &waiters)
    waiters += moved
    if let result { for waiter in waiters.takeAll() { waiter.resume(with: result) } }
  }
}

/// One who waits for the answer to a request.
@MainActor final class Waiter<Output: Sendable> {
  /// What is cancelled with the task that waits.
  var work: Work
  private var continuation: CheckedContinuation<Output, any Error>?
  private var result: Result<Output, any Error>?
  private let goesOn: (@MainActor () -> Void)?

  /// - Parameter goesOn: is called at the end of the wait, before anybody has gone on.
  init(for work: Work, goesOn: (@MainActor () -> Void)?) {
    self.work = work
    self.goesOn = goesOn
  }

  var isDone: Bool { result != nil }

  func wait(by continuation: CheckedContinuation<Output, any Error>) {
    if let result { continuation.resume(with: result) } else { self.continuation = continuation }
  }

  func resume(with result: Result<Output, any Error>) {
    guard self.result == nil else { return }
    self.result = result
    goesOn?()
    continuation.take()?.resume(with: result)
  }
}
