/// Passes on the elements of a sequence one by one, on the main actor.
///
/// It does not leave the main actor between elements that are ready.
///
/// - Parameters:
///   - isWanted: is called before each element and tells whether to continue. A sequence that is
///     always ready never suspends, so it would not notice a cancellation.
///   - executor: is called before each wait. It returns what runs the sequence outside of the main
///     actor.
///   - willWait: is called before each wait for an element. It returns a closure that is called
///     after the wait.
///   - willBegin: is called before the first element is passed on.
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
    // Nothing tells whether `next` has suspended, and a yield after 100 elements costs little.
    if count.isMultiple(of: 100) { await Task.yield() }
  }
  guard sequence is any EndsInNext else { return }
  // The task might not be cancelled yet. A subscriber that wants no more values cannot cancel while
  // it is still subscribing.
  unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
  _ = try await next()
}

extension AsyncIteratorProtocol where Element: Sendable {
  /// Waits for the next element on the main actor.
  ///
  /// The executor is that of the wait alone. A body with one would wait for other tasks on the main
  /// actor whenever it calls a function there.
  @MainActor fileprivate mutating func next(
    on executor: (any TaskExecutor)?
  ) async throws(Failure) -> Element? {
    guard let executor else { return try await next(isolation: MainActor.shared) }
    return try await withTaskExecutorPreference(executor) { () async throws(Failure) -> Element? in
      try await next(isolation: MainActor.shared)
    }
  }
}

/// A sequence that notices a cancellation, and notifies its source, only in `next`.
///
/// This holds as long as something keeps the sequence alive. No other sequence may be asked for one
/// more element. The element would be lost, and `next` might never return.
private protocol EndsInNext {}

extension AsyncStream: EndsInNext {}
extension AsyncThrowingStream: EndsInNext {}
