/// Tells the owner of a sink when an operator starts and stops holding back a value for the sink.
@MainActor final class Hold {
  private let owner: (any SinkOwner)?
  private let interval: Duration
  private let clock: any Clock<Duration>
  private var didEnd: (@MainActor () -> Void)?

  init(of owner: (any SinkOwner)?, for interval: Duration, on clock: any Clock<Duration>) {
    self.owner = owner
    self.interval = interval
    self.clock = clock
  }

  /// Begins the hold, or begins it anew.
  func begin() {
    guard let owner else { return }
    end()
    didEnd = owner.willHold(for: interval, on: clock)
  }

  func end() { didEnd.take()?() }
}
