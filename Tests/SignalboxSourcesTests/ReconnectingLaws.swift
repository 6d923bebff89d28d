import RandomPrograms
import Signalbox
import SignalboxSources
import SignalboxTesting
import Testing

/// Random programs with a scripted server, and an oracle that knows what a connection is.
@Suite(.timeLimit(.minutes(60))) @MainActor struct ReconnectingLaws {
  @Test("E2 E3 a connection behaves as its oracle, whatever the server and the subscribers do")
  func programs() async {
    var connections = 0
    for seed in 0..<12 as Range<UInt64> {
      await followed { _ in
        let program = ReconnectingProgram(seed: seed)
        await program.run(60)
        connections += program.connections
        #expect(program.mistakes.isEmpty, "seed \(seed): \(program.mistakes)")
      }
    }
    #expect(connections > 30, "the programs connect")
  }
}

/// How a reconnecting source behaves.
private struct ReconnectingOracle {
  static let steadyAfter = Duration.seconds(5)

  var random: SeededRandom
  var now = Duration.zero
  var subscribers = 0
  var health = ConnectionHealth.idle
  var attempts = 0
  /// Counts what may be current: a new number makes everything before it late.
  var era = 0
  var upSince = Duration.zero
  var nextAttempt: Duration?
  var calls = 0
  /// The eras of the calls that have not returned, of which there is one at most.
  var pending: [Int] = []
  /// The era of each connection, and whether it is still asked for values.
  var connections: [(era: Int, isAsked: Bool)] = []
  var received: [Int] = []
  var late = 0

  mutating func subscribe() {
    subscribers += 1
    if subscribers == 1 {
      attempts = 0
      attempt()
    }
  }

  mutating func cancel(heeding heedsCancellation: Bool) {
    subscribers -= 1
    guard subscribers == 0 else { return }
    (health, nextAttempt) = (.idle, nil)
    era += 1
    if heedsCancellation { pending = [] }
  }

  private mutating func attempt() {
    attempts += 1
    era += 1
    health = .connecting(attempt: attempts)
    callIfPossible()
  }

  private mutating func callIfPossible() {
    guard case .connecting = health, pending.isEmpty else { return }
    calls += 1
    pending = [era]
  }

  mutating func accept() {
    connections.append((pending.removeFirst(), true))
    if connections.last?.era == era { (health, upSince) = (.up, now) } else { callIfPossible() }
    if connections.last?.era != era { connections[connections.count - 1].isAsked = false }
  }

  mutating func refuse() {
    if pending.removeFirst() == era { lose("refused") } else { callIfPossible() }
  }

  mutating func give(_ value: Int, on number: Int) {
    guard connections[number].isAsked else { return }
    if connections[number].era == era { return received.append(value) }
    late += 1
    connections[number].isAsked = false
  }

  mutating func fail(_ number: Int) {
    if connections[number].isAsked, connections[number].era == era { lose("failed") }
    connections[number].isAsked = false
  }

  private mutating func lose(_ reason: String) {
    if case .up = health, now - upSince >= Self.steadyAfter {
      health = .waiting(attempt: attempts, reason: reason)
      attempts = 0
    } else {
      health = .waiting(attempt: attempts, reason: reason)
    }
    era += 1
    let bound = Duration.seconds(min(1 << max(attempts - 1, 0), 8))
    nextAttempt = now + bound * Double.random(in: 0...1, using: &random)
  }

  mutating func advance(by duration: Duration) {
    now += duration
    guard let due = nextAttempt, due <= now else { return }
    nextAttempt = nil
    attempt()
  }
}

/// A random program.
@MainActor private final class ReconnectingProgram {
  private(set) var mistakes: [String] = []
  private var random: SeededRandom
  private var oracle: ReconnectingOracle
  private let heedsCancellation: Bool
  private let clock = TestClock()
  private let server: ScriptedServer
  private let source: Reconnecting<Int>
  private var received: [Int] = []
  private var health: [ConnectionHealth] = []
  private var subscriptions: [Subscription] = []
  private var watching = Subscription.empty

  var connections: Int { server.connections.count }

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    oracle = ReconnectingOracle(random: SeededRandom(seed: seed))
    heedsCancellation = random.oneIn(2)
    let server = ScriptedServer(heedsCancellation: heedsCancellation)
    self.server = server
    source = Reconnecting(
      backoff: Backoff(from: .seconds(1), to: .seconds(8)),
      steadyAfter: ReconnectingOracle.steadyAfter, clock: clock, seed: seed
    ) { try await server.connect() }
    watching = source.health.includingCurrent().sink { self.health.append($0) }
  }

  func run(_ steps: Int) async {
    for step in 1...steps {
      let name = await act(step)
      await settled()
      if received != oracle.received { mistakes.append("\(step) \(name): \(received)") }
      if health.last != oracle.health { mistakes.append("\(step) \(name): \(health)") }
      if (server.calls, server.pending) != (oracle.calls, oracle.pending.count) {
        mistakes.append("\(step) \(name): \(server.calls) calls, \(server.pending) pending")
      }
      if source.lateValues != oracle.late { mistakes.append("\(step) \(name): late") }
      guard mistakes.isEmpty else { return }
    }
    if zip(health, health.dropFirst()).contains(where: ==) { mistakes.append("told twice") }
    if server.mostPending > 1 { mistakes.append("two attempts at a time") }
  }

  private func act(_ step: Int) async -> String {
    let connection = random.below(max(server.connections.count, 1))
    // Usually the newest connection, because the others are over.
    let number = random.oneIn(3) ? connection : server.connections.count - 1
    switch random.below(16) {
    case 0..<3:
      oracle.subscribe()
      // Only the first subscriber records.
      let isFirst = subscriptions.isEmpty
      subscriptions.append(source.sink { [weak self] in if isFirst { self?.received.append($0) } })
      return "subscribe"
    case 3, 4:
      guard let subscription = subscriptions.popLast() else { return "nothing" }
      oracle.cancel(heeding: heedsCancellation)
      subscription.cancel()
      return "cancel"
    case 5..<8 where server.pending > 0:
      oracle.accept()
      await server.accept()
      return "accept"
    case 8 where server.pending > 0:
      oracle.refuse()
      await server.refuse()
      return "refuse"
    case 9..<12 where server.connections.indices.contains(number):
      oracle.give(step, on: number)
      await server.connections[number].give(step)
      return "give on \(number)"
    case 12 where server.connections.indices.contains(number):
      oracle.fail(number)
      await server.connections[number].fail("failed")
      return "fail \(number)"
    default:
      let duration = Duration.milliseconds(random.below(4_000))
      oracle.advance(by: duration)
      await clock.advance(by: duration)
      return "advance \(duration)"
    }
  }
}
