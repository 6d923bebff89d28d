import Signalbox
import SignalboxSources
import SignalboxTesting
import Synchronization

/// A server whose answers, values and failures a test decides.
@MainActor final class ScriptedServer {
  struct Refusal: Error, CustomStringConvertible { let description: String }

  /// The number of calls so far.
  private(set) var calls = 0
  /// The largest number of calls that were pending at the same time.
  private(set) var mostPending = 0
  private(set) var connections: [ScriptedConnection] = []
  private let endpoint: TestEndpoint<Int, ScriptedConnection>

  var pending: Int { endpoint.pending.count }

  init(heedsCancellation: Bool = true) {
    endpoint = TestEndpoint("connect", heedsCancellation: heedsCancellation)
  }

  func connect() async throws -> ScriptedConnection {
    calls += 1
    mostPending = max(mostPending, pending + 1)
    return try await endpoint(calls)
  }

  /// Answers the oldest pending call with a new connection.
  func accept() async {
    connections.append(ScriptedConnection())
    await endpoint.reply(with: connections[connections.count - 1])
  }

  /// Answers the oldest pending call with an error.
  func refuse(_ reason: String = "refused") async {
    await refuse(with: Refusal(description: reason))
  }

  func refuse(with error: any Error) async { await endpoint.fail(with: error) }
}

/// A connection that ignores its cancellation, so it may deliver late.
final class ScriptedConnection: AsyncSequence, Sendable {
  private struct State {
    var events: [Result<Int?, any Error>] = []
    var waiting: CheckedContinuation<Int?, any Error>?
    var asked = 0
  }

  private let state = Mutex(State())

  /// How many values were asked for.
  var asked: Int { state.withLock { $0.asked } }

  // On the main actor, because what resumes work elsewhere is outside of an exploration (I8).
  @MainActor func give(_ value: Int) async { await happen(.success(value)) }
  @MainActor func end() async { await happen(.success(nil)) }
  @MainActor func fail(_ reason: String) async {
    await happen(.failure(ScriptedServer.Refusal(description: reason)))
  }

  @MainActor private func happen(_ event: Result<Int?, any Error>) async {
    let waiting = state.withLock { state in
      if state.waiting == nil { state.events.append(event) }
      return state.waiting.take()
    }
    waiting?.resume(with: event)
    await settled()
  }

  fileprivate func next(isolation: isolated (any Actor)?) async throws -> Int? {
    try await withCheckedThrowingContinuation { continuation in
      let event: Result<Int?, any Error>? = state.withLock { state in
        state.asked += 1
        if state.events.isEmpty { state.waiting = continuation }
        return state.events.isEmpty ? nil : state.events.removeFirst()
      }
      if let event { continuation.resume(with: event) }
    }
  }

  struct Iterator: AsyncIteratorProtocol {
    let connection: ScriptedConnection
    mutating func next() async throws -> Int? { try await connection.next(isolation: nil) }
    mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> Int? {
      try await connection.next(isolation: actor)
    }
  }

  func makeAsyncIterator() -> Iterator { Iterator(connection: self) }
}

/// Returns when the sources of a followed test do nothing more.
@MainActor func settled() async { await TestClock().advance(by: .zero) }

/// A connection to a scripted server, and what it tells.
@MainActor final class ConnectionRig {
  let clock = TestClock()
  let server: ScriptedServer
  let source: Reconnecting<Int>
  /// The health and the values, as texts, in the order in which they were told.
  private(set) var told: [String] = []
  private var watching = Subscription.empty

  init(heedsCancellation: Bool = true, attemptTimeout: Duration? = nil) {
    let server = ScriptedServer(heedsCancellation: heedsCancellation)
    self.server = server
    source = Reconnecting(
      backoff: Backoff(from: .seconds(1), to: .seconds(8)), attemptTimeout: attemptTimeout,
      clock: clock, seed: 1
    ) { try await server.connect() }
    watching = source.health.sink { [weak self] in self?.told.append("\($0)") }
  }

  /// Subscribes, and records the values with a name before them.
  func subscribe(_ name: String = "") -> Subscription {
    source.sink { [weak self] in self?.told.append("\(name)\($0)") }
  }

  /// Whether a health is the last that was told.
  func ends(with health: ConnectionHealth) -> Bool { told.last == "\(health)" }
}

/// Runs a test in which the kit follows the tasks of sources, twice.
///
/// The waits of the kit then end when those tasks rest, and not before.
@MainActor func followed(
  heedsCancellation: Bool = true, attemptTimeout: Duration? = nil,
  _ body: @escaping @MainActor (ConnectionRig) async -> Void
) async {
  await explore(limit: 1) { world in
    await body(
      ConnectionRig(heedsCancellation: heedsCancellation, attemptTimeout: attemptTimeout))
    await world.run()
  }
}
