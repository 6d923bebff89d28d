/// Hands on the elements of a sequence, one by one, without leaving the main actor between those
/// that are there already.
///
/// - Parameters:
///   - isWanted: is asked before each element. A sequence that is always ready never suspends, which
///     is where a cancel would be noticed.
///   - willWait: is called before each wait for an element, and gives what to call after it.
@MainActor func forEach<S: AsyncSequence>(
  in sequence: S, while isWanted: @MainActor () -> Bool,
  willWait: @MainActor () -> (@MainActor () -> Void)? = { nil },
  _ body: @MainActor (S.Element) -> Void
) async throws(S.Failure) where S.Element: Sendable {
  var iterator = sequence.makeAsyncIterator()
  func next() async throws(S.Failure) -> S.Element? {
    let goesOn = willWait()
    defer { goesOn?() }
    return try await iterator.next(isolation: MainActor.shared)
  }
  var count = 0
  while isWanted() {
    guard let element = try await next() else { return }
    body(element)
    count += 1
    // Whether `next` has suspended cannot be known; a turn for others now and then costs little.
    if count.isMultiple(of: 100) { await Task.yield() }
  }
  guard sequence is any EndsInNext else { return }
  // Also if the subscriber has had enough and cannot cancel yet, because it is still subscribing.
  unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
  _ = try await next()
}

/// A sequence that notices a cancel only in `next`, and only then tells its source, as long as
/// something keeps it.
///
/// Others must not be asked once more: the element would be lost, and `next` may never return.
private protocol EndsInNext {}

extension AsyncStream: EndsInNext {}
extension AsyncThrowingStream: EndsInNext {}
