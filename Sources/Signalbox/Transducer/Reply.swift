/// What requests are waiting for: one for all that superseded one another.
///
///     request ──▶ Waiter ◀── Answer ──▶ EffectScope       who gives it, until it has
///                    └──────────────────────▲             what to cancel with the caller
///
/// Those who wait for what is superseded wait for what came in its place: the two answers become
/// one, and the one that has become of fewer leads to the other. So there is no chain of all the
/// work that superseded one another, however long somebody has waited.
@MainActor final class Reply<Output: Sendable> {
  private(set) var result: Result<Output, any Error>?
  /// The work that gives it; `nil` when it has been given.
  private(set) var giver: Work?
  private var waiters: [Waiter<Output>] = []
  /// How many there may be before those who have gone are looked for.
  private var limit = 16
  private var successor: Reply?
  private var weight = 1

  init(from giver: Work) { self.giver = giver }

  /// The one that this one has become.
  var current: Reply {
    var reply = self
    while let next = reply.successor { reply = next }
    return reply
  }

  func add(_ waiter: Waiter<Output>) {
    if let result { return waiter.resume(with: result) }
    forgetWhoHasGone()
    waiters.append(waiter)
  }

  func give(_ result: Result<Output, any Error>) {
    guard self.result == nil else { return }
    self.result = result
    giver = nil
    for waiter in waiters.takeAll() { waiter.resume(with: result) }
  }

  var isAwaited: Bool { waiters.contains { !$0.isDone } }

  /// Those who wait on behalf of work wait on behalf of other work, which goes on with it.
  func handOver(from work: Work, to other: Work) {
    for waiter in waiters where waiter.work === work { waiter.work = other }
  }

  /// Whether those who waited for other work wait here.
  var isShared: Bool { weight > 1 }

  /// Becomes one with another answer; who gives that one gives both.
  func merge(into other: Reply) {
    guard self !== other else { return }
    if let result = other.result { return give(result) }
    let giver = other.giver
    let (heavy, light) = weight > other.weight ? (self, other) : (other, self)
    heavy.giver = giver
    heavy.weight += light.weight
    heavy.waiters += light.waiters.takeAll()
    heavy.forgetWhoHasGone()
    light.giver = nil
    light.successor = heavy
  }

  /// Callers may come and be cancelled for ever while one goes on waiting.
  private func forgetWhoHasGone() {
    guard waiters.count >= limit else { return }
    waiters.removeAll { $0.isDone }
    limit = max(16, waiters.count * 2)
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
