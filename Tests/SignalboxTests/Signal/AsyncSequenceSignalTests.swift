import Signalbox
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10))) @MainActor struct AsyncSequenceSignalTests {
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

  @Test("S14 cancelling the subscription cancels the iteration")
  func cancelled() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let gate = SignalGate()
    continuation.onTermination = { _ in Task { @MainActor in gate.open() } }
    let subscription = Signal(stream).sink { _ in Issue.record("told after its cancel") }
    subscription.cancel()
    continuation.yield(1)
    await gate.opened
  }

  @Test("S14 a cancel inside a delivery reaches the source of a kept stream")
  func cancelledInside() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let (failing, other) = AsyncThrowingStream.makeStream(of: Int.self)
    let (gate, otherGate) = (SignalGate(), SignalGate())
    continuation.onTermination = { _ in Task { @MainActor in gate.open() } }
    other.onTermination = { _ in Task { @MainActor in otherGate.open() } }
    let subscriptions = [
      Signal(stream).prefix(1).sink { _ in },
      Signal.results(of: failing).prefix(1).sink { _ in },
    ]
    for _ in 0..<3 {
      continuation.yield(1)
      other.yield(1)
    }
    await gate.opened
    await otherGate.opened
    withExtendedLifetime((stream, failing, subscriptions)) {}
  }

  @Test("S14 each subscriber has a separate iteration")
  func ownIteration() async {
    let log = SignalLog<Int>()
    let signal = Signal(Countdown(from: 3))
    let subscriptions = [
      signal.sink(receiveCompletion: { log.add(-1) }, receiveValue: { log.add($0) }),
      signal.sink(receiveCompletion: { log.add(-1) }, receiveValue: { log.add($0) }),
    ]
    await log.reach(8)
    #expect(log.entries.sorted() == [-1, -1, 1, 1, 2, 2, 3, 3])
    withExtendedLifetime(subscriptions) {}
  }

  @Test("S11 a sequence that is always ready is not read after the signal has finished")
  func readyForEver() {
    let pulled = Pulled()
    var told: [Int] = []
    let subscription = Signal(Countdown(from: 100_000, pulled)).prefix(3).sink { told.append($0) }
    #expect(told == [100_000, 99_999, 99_998])
    #expect(pulled.count == 3)
    withExtendedLifetime(subscription) {}
  }

  @Test("S4 a sequence that is always ready is not read after a cancel")
  func readyAfterCancel() async {
    let pulled = Pulled()
    let start = SignalGate()
    let done = SignalGate()
    var own: Subscription?
    own = Signal(Countdown(from: 100_000, pulled, after: start)).sink { value in
      if value == 99_998 {
        own?.cancel()
        done.open()
      }
    }
    start.open()
    await done.opened
    #expect(pulled.count == 3)
  }

  @Test("S14 a finished signal requests no more elements, so another subscriber gets the next")
  func shared() async {
    let pulled = Pulled()
    let (start, done) = (SignalGate(), SignalGate())
    let subscriptions = [
      Signal(Countdown(from: 10, pulled, after: start)).prefix(2).sink(
        receiveCompletion: { done.open() }, receiveValue: { _ in }),
      Signal<Result<Int, any Error>>.results(of: Countdown(from: 10, pulled)).prefix(2).sink { _ in
      },
    ]
    #expect(pulled.count == 2)
    start.open()
    await done.opened
    #expect(pulled.count == 4)
    withExtendedLifetime(subscriptions) {}
  }

  @Test("S11 S14 a sequence that gives no further element is released when the signal has finished")
  func neverAgain() async {
    let canary = CanaryBox()
    let subscription = Signal(OnceAndNever(canary.take())).prefix(1).sink { _ in }
    await canary.end()
    withExtendedLifetime(subscription) {}
  }

  @Test("S14 the source of a kept stream is cancelled at once when its subscriber has finished")
  func enoughAtOnce() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let gate = SignalGate()
    continuation.onTermination = { _ in Task { @MainActor in gate.open() } }
    continuation.yield(1)
    let subscription = Signal(stream).prefix(1).sink { _ in }
    await gate.opened
    withExtendedLifetime((stream, subscription)) {}
  }

  @Test("S14 a sequence that is always ready yields to other tasks after every 100 values")
  func turns() async {
    let log = SignalLog<Int>()
    let waiting = SignalGate()
    var received = 0
    let other = Task.immediate {
      await waiting.opened
      log.add(received)
      received = 1_000
    }
    let subscription = Signal(Countdown(from: 300)).sink { _ in
      received += 1
      if received == 1 { waiting.open() }
    }
    await other.value
    #expect(log.entries == [100])
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

  @Test("S16 a cancelled `results` reports no error of the cancelled iteration")
  func resultsCancelled() async {
    let gate = SignalGate()
    let sequence = Sleeper { Task { @MainActor in gate.open() } }
    let subscription = Signal<Result<Int, any Error>>.results(of: sequence).sink(
      receiveCompletion: { Issue.record("finished after its cancel") },
      receiveValue: { _ in Issue.record("told after its cancel") })
    subscription.cancel()
    await gate.opened
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

private final class Pulled: Sendable {
  private let total = Atomic(0)
  var count: Int { total.load(ordering: .relaxed) }
  func add() { total.add(1, ordering: .relaxed) }
}

/// A sequence that suspends at most once, before its first value, and ignores cancellation.
private struct Countdown: AsyncSequence, Sendable {
  let start: Int
  let pulled: Pulled?
  let gate: SignalGate?

  init(from start: Int, _ pulled: Pulled? = nil, after gate: SignalGate? = nil) {
    self.start = start
    self.pulled = pulled
    self.gate = gate
  }

  struct Iterator: AsyncIteratorProtocol {
    var next: Int
    let pulled: Pulled?
    var gate: SignalGate?

    mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
      if let gate {
        self.gate = nil
        await gate.opened
      }
      guard next > 0 else { return nil }
      pulled?.add()
      next -= 1
      return next + 1
    }

    mutating func next() async -> Int? { await next(isolation: nil) }
  }

  func makeAsyncIterator() -> Iterator { Iterator(next: start, pulled: pulled, gate: gate) }
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
  let canary: StoreCanary

  init(_ canary: StoreCanary) { self.canary = canary }

  struct Iterator: AsyncIteratorProtocol {
    let canary: StoreCanary
    var isFirst = true

    mutating func next() async -> Int? {
      if isFirst {
        isFirst = false
        return 1
      }
      unsafe await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      return nil
    }
  }

  func makeAsyncIterator() -> Iterator { Iterator(canary: canary) }
}

/// Holds a canary until it is taken.
@MainActor private final class CanaryBox {
  private var canary: StoreCanary? = StoreCanary()
  private var ends = StoreEnds()

  func take() -> StoreCanary {
    guard let canary = canary.take() else { preconditionFailure("taken twice") }
    ends.watch(canary)
    return canary
  }

  func end() async { await ends.arrival() }
}
