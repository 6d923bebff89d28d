import RandomPrograms
import Signalbox
import SignalboxTesting
import Testing

/// Random programs with a shared signal, and an oracle that knows only arrays and a deadline.
@Suite(.timeLimit(.minutes(60))) @MainActor struct ShareLaws {
  @Test("E1 share subscribes, ends, replays and finishes as its oracle does")
  func programs() async {
    for seed in LawPrograms.seeds(200) {
      let program = ShareProgram(seed: seed)
      await program.run(60)
      #expect(program.mistakes.isEmpty, "seed \(seed): \(program.mistakes)")
      await program.end()
    }
  }
}

/// What a subscriber of a shared signal receives.
private struct Received: Equatable {
  var values: [Int] = []
  var isFinished = false
}

/// How a shared signal behaves.
private struct ShareOracle {
  let replay: Int
  let lingering: Duration
  var now = Duration.zero
  var deadline: Duration?
  var isConnected = false
  var past: [Int] = []
  var active: Set<Int> = []
  var received: [Received] = []
  var begins = 0
  var ends = 0

  mutating func subscribe() {
    if !isConnected { begins += 1 }
    isConnected = true
    deadline = nil
    active.insert(received.count)
    received.append(Received(values: past.suffix(replay)))
  }

  mutating func send(_ value: Int) {
    guard isConnected else { return }
    past.append(value)
    for number in active { received[number].values.append(value) }
  }

  mutating func cancel(_ number: Int) {
    guard active.remove(number) != nil, active.isEmpty else { return }
    deadline = now + lingering
    advance(by: .zero)
  }

  mutating func advance(by duration: Duration) {
    now += duration
    if let deadline, deadline <= now { end() }
  }

  mutating func finish() {
    guard isConnected else { return }
    for number in active { received[number].isFinished = true }
    end()
  }

  private mutating func end() {
    ends += 1
    (isConnected, deadline, past, active) = (false, nil, [], [])
  }
}

/// A random program.
@MainActor private final class ShareProgram {
  private(set) var mistakes: [String] = []
  private var random: SeededRandom
  private var oracle: ShareOracle
  private let clock = TestClock()
  private let shared: Signal<Int>
  private let source = ShareSource()
  private var subscriptions: [Subscription] = []
  private var received: [Received] = []

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    oracle = ShareOracle(
      replay: random.below(4), lingering: .seconds(random.pick([0, 0, 1, 3])))
    shared = source.signal.share(
      replay: oracle.replay, lingering: oracle.lingering, clock: clock)
  }

  func run(_ steps: Int) async {
    for step in 1...steps {
      let name = await act(step)
      guard mistakes.isEmpty else { return }
      if received != oracle.received { mistakes.append("\(step) \(name): \(received)") }
      if (source.begins, source.ends) != (oracle.begins, oracle.ends) {
        mistakes.append("\(step) \(name): began \(source.begins), ended \(source.ends)")
      }
    }
  }

  /// Ends what is left, because a signal that lingers on a clock that stands still lasts for ever.
  func end() async {
    for subscription in subscriptions { subscription.cancel() }
    await clock.advance(by: oracle.lingering)
    #expect(source.begins == source.ends)
  }

  private func act(_ step: Int) async -> String {
    switch random.below(12) {
    case 0..<3:
      oracle.subscribe()
      let number = received.count
      received.append(Received())
      subscriptions.append(
        shared.sink(
          receiveCompletion: { self.received[number].isFinished = true },
          receiveValue: { self.received[number].values.append($0) }))
      return "subscribe"
    case 3..<6:
      guard !subscriptions.isEmpty else { return "nothing" }
      let number = random.below(subscriptions.count)
      oracle.cancel(number)
      subscriptions[number].cancel()
      return "cancel \(number)"
    case 6..<9:
      oracle.send(step)
      source.subscriber?.receive(step)
      return "send"
    case 9, 10:
      let duration = Duration.seconds(random.below(4))
      oracle.advance(by: duration)
      await clock.advance(by: duration)
      return "advance \(duration)"
    default:
      oracle.finish()
      source.subscriber?.finish()
      return "finish"
    }
  }
}

/// A source that counts the subscriptions to it.
@MainActor private final class ShareSource {
  private(set) var subscriber: Subscriber<Int>?
  private(set) var begins = 0
  private(set) var ends = 0

  var signal: Signal<Int> {
    Signal { subscriber in
      self.begins += 1
      self.subscriber = subscriber
      return Subscription {
        self.ends += 1
        self.subscriber = nil
      }
    }
  }
}
