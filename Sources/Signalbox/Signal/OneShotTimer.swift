/// A timer that calls back once, an interval after it was last set, on any clock.
///
/// At most one task sleeps, however often the timer is set again. If the task wakes before the
/// current deadline, it sleeps again. What the callback does has the cause of the code that set it.
@MainActor package class OneShotTimer {
  /// Sets the interval and the callback, which replace the earlier ones.
  ///
  /// On a clock whose `sleep` returns at once, the callback may run before this returns.
  package func set(after interval: Duration, _ callback: @escaping @MainActor () -> Void) {}

  /// Whether it has not called back although the clock has reached the deadline.
  ///
  /// The clock may have reached the deadline before the sleeper wakes.
  package var isDue: Bool { false }

  /// Calls back now if it is due.
  package func fireIfDue() {}

  /// Drops the callback.
  package func cancel() { cancels += 1 }

  /// The number of cancels so far.
  ///
  /// `set` compares it to notice that the `now` of the clock has cancelled the timer.
  fileprivate var cancels = 0

  /// What caused the code that set the callback.
  fileprivate var cause: Propagation.Cause?

  /// Makes a timer on a clock.
  package static func on(_ clock: any Clock<Duration>) -> OneShotTimer { open(clock) }

  private static func open<C: Clock<Duration>>(_ clock: C) -> OneShotTimer {
    if let clock = clock as? any CallbackClock { callBack(clock) } else { SleepTimer(clock) }
  }

  private static func callBack<C: CallbackClock>(_ clock: C) -> OneShotTimer {
    CallbackTimer(clock)
  }
}

extension Duration {
  /// The interval, limited to what any clock can add to its time: from zero to 100 years.
  package var withinReason: Duration { min(max(self, .zero), .seconds(100 * 365 * 86_400)) }
}

/// A clock that calls back by itself, such as a clock that a test advances.
///
/// With such a clock, a test does not have to wait until a task has gone to sleep.
package protocol CallbackClock: Clock<Duration> {
  /// Calls a closure when the clock reaches a deadline.
  ///
  /// - Returns: a closure that cancels the call.
  @MainActor func call(at deadline: Instant, _ body: @escaping @MainActor () -> Void)
    -> @MainActor () -> Void
}

/// A timer on a clock that calls back by itself, which needs no task.
private final class CallbackTimer<C: CallbackClock>: OneShotTimer {
  private let clock: C
  private var deadline: C.Instant?
  private var stop: (@MainActor () -> Void)?
  private var callback: (@MainActor () -> Void)?

  init(_ clock: C) { self.clock = clock }

  override package func set(after interval: Duration, _ callback: @escaping @MainActor () -> Void) {
    cancel()
    let cancels = cancels
    let deadline = clock.now.advanced(by: interval.withinReason)
    guard cancels == self.cancels else { return }
    self.deadline = deadline
    self.callback = callback
    cause = Propagation.causeOfSources
    stop = clock.call(at: deadline) { [weak self] in self?.fire() }
  }

  override package var isDue: Bool { deadline.map { clock.now >= $0 } ?? false }

  override package func fireIfDue() { if isDue { fire() } }

  override package func cancel() {
    super.cancel()
    _ = forget()
  }

  private func fire() {
    if let callback = forget() { Propagation.resume(cause, callback) }
  }

  /// Drops the callback and cancels the call of the clock.
  ///
  /// - Returns: the callback. The caller releases it after the fields are cleared, because an
  ///   object that it captured may call back into this timer.
  private func forget() -> (@MainActor () -> Void)? {
    let held = (callback.take(), stop.take())
    deadline = nil
    held.1?()
    return held.0
  }
}

/// A timer on any other clock, with a task that sleeps until the deadline.
private final class SleepTimer<C: Clock<Duration>>: OneShotTimer {
  private let clock: C
  private var deadline: C.Instant?
  private var callback: (@MainActor () -> Void)?
  private var isSleeping = false
  private var sleeper: Task<Void, Never>?

  init(_ clock: C) { self.clock = clock }

  override package func set(after interval: Duration, _ callback: @escaping @MainActor () -> Void) {
    let cancels = cancels
    let deadline = clock.now.advanced(by: interval.withinReason)
    guard cancels == self.cancels else { return }
    // A new sleeper is needed only if the new deadline is earlier than the current one.
    if let old = self.deadline, deadline < old { stopSleeping() }
    self.deadline = deadline
    // The old callback is released after the new one is in place, because an object that it
    // captured may call back into this timer.
    let before = exchange(&self.callback, with: callback)
    cause = Propagation.causeOfSources
    if !isSleeping { sleep() }
    withExtendedLifetime(before) {}
  }

  override package var isDue: Bool { deadline.map { clock.now >= $0 } ?? false }

  override package func fireIfDue() {
    guard isDue else { return }
    stopSleeping()
    fire()
  }

  override package func cancel() {
    super.cancel()
    deadline = nil
    let held = callback.take()
    stopSleeping()
    withExtendedLifetime(held) {}
  }

  private func stopSleeping() {
    isSleeping = false
    sleeper.take()?.cancel()
  }

  private func sleep() {
    let clock = clock
    isSleeping = true
    let task = TaskOrigin.without {
      Task.immediate { @MainActor [weak self] in
        var slept: C.Instant?
        // When a sleep has returned, the deadline counts as reached, whatever `now` says. On a clock
        // that stands still, checking `now` again would never end. The task sleeps again only if the
        // deadline was moved in the meantime.
        while let deadline = self?.deadline, deadline != slept, clock.now < deadline {
          // A sleep that throws counts in the same way, unless this timer has cancelled it.
          try? await clock.sleep(until: deadline, tolerance: nil)
          if Task.isCancelled { return }
          slept = deadline
        }
        if !Task.isCancelled { self?.fire() }
      }
    }
    // The timer may have fired already, and its callback may have set it again.
    if isSleeping, sleeper == nil { sleeper = task }
  }

  private func fire() {
    isSleeping = false
    sleeper = nil
    deadline = nil
    if let callback = callback.take() { Propagation.resume(cause, callback) }
  }
}
