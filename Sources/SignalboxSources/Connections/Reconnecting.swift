public import Signalbox

/// A connection that all subscribers share, and that is opened again whenever it is lost.
///
///     let quotes = Reconnecting(steadyAfter: .seconds(10)) {
///       try await exchange.openSocket()        // any async sequence
///     }
///     quotes.sink { store.quote = $0 }
///     quotes.health.includingCurrent().assign(to: \.connection, using: store)
///
/// It connects with its first subscriber and disconnects with its last one, and may then begin again
/// (E2). There is one attempt at a time, and a random wait before each further one, as `Backoff`
/// says. A sequence that ends by itself is opened again like one that throws. Values that an earlier
/// connection still delivers are dropped and counted (E3).
@MainActor public final class Reconnecting<Value: Sendable>: SignalConvertible {
  /// The values of the connection, from one connection to the next.
  ///
  /// The signal never finishes, and it does not need this object.
  public let signal: Signal<Value>

  private let connector: Connector<Value>

  /// Whether there is a connection, as a state signal that never finishes.
  ///
  /// It begins with the current state if you add `includingCurrent()`. A change is told before the
  /// values that follow from it (E3). Subscribing to it does not connect.
  public var health: Signal<ConnectionHealth> { connector.health.signal }

  /// The number of values that earlier connections have delivered too late.
  public var lateValues: Int { connector.lateValues }

  /// Describes a connection, without opening it.
  ///
  /// - Parameters:
  ///   - backoff: how long to wait before each further attempt.
  ///   - steadyAfter: for how long a connection must be up so that the count of attempts, and with
  ///     it the bound of the waits, starts again.
  ///   - attemptTimeout: how long `connect` may take. After that, it is cancelled and counts as
  ///     failed, even if it ignores the cancellation. With `nil`, it may take as long as it likes.
  ///     Zero or a negative duration traps with a message.
  ///   - clock: the clock that measures all of these durations.
  ///   - seed: makes the waits the same in each run, for tests.
  ///   - connect: opens a connection. The connection is up when it returns. It is called on the main
  ///     actor, so it must not block, and its task is cancelled with the last subscriber. A call that
  ///     ignores its cancellation delays the next attempt until it returns or `attemptTimeout` has
  ///     passed. The closure is kept as long as this object or its signal.
  public init<S: AsyncSequence & Sendable>(
    backoff: Backoff = .standard, steadyAfter: Duration = .seconds(5),
    attemptTimeout: Duration? = nil, clock: any Clock<Duration> = ContinuousClock(),
    seed: UInt64? = nil,
    _ connect: nonisolated(nonsending) @escaping @Sendable () async throws -> S
  ) where S.Element == Value {
    if let attemptTimeout, attemptTimeout <= .zero {
      fatalError(
        "Reconnecting(attemptTimeout: \(attemptTimeout)): no attempt could succeed. "
          + "Pass a positive duration, or nil for no limit.")
    }
    let connector = Connector<Value>(
      backoff: backoff, steadyAfter: steadyAfter, attemptTimeout: attemptTimeout, clock: clock,
      seed: seed
    ) { connector, attempt in
      let sequence: S
      do {
        sequence = try await connect()
        connector.hasReturned(attempt)
      } catch {
        connector.hasReturned(attempt)
        throw error
      }
      connector.isUp(attempt)
      try await forEach(
        in: sequence, while: { connector.isCurrent(attempt) }, on: { connector.executor },
        willWait: { connector.willListen() }, { connector.receive($0, from: attempt) })
    }
    self.connector = connector
    signal = Signal(iterating: { connector.begin($0, on: $1) }).share()
  }
}
