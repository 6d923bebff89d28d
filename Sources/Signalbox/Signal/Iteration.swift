/// Passes on the elements of a sequence, not leaving the main actor while elements are ready.
///
/// - Parameters:
///   - isWanted: is asked before each element, because a sequence that is always ready never
///     suspends, so it would not notice a cancellation.
///   - executor: returns, before each wait, what runs the sequence outside of the main actor.
@MainActor package func forEach<S: AsyncSequence>(
  in sequence: S, while isWanted: @MainActor () -> Bool,
  on executor: @MainActor () -> (any TaskExecutor)? = { nil },
  willWait: @MainActor () -> (@MainActor () -> Void)? = { nil },
  willBegin: @MainActor () async -> Void = {},
  _ body: @MainActor (S.Element) -> Void
) async throws(S.Failure) where S.Element: Sendable {
  var iterator = sequence.makeAsyncIterator()
  func next() async throws(S.Failure) -> S.Element? {
    let didWait = willWait()
    defer { didWait?() }
    return try await iterator.next(on: executor())
  }
  var count = 0
  while isWanted() {
    guard let element = try await next() else { return }
    if count == 0 { await willBegin() }
    body(element)
    count += 1
    // Nothing tells whether `next` has suspended, and a yield after 100 elements costs little. With
    // an executor it has, and a yield would take a thread of the pool that no test store counts.
    if count.isMultiple(of: 100), executor() == nil { await Task.yield() }
  }
  guard sequence is any EndsInNext else { return }
  // A subscriber that wants no more may still be subscribing, and cannot have cancelled the task.
  unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
  _ = try await next()
}

extension AsyncIteratorProtocol where Element: Sendable {
  /// Waits for the next element; only the wait has the executor, because a body with one would wait
  /// for other tasks at each call of a function on the main actor.
  @MainActor fileprivate mutating func next(
    on executor: (any TaskExecutor)?
  ) async throws(Failure) -> Element? {
    guard let executor else { return try await next(isolation: MainActor.shared) }
    return try await withTaskExecutorPreference(executor) { () async throws(Failure) -> Element? in
      try await next(isolation: MainActor.shared)
    }
  }
}

/// A sequence that, while it is kept, notices a cancel and notifies its source only in `next`.
///
/// Any other sequence would lose the element that it is asked for, or might never return.
private protocol EndsInNext {}

extension AsyncStream: EndsInNext {}
extension AsyncThrowingStream: EndsInNext {}
