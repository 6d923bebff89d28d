/// The answer to one or more requests, which arrives later.
///
///     request ──▶ Waiter ◀── Reply ──▶ EffectScope       gives the reply
///                    └─────────────────────▲             is cancelled with the caller
///
/// When work is superseded, its callers wait for its replacement, and the two replies are merged.
/// The one of fewer replies refers to the other, so that a long wait keeps no chain of all of them.
@MainActor final class Reply<Output: Sendable> {
  private(set) var result: Result<Output, any Error>?
  /// The work that gives the reply; `nil` once it has been given.
  private(set) var giver: Work?
  private var waiters: [Waiter<Output>] = []
  /// The number of waiters at which finished ones are removed.
  private var limit = 16
  private var successor: Reply?
  private var weight = 1

  init(from giver: Work) { self.giver = giver }

  /// The reply that this one has been merged into, or itself.
  var current: Reply {
    var reply = self
    while let next = reply.successor { reply = next }
    return reply
  }

  func add(_ waiter: Waiter<Output>) {
    if let result { return waiter.reply.fulfil(result) }
    removeFinishedWaiters()
    waiters.append(waiter)
  }

  func give(_ result: Result<Output, any Error>) {
    guard self.result == nil else { return }
    self.result = result
    giver = nil
    for waiter in waiters.takeAll() { waiter.reply.fulfil(result) }
  }

  var isAwaited: Bool { waiters.contains { !$0.isDone } }

  /// Makes the waiters that would cancel a piece of work cancel the work that continues it.
  func handOver(from work: Work, to other: Work) {
    for waiter in waiters where waiter.work === work { waiter.work = other }
  }

  /// Whether the waiters of other work wait for this reply as well.
  var isShared: Bool { weight > 1 }

  /// Merges this reply with another one, whose giver then gives both.
  func merge(into other: Reply) {
    guard self !== other else { return }
    if let result = other.result { return give(result) }
    let giver = other.giver
    let (heavy, light) = weight > other.weight ? (self, other) : (other, self)
    heavy.giver = giver
    heavy.weight += light.weight
    heavy.waiters += light.waiters.takeAll()
    heavy.removeFinishedWaiters()
    light.giver = nil
    light.successor = heavy
  }

  /// Keeps the list short, because any number of callers may be cancelled while one still waits.
  private func removeFinishedWaiters() {
    guard waiters.count >= limit else { return }
    waiters.removeAll { $0.isDone }
    limit = max(16, waiters.count * 2)
  }
}

/// A caller that waits for a reply.
@MainActor final class Waiter<Output: Sendable> {
  /// The work that is cancelled with the waiting task.
  var work: Work
  let reply = Promise<Result<Output, any Error>>()

  init(for work: Work) { self.work = work }

  var isDone: Bool { reply.isFulfilled }

  /// Waits for the reply; cancelling the waiting task cancels the work, caused by `event`.
  func reply(in book: WorkBook, cancelledBy event: Int?) async throws -> Output {
    let result = await reply.value {
      self.reply.fulfil(.failure(CancellationError()))
      book.callerWasCancelled(self.work, by: event)
    }
    return try result.get()
  }
}
