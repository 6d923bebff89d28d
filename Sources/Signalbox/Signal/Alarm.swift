/// Calls back once, some time after it was last set, on any clock.
///
/// One task sleeps, however often the alarm is set again meanwhile: when it wakes before the time
/// it sleeps on.
@MainActor class Alarm {
  /// Calls back after an interval, and no longer at the time set before.
  func set(after interval: Duration, _ action: @escaping @MainActor () -> Void) {}

  /// Calls back now if it is time: the clock may be further than the task that sleeps by it.
  func ringIfDue() {}

  /// Forgets the callback.
  func cancel() {}

  static func on(_ clock: any Clock<Duration>) -> Alarm { open(clock) }

  private static func open<C: Clock<Duration>>(_ clock: C) -> Alarm {
    if let clock = clock as? any AlarmClock { bell(clock) } else { ClockAlarm(clock) }
  }

  private static func bell<C: AlarmClock>(_ clock: C) -> Alarm { BellAlarm(clock) }
}

/// A clock that calls back by itself: one that a test moves by hand.
///
/// So nobody has to wait until a sleeper has gone to sleep.
package protocol AlarmClock: Clock<Duration> {
  /// - Returns: what cancels the call.
  @MainActor func call(at deadline: Instant, _ body: @escaping @MainActor () -> Void)
    -> @MainActor () -> Void
}

private final class BellAlarm<C: AlarmClock>: Alarm {
  private let clock: C
  private var deadline: C.Instant?
  private var stop: (@MainActor () -> Void)?
  private var action: (@MainActor () -> Void)?

  init(_ clock: C) { self.clock = clock }

  override func set(after interval: Duration, _ action: @escaping @MainActor () -> Void) {
    cancel()
    let deadline = clock.now.advanced(by: max(interval, .zero))
    self.deadline = deadline
    self.action = action
    stop = clock.call(at: deadline) { [weak self] in self?.ring() }
  }

  override func ringIfDue() {
    if let deadline, clock.now >= deadline { ring() }
  }

  override func cancel() {
    deadline = nil
    _ = action.take()
    stop.take()?()
  }

  private func ring() {
    let action = action
    cancel()
    if let action { Propagation.nested(action) }
  }
}

private final class ClockAlarm<C: Clock<Duration>>: Alarm {
  private let clock: C
  private var deadline: C.Instant?
  private var action: (@MainActor () -> Void)?
  private var isSleeping = false
  private var sleeper: Task<Void, Never>?

  init(_ clock: C) { self.clock = clock }

  override func set(after interval: Duration, _ action: @escaping @MainActor () -> Void) {
    let deadline = clock.now.advanced(by: max(interval, .zero))
    // Only an earlier time than the one slept for needs another sleeper.
    if let old = self.deadline, deadline < old { stopSleeping() }
    self.deadline = deadline
    self.action = action
    if !isSleeping { sleep() }
  }

  override func ringIfDue() {
    guard let deadline, clock.now >= deadline else { return }
    stopSleeping()
    ring()
  }

  override func cancel() {
    deadline = nil
    _ = action.take()
    stopSleeping()
  }

  private func stopSleeping() {
    isSleeping = false
    sleeper.take()?.cancel()
  }

  private func sleep() {
    let clock = clock
    isSleeping = true
    let task = Task.immediate { @MainActor [weak self] in
      while let deadline = self?.deadline, clock.now < deadline {
        // Only a cancel throws, and who cancels has forgotten this task.
        do { try await clock.sleep(until: deadline, tolerance: nil) } catch { return }
      }
      if !Task.isCancelled { self?.ring() }
    }
    // It may have rung already.
    if isSleeping { sleeper = task }
  }

  private func ring() {
    isSleeping = false
    sleeper = nil
    deadline = nil
    if let action = action.take() { Propagation.nested(action) }
  }
}
