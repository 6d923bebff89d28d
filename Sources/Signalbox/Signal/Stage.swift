/// The middle of a chain, for operators that finish, switch or wait.
///
/// It holds the subscriptions upstream and the subscriber downstream. Either side can close it, and
/// it closes once.
@MainActor final class Stage<Output> {
  private(set) var isClosed = false
  private var subscriber: Subscriber<Output>?
  private var upstreams: [Subscription] = []
  private var onClose: (@MainActor () -> Void)?

  init(_ subscriber: Subscriber<Output>, onClose: (@MainActor () -> Void)? = nil) {
    self.subscriber = subscriber
    self.onClose = onClose
  }

  /// A subscription with which the subscriber downstream closes the stage.
  var subscription: Subscription { Subscription { self.close() } }

  /// Whether the subscriber downstream still wants values.
  var isOpen: Bool { !isClosed && subscriber?.isOpen() == true }

  func send(_ value: Output) { subscriber?.receive(value) }

  func finish() {
    let subscriber = subscriber
    close()
    subscriber?.finish()
  }

  /// Subscribes to an input.
  ///
  /// When the input finishes, the stage calls `finish`, or finishes itself if `finish` is `nil`.
  func connect<Input>(
    to signal: Signal<Input>, finish: (@MainActor () -> Void)? = nil,
    receive: @escaping @MainActor (Input) -> Void
  ) {
    guard isOpen else { return }
    let upstream = signal.attach(
      Subscriber(
        receive: { if !self.isClosed { receive($0) } },
        finish: {
          guard !self.isClosed else { return }
          if let finish { finish() } else { self.finish() }
        },
        isOpen: { self.isOpen }, attachment: subscriber?.attachment))
    // The subscription of a stage that was closed meanwhile ends with its release.
    if !isClosed { upstreams.append(upstream) }
  }

  private func close() {
    guard !isClosed else { return }
    isClosed = true
    // Held until everything has ended, because a released object may call back into this stage.
    let held = (subscriber: subscriber.take(), onClose: onClose.take(), upstreams: upstreams)
    upstreams = []
    held.onClose?()
    for upstream in held.upstreams { upstream.end() }
  }
}
