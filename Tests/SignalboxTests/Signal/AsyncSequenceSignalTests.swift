import Signalbox
import Testing

/// Tests what a signal delivers of an async sequence.
@Suite(.timeLimit(.minutes(60))) @MainActor struct AsyncSequenceSignalTests {
  @Test("S14 all values of a sequence arrive in order, and its end is the finish")
  func order() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let log = SignalLog<Int>()
    let subscription = Signal(stream).sink(
      receiveCompletion: { log.add(-1) }, receiveValue: { log.add($0) })
    let producer = Task.detached {
      for value in 0..<10_000 { continuation.yield(value) }
      continuation.finish()
    }
    await log.reach(10_001)
    #expect(log.entries == Array(0..<10_000) + [-1])
    await producer.value
    withExtendedLifetime(subscription) {}
  }

  @Test("S14 each subscriber has a separate iteration")
  func ownIteration() async {
    let log = SignalLog<Int>()
    let signal = Signal(CountdownSequence(from: 3))
    let subscriptions = [
      signal.sink(receiveCompletion: { log.add(-1) }, receiveValue: { log.add($0) }),
      signal.sink(receiveCompletion: { log.add(-1) }, receiveValue: { log.add($0) }),
    ]
    await log.reach(8)
    #expect(log.entries.sorted() == [-1, -1, 1, 1, 2, 2, 3, 3])
    withExtendedLifetime(subscriptions) {}
  }

  @Test("S14 a sequence that is always ready yields to other tasks after every 100 values")
  func turns() async {
    let waiting = StoreMoment()
    var received = 0
    let other = Task.atOnce {
      await waiting.arrival
      return received
    }
    let subscription = Signal(CountdownSequence(from: 10_000)).sink { _ in
      received += 1
      if received == 1 { waiting.happen() }
    }
    // Two tasks that are ready need not take turns, so the other may come after a later yield.
    let seen = await other.value
    #expect(seen.isMultiple(of: 100) && (100..<10_000).contains(seen), "\(seen)")
    withExtendedLifetime(subscription) {}
  }

  @Test("S16 `results` delivers values as successes and the error as the last value")
  func results() async {
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: Int.self)
    let log = SignalLog<String>()
    let subscription = Signal<Result<Int, any Error>>.results(of: stream).sink(
      receiveCompletion: { log.add(".") }, receiveValue: { log.add(Self.text($0)) })
    continuation.yield(1)
    continuation.yield(2)
    continuation.finish(throwing: Failure())
    await log.reach(4)
    #expect(log.entries == ["1", "2", "failure", "."])
    withExtendedLifetime(subscription) {}
  }

  @Test("S16 `results` of a sequence that ends without an error delivers no failure")
  func resultsEnd() async {
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: Int.self)
    let log = SignalLog<String>()
    let subscription = Signal<Result<Int, any Error>>.results(of: stream).sink(
      receiveCompletion: { log.add(".") }, receiveValue: { log.add(Self.text($0)) })
    continuation.yield(1)
    continuation.finish()
    await log.reach(2)
    #expect(log.entries == ["1", "."])
    withExtendedLifetime(subscription) {}
  }

  @Test("S13 the end of a sequence releases captured objects")
  func lifetime() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let log = SignalLog<Int>()
    let (trace, subscription) = subscribe(stream, log)
    continuation.yield(1)
    continuation.finish()
    await log.reach(2)
    #expect(!trace.isAlive)
    withExtendedLifetime(subscription) {}
  }

  private func subscribe(_ stream: AsyncStream<Int>, _ log: SignalLog<Int>)
    -> (SignalTrace, Subscription)
  {
    let token = SignalToken()
    let subscription = Signal(stream).map { $0 + token.number }.sink(
      receiveCompletion: { log.add(-1) }, receiveValue: { log.add($0) })
    return (SignalTrace(token: token), subscription)
  }

  private struct Failure: Error {}

  private static func text(_ result: Result<Int, any Error>) -> String {
    switch result {
    case .success(let value): "\(value)"
    case .failure(let error): error is Failure ? "failure" : "\(error)"
    }
  }
}
