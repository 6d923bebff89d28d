/// The middle of a chain, for operators that finish, switch or wait; either side closes it, once.
@MainActor class Stage<Output> {
  private(set) final var isClosed = false
  private final var subscriber: Subscriber<Output>?
  private final var upstreams: [Subscription] = []
  /// The number of inputs that must finish before the stage does.
  private final var unfinished: Int
  private final var onClose: (@MainActor () -> Void)?

  init(
    _ subscriber: Subscriber<Output>, inputs: Int = 1, onClose: (@MainActor () -> Void)? = nil
  ) {
    self.subscriber = subscriber
    unfinished = inputs
    self.onClose = onClose
  }

  final var subscription: Subscription { Subscription { self.close() } }

  final var isOpen: Bool { !isClosed && subscriber?.isOpen() == true }

  final var attachment: Attachment? { subscriber?.attachment }

  final func send(_ value: Output) { subscriber?.receive(value) }

  final func finish() {
    let subscriber = subscriber
    close()
    subscriber?.finish()
  }

  final func finishInput() {
    unfinished -= 1
    if unfinished == 0 { finish() }
  }

  /// - Parameter finish: is called when the input finishes; without it, the stage counts that.
  final func connect<Input>(
    to signal: Signal<Input>, finish: (@MainActor () -> Void)? = nil,
    receive: @escaping @MainActor (Input) -> Void
  ) {
    guard isOpen else { return }
    let upstream = signal.attach(
      Subscriber(
        receive: { if !self.isClosed { receive($0) } },
        finish: {
          guard !self.isClosed else { return }
          if let finish { finish() } else { self.finishInput() }
        },
        isOpen: { self.isOpen }, attachment: attachment))
    // The subscription of a stage that was closed meanwhile ends with its release.
    if !isClosed { upstreams.append(upstream) }
  }

  private final func close() {
    guard !isClosed else { return }
    isClosed = true
    // Held until everything has ended, because a released object may call back into this stage.
    let held = (subscriber: subscriber.take(), upstreams: upstreams)
    upstreams = []
    willClose()
    for upstream in held.upstreams { upstream.end() }
  }

  func willClose() { onClose.take()?() }
}

/// A stage with a timer, which may hold back values until the timer calls back.
@MainActor final class TimedStage<Output>: Stage<Output> {
  let timer: OneShotTimer
  private let owner: (any SinkOwner)?
  private let interval: Duration
  private let clock: any Clock<Duration>
  private var didHold: (@MainActor () -> Void)?

  init(_ subscriber: Subscriber<Output>, for interval: Duration, on clock: any Clock<Duration>) {
    timer = .on(clock)
    owner = subscriber.attachment?.owner
    self.interval = interval
    self.clock = clock
    super.init(subscriber)
  }

  func beginHold() {
    endHold()
    didHold = owner?.willHold(for: interval, on: clock)
  }

  func endHold() { didHold.take()?() }

  override func willClose() {
    endHold()
    timer.cancel()
  }
}

extension Signal {
  /// Makes a signal with a stage for each subscriber.
  static func staged(
    inputs: Int = 1, _ connect: @escaping @MainActor (Stage<Value>) -> Void
  ) -> Signal {
    .direct { subscriber in
      let stage = Stage(subscriber, inputs: inputs)
      connect(stage)
      return stage.subscription
    }
  }
}
