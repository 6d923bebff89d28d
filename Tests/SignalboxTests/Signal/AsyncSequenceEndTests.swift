import Signalbox
import Testing

/// Tests how a signal ends the iteration of an async sequence.
@Suite(.timeLimit(.minutes(60))) @MainActor struct AsyncSequenceEndTests {
  @Test("S14 cancelling the subscription cancels the iteration")
  func cancelled() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let moment = StoreMoment()
    continuation.onTermination = { _ in Task { @MainActor in moment.happen() } }
    let subscription = Signal(stream).sink { _ in Issue.record("told after its cancel") }
    subscription.cancel()
    continuation.yield(1)
    await moment.arrival
  }

  @Test("S14 a cancel inside a delivery reaches the source of a kept stream")
  func cancelledInside() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let (failing, other) = AsyncThrowingStream.makeStream(of: Int.self)
    let (ends, otherEnds) = (SharedCount(), SharedCount())
    continuation.onTermination = { _ in ends.increase() }
    other.onTermination = { _ in otherEnds.increase() }
    var subscriptions: [Subscription] = []
    let iterations = StartedTasks.ends {
      subscriptions = [
        Signal(stream).prefix(1).sink { _ in },
        Signal.results(of: failing).prefix(1).sink { _ in },
      ]
    }
    for _ in 0..<3 {
      continuation.yield(1)
      other.yield(1)
    }
    await iterations.arrival()
    #expect(ends.value == 1 && otherEnds.value == 1)
    withExtendedLifetime((stream, failing, subscriptions)) {}
  }

  @Test("S11 a sequence that is always ready is not read after the signal has finished")
  func readyForEver() async {
    let pulled = SharedCount()
    let done = StoreMoment()
    var told: [Int] = []
    let subscription = Signal(CountdownSequence(from: 100_000, pulled)).prefix(3).sink(
      receiveCompletion: { done.happen() }, receiveValue: { told.append($0) })
    await done.arrival
    #expect(told == [100_000, 99_999, 99_998])
    #expect(pulled.value == 3)
    withExtendedLifetime(subscription) {}
  }

  @Test("S4 a sequence that is always ready is not read after a cancel")
  func readyAfterCancel() async {
    let pulled = SharedCount()
    let start = StoreMoment()
    let done = StoreMoment()
    var own: Subscription?
    own = Signal(CountdownSequence(from: 100_000, pulled, after: start)).sink { value in
      if value == 99_998 {
        own?.cancel()
        done.happen()
      }
    }
    start.happen()
    await done.arrival
    #expect(pulled.value == 3)
  }

  @Test("S14 a finished signal requests no more elements, so another subscriber gets the next")
  func shared() async {
    let pulled = SharedCount()
    let (start, done, other) = (StoreMoment(), StoreMoment(), StoreMoment())
    let subscriptions = [
      Signal(CountdownSequence(from: 10, pulled, after: start)).prefix(2).sink(
        receiveCompletion: { done.happen() }, receiveValue: { _ in }),
      Signal<Result<Int, any Error>>.results(of: CountdownSequence(from: 10, pulled)).prefix(2)
        .sink(
          receiveCompletion: { other.happen() }, receiveValue: { _ in }),
    ]
    await other.arrival
    #expect(pulled.value == 2)
    start.happen()
    await done.arrival
    #expect(pulled.value == 4)
    withExtendedLifetime(subscriptions) {}
  }

  @Test("S11 S14 a sequence that gives no further element is released when the signal has finished")
  func neverAgain() async {
    let done = StoreMoment()
    var trace = SignalTrace()
    var subscription: Subscription?
    do {
      let token = SignalToken()
      trace.token = token
      subscription = Signal(OnceAndNever(token: token)).prefix(1).sink(
        receiveCompletion: { done.happen() }, receiveValue: { _ in })
    }
    await done.arrival
    await trace.release()
    #expect(!trace.isAlive)
    withExtendedLifetime(subscription) {}
  }

  @Test("S14 the source of a kept stream is cancelled at once when its subscriber has finished")
  func enoughAtOnce() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let ends = SharedCount()
    continuation.onTermination = { _ in ends.increase() }
    continuation.yield(1)
    var subscription = Subscription.empty
    let iteration = StartedTasks.ends { subscription = Signal(stream).prefix(1).sink { _ in } }
    await iteration.arrival()
    #expect(ends.value == 1)
    withExtendedLifetime((stream, subscription)) {}
  }

  @Test("S16 a cancelled `results` reports no error of the cancelled iteration")
  func resultsCancelled() async {
    let moment = StoreMoment()
    let sequence = Sleeper { Task { @MainActor in moment.happen() } }
    let subscription = Signal<Result<Int, any Error>>.results(of: sequence).sink(
      receiveCompletion: { Issue.record("finished after its cancel") },
      receiveValue: { _ in Issue.record("told after its cancel") })
    subscription.cancel()
    await moment.arrival
  }
}

/// A sequence without values that throws when its task is cancelled.
private struct Sleeper: AsyncSequence, Sendable {
  let onEnd: @Sendable () -> Void

  struct Iterator: AsyncIteratorProtocol {
    let onEnd: @Sendable () -> Void

    mutating func next() async throws -> Int? {
      defer { onEnd() }
      try await SignalClock().sleep(for: .seconds(1))
      return nil
    }
  }

  func makeAsyncIterator() -> Iterator { Iterator(onEnd: onEnd) }
}

/// A sequence that gives one element and then waits without end, even if it is cancelled.
private struct OnceAndNever: AsyncSequence, Sendable {
  let token: SignalToken

  struct Iterator: AsyncIteratorProtocol {
    let token: SignalToken
    var isFirst = true

    mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
      if isFirst {
        isFirst = false
        return 1
      }
      unsafe await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      return nil
    }

    mutating func next() async -> Int? { await next(isolation: nil) }
  }

  func makeAsyncIterator() -> Iterator { Iterator(token: token) }
}
