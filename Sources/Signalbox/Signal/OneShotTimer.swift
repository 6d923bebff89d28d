/// Calls back once, some time after it was last set, on any clock.
///
/// One task sleeps, however often the alarm is set again meanwhile: when it wakes before the time
/// it sleeps on.
@MainActor class OneShotTimer {
  /// Calls back after an interval, and no longer at the time set before.
  ///
  /// The callback may run before this returns, on a clock whose `sleep` returns at once.
  func set(after interval: Duration, _ action: @escaping @MainActor () -> Void) {}

  /// Calls back now if it is time: the clock may have passed the deadline before the sleeper wakes.
  func fireIfDue() {}

  /// Forgets the callback.
  func cancel() { cancels += 1 }

  /// How often the timer was cancelled: the `now` of a clock may do that while the timer is set.
  fileprivate var cancels = 0

  static func on(_ clock: any Clock<Duration>) -> OneShotTimer { open(clock) }

  private static func open<C: Clock<Duration>>(_ clock: C) -> OneShotTimer {
    if let clock = clock as? any CallbackClock { callback(clock) } else { SleepTimer(clock) }
  }

  private static func callback<C: CallbackClock>(_ clock: C) -> OneShotTimer {
    CallbackTimer(clock)
  }
}

extension Duration {
  /// An interval that any clock can add to its time: neither negative nor more than 100 years.
  var withinReason: Duration { min(max(self, .zero), .seconds(100 * 365 * 86_400)) }
}

/// A clock that calls back by itself: one that a test moves by hand.
///
/// So nobody has to wait until a sleeper has gone to sleep.
package protocol CallbackClock: Clock<Duration> {
  /// - Returns: what cancels the call.
  @MainActor func call(at deadline: Instant, _ body: @escaping @MainActor () -> Void)
    -> @MainActor () -> Void
}

private final class CallbackTimer<C: CallbackClock>: OneShotTimer {
  private let clock: C
  private var deadline: C.Instant?
  private var stop: (@MainActor () -> Void)?
  private var action: (@MainActor () -> Void)?

  init(_ clock: C) { self.clock = clock }

  override func set(after interval: Duration, _ action: @escaping @MainActor () -> Void) {
    cancel()
    let cancels = cancels
    let deadline = clock.now.advanced(by: interval.withinReason)
    guard cancels == self.cancels else { return }
    self.deadline = deadline
    self.action = action
    stop = clock.call(at: deadline) { [weak self] in self?.fire() }
  }

  override func fireIfDue() {
    if let deadline, clock.now >= deadline { fire() }
  }

  override func cancel() {
    super.cancel()
    _ = forget()
  }

  private func fire() {
    if let action = forget() { Propagation.nested(action) }
  }

  /// - Returns: the callback, which is released when all is forgotten: what it captured may come
  ///   back here.
  private func forget() -> (@MainActor () -> Void)? {
    let held = (action.take(), stop.take())
    deadline = nil
    held.1?()
    return held.0
  }
}

private final class SleepTimer<C: Clock<Duration>>: OneShotTimer {
  private let clock: C
  private var deadline: C.Instant?
  private var action: (@MainActor () -> Void)?
  private var isSleeping = false
  private var sleeper: Task<Void, Never>?

  init(_ clock: C) { self.clock = clock }

  override func set(after interval: Duration, _ action: @escaping @MainActor () -> Void) {
    let cancels = cancels
    let deadline = clock.now.advanced(by: interval.withinReason)
    guard cancels == self.cancels else { return }
    // Only an earlier time than the one slept for needs another sleeper.
    if let old = self.deadline, deadline < old { stopSleeping() }
    self.deadline = deadline
    // The callback before is released when the new one is in place: what it captured may come back
    // here.
    let before = exchange(&self.action, with: action)
    if !isSleeping { sleep() }
    withExtendedLifetime(before) {}
  }

  override func fireIfDue() {
    guard let deadline, clock.now >= deadline else { return }
    stopSleeping()
    fire()
  }

  override func cancel() {
    super.cancel()
    deadline = nil
    let held = action.take()
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
    let task = Task.immediate { @MainActor [weak self] in
      var slept: C.Instant?
      // A sleep that has returned means that it is time, whatever `now` says: on a clock that
      // stands still another look at it would be repeated without end. Only a deadline that was
      // moved meanwhile is slept for.
      while let deadline = self?.deadline, deadline != slept, clock.now < deadline {
        // One that throws means so, too, unless this alarm has cancelled it.
        try? await clock.sleep(until: deadline, tolerance: nil)
        if Task.isCancelled { return }
        slept = deadline
      }
      if !Task.isCancelled { self?.fire() }
    }
    // It may have rung already.
    if isSleeping { sleeper = task }
  }

  private func fire() {
    isSleeping = false
    sleeper = nil
    deadline = nil
    if let action = action.take() { Propagation.nested(action) }
  }
}
