/// A timer that calls back once, an interval after it was last set, on any clock.
///
/// At most one task sleeps, however often the timer is set again. If the task wakes before the
/// current deadline, it sleeps again. What the callback does has the cause of the code that set it.
@MainActor package class OneShotTimer {
  /// Replaces the interval and the callback, which may run before this returns.
  package func set(after interval: Duration, _ callback: @escaping @MainActor () -> Void) {}

  /// Whether the clock has reached the deadline, which may be before the sleeper wakes.
  package var isDue: Bool { false }

  package func fireIfDue() {}

  package func cancel() {}

  package static func on(_ clock: any Clock<Duration>) -> OneShotTimer { open(clock) }

  private static func open<C: Clock<Duration>>(_ clock: C) -> OneShotTimer {
    if let clock = clock as? any CallbackClock { callBack(clock) } else { ClockTimer(clock) }
  }

  private static func callBack<C: CallbackClock>(_ clock: C) -> OneShotTimer {
    CallbackTimer(clock)
  }
}

extension Duration {
  /// The interval, limited to what any clock can add to its time: from zero to 100 years.
  package var withinReason: Duration { min(max(self, .zero), .seconds(100 * 365 * 86_400)) }
}

/// A clock that calls back by itself, so that a test need not wait until a task sleeps.
package protocol CallbackClock: Clock<Duration> {
  /// Calls `body` at the deadline, or `drop` if the clock gives up; the returned closure cancels.
  @MainActor func call(
    at deadline: Instant, _ body: @escaping @MainActor () -> Void,
    drop: @escaping @MainActor () -> Void
  ) -> @MainActor () -> Void
}

/// A timer on any clock, with a task that sleeps until the deadline.
private class ClockTimer<C: Clock<Duration>>: OneShotTimer {
  final let clock: C
  private(set) final var deadline: C.Instant?
  private final var callback: (@MainActor () -> Void)?
  private final var cause: Propagation.Cause?
  private final var isSleeping = false
  private final var sleeper: Task<Void, Never>?

  init(_ clock: C) { self.clock = clock }

  override final func set(after interval: Duration, _ callback: @escaping @MainActor () -> Void) {
    let deadline = clock.now.advanced(by: interval.withinReason)
    let before = (deadline: self.deadline, callback: self.callback)
    self.deadline = deadline
    self.callback = callback
    cause = Propagation.causeOfSources
    wait(until: deadline, insteadOf: before.deadline)
    // Released last, because objects that the old callback captured may call back.
    withExtendedLifetime(before) {}
  }

  override final var isDue: Bool { deadline.map { clock.now >= $0 } ?? false }

  override final func fireIfDue() { if isDue { fire() } }

  override final func cancel() { withExtendedLifetime(reset()) {} }

  final func fire() { if let callback = reset() { Propagation.resume(cause, callback) } }

  private final func reset() -> (@MainActor () -> Void)? {
    deadline = nil
    let held = callback.take()
    stopWaiting()
    return held
  }

  func wait(until deadline: C.Instant, insteadOf old: C.Instant?) {
    // A sleeper that wakes before the deadline sleeps again.
    if let old, deadline < old { stopWaiting() }
    guard !isSleeping else { return }
    isSleeping = true
    let clock = clock
    let task = TaskOrigin.without {
      Task.atOnce { [weak self] in
        var slept: C.Instant?
        // A sleep that has returned counts as the deadline, whatever `now` says. Otherwise, this
        // would never end on a clock that stands still. It goes on only for a moved deadline.
        while let deadline = self?.deadline, deadline != slept, clock.now < deadline {
          // A sleep that throws counts in the same way, unless this timer has cancelled it.
          try? await clock.sleep(until: deadline, tolerance: nil)
          if Task.isCancelled { return }
          slept = deadline
        }
        guard let self, !Task.isCancelled else { return }
        // Not cancelled, because the callback runs in this task.
        (isSleeping, sleeper) = (false, nil)
        fire()
      }
    }
    // The timer may have fired already, and its callback may have set it again.
    if isSleeping, sleeper == nil { sleeper = task }
  }

  func stopWaiting() {
    isSleeping = false
    sleeper.take()?.cancel()
  }
}

/// A timer on a clock that calls back by itself, which needs no task.
private final class CallbackTimer<C: CallbackClock>: ClockTimer<C> {
  private var stop: (@MainActor () -> Void)?

  override func wait(until deadline: C.Instant, insteadOf old: C.Instant?) {
    stopWaiting()
    // An owner that the callback keeps alive is released when the clock gives up.
    stop = clock.call(at: deadline) { [weak self] in
      self?.fire()
    } drop: { [weak self] in
      self?.cancel()
    }
  }

  override func stopWaiting() { stop.take()?() }
}
