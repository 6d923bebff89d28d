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

  private static func open<C: Clock<Duration>>(_ clock: C) -> Alarm { ClockAlarm(clock) }
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
