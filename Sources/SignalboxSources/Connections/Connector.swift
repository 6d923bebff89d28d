import Signalbox

/// Opens a connection, and opens it again when it is lost, for one subscriber.
///
///     idle ── begin ──▶ connecting ── connect returns ──▶ up
///      ▲                    ▲  └──── throws, timeout ──┐   │ ends, throws
///      └── end, from        └──── the wait is over ── waiting
///          everywhere
@MainActor final class Connector<Value: Sendable> {
  /// Runs one attempt and the connection that it opens, until that ends.
  typealias Run = @MainActor (Connector, Attempt) async throws -> Void

  private enum Phase {
    case idle
    /// The attempt may wait for an earlier one whose `connect` has not returned.
    case connecting(Attempt)
    case up(Attempt, elapsed: () -> Duration)
    /// The value tells one wait from another.
    case waiting(Int)
  }

  let health = CurrentValue(ConnectionHealth.idle)
  private(set) var lateValues = 0

  private let backoff: Backoff
  private let steadyAfter: Duration
  private let attemptTimeout: Duration?
  private let clock: any Clock<Duration>
  private let run: Run
  private let timer: OneShotTimer
  private var jitter: Jitter

  private var phase = Phase.idle
  private var subscriber: Subscriber<Value>?
  private var executorOfHook: (@MainActor () -> (any TaskExecutor)?)?
  /// What follows the attempts for a test; `nil` outside of explorations.
  private var follower: (any SourceFollower)?
  /// The attempt whose call of `connect` has not returned, even if it was given up.
  private var calling: Attempt?
  /// Since the first subscriber or the last connection that was steady.
  private var attempts = 0
  private var waits = 0
  private var isSettingTimer = false

  init(
    backoff: Backoff, steadyAfter: Duration, attemptTimeout: Duration?,
    clock: any Clock<Duration>, seed: UInt64?, run: @escaping Run
  ) {
    self.backoff = backoff
    self.steadyAfter = steadyAfter
    self.attemptTimeout = attemptTimeout
    self.clock = clock
    self.run = run
    timer = .on(clock)
    jitter = Jitter(seed: seed)
  }

  // MARK: - The subscriber

  func begin(
    _ subscriber: Subscriber<Value>, on executor: @escaping @MainActor () -> (any TaskExecutor)?
  ) -> Subscription {
    self.subscriber = subscriber
    executorOfHook = executor
    follower = SourceTasks.follower
    attempts = 0
    tryNext()
    return Subscription { self.end() }
  }

  private func end() {
    let held = (subscriber.take(), phase, executorOfHook.take())
    phase = .idle
    timer.cancel()
    switch held.1 {
    case .connecting(let attempt), .up(let attempt, _): attempt.cancel()
    case .idle, .waiting: break
    }
    // Code that runs in the cancel may have begun again.
    if case .idle = phase { health.set(.idle) }
  }

  // MARK: - The attempts

  private func tryNext() {
    attempts += 1
    let attempt = Attempt(number: attempts, timer: .on(clock))
    phase = .connecting(attempt)
    health.set(.connecting(attempt: attempts))
    // A subscriber of the health may have ended this one. While a subscriber is being attached, it
    // has no subscription to cancel yet.
    guard isCurrent(attempt), subscriber?.isOpen() == true else { return }
    if calling == nil { start(attempt) }
  }

  private func start(_ attempt: Attempt) {
    calling = attempt
    if let attemptTimeout {
      attempt.timer.set(after: attemptTimeout) { self.timeIsUp(for: attempt) }
      // A `sleep` that returns at once has ended the attempt.
      guard isCurrent(attempt) else { return isNoLongerCalling(attempt) }
    }
    attempt.start(followedBy: follower) {
      do {
        try await self.run(self, attempt)
        self.isLost(attempt, because: "The connection has ended.")
      } catch {
        self.isLost(attempt, because: Dump.description(of: error))
      }
    }
  }

  func hasReturned(_ attempt: Attempt) {
    attempt.timer.cancel()
    isNoLongerCalling(attempt)
  }

  private func isNoLongerCalling(_ attempt: Attempt) {
    guard calling === attempt else { return }
    calling = nil
    if case .connecting(let next) = phase, next !== attempt { start(next) }
  }

  private func timeIsUp(for attempt: Attempt) {
    guard calling === attempt else { return }
    attempt.cancel()
    // A call that ignores its cancellation no longer counts.
    isNoLongerCalling(attempt)
    let limit = attemptTimeout ?? .zero
    isLost(attempt, because: "The attempt has taken longer than \(limit).")
  }

  /// Whether an attempt, or the connection that it has opened, is the one that counts.
  func isCurrent(_ attempt: Attempt) -> Bool {
    switch phase {
    case .connecting(let current), .up(let current, _): current === attempt
    case .idle, .waiting: false
    }
  }

  /// Notes that an attempt waits for a value, until the returned closure is called.
  func willListen() -> (@MainActor () -> Void)? { follower?.willListen() }

  /// What runs a wait for a value, for a test store; an attempt that is followed has its executor.
  var executor: (any TaskExecutor)? { follower == nil ? executorOfHook?() : nil }

  func isUp(_ attempt: Attempt) {
    guard isCurrent(attempt) else { return }
    phase = .up(attempt, elapsed: stopwatch(on: clock))
    health.set(.up)
  }

  func receive(_ value: Value, from attempt: Attempt) {
    if isCurrent(attempt) { subscriber?.receive(value) } else { lateValues += 1 }
  }

  private func isLost(_ attempt: Attempt, because reason: String) {
    guard isCurrent(attempt) else { return }
    let wasSteady = if case .up(_, let elapsed) = phase { elapsed() >= steadyAfter } else { false }
    if wasSteady { attempts = 0 }
    waits += 1
    let wait = waits
    phase = .waiting(wait)
    let duration = jitter.wait(upTo: backoff.bound(after: attempts))
    health.set(.waiting(attempt: attempt.number, reason: reason))
    guard isWaiting(wait) else { return }
    isSettingTimer = true
    timer.set(after: duration) { self.isOver(wait) }
    isSettingTimer = false
  }

  private func isOver(_ wait: Int) {
    guard isWaiting(wait) else { return }
    // Called at once, the next attempt would run inside this one, and the one after it inside that.
    if isSettingTimer { Task { self.isOver(wait) } } else { tryNext() }
  }

  private func isWaiting(_ wait: Int) -> Bool {
    if case .waiting(let current) = phase { current == wait } else { false }
  }
}

/// One attempt to connect, and the connection that it opens.
@MainActor final class Attempt {
  let number: Int
  let timer: OneShotTimer
  private var cancelTask: (@MainActor () -> Void)?
  private var isCancelled = false

  init(number: Int, timer: OneShotTimer) {
    self.number = number
    self.timer = timer
  }

  func start(
    followedBy follower: (any SourceFollower)?,
    _ body: @escaping @MainActor @Sendable () async -> Void
  ) {
    let cancel = SourceTasks.start("connection attempt \(number)", followedBy: follower, body)
    cancelTask = cancel
    // The body may have led to the cancel before it suspended.
    if isCancelled { cancel() }
  }

  func cancel() {
    isCancelled = true
    cancelTask?()
  }
}

private func stopwatch<C: Clock<Duration>>(on clock: C) -> () -> Duration {
  let start = clock.now
  return { start.duration(to: clock.now) }
}
