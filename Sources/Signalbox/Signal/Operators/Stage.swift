/// The middle of a chain, for operators that end, switch or wait: what they hold upstream, and the
/// gate to what is downstream.
///
/// Either side closes it once.
@MainActor final class Stage<Output> {
  private(set) var isClosed = false
  private var subscriber: Subscriber<Output>?
  private var upstreams: [Subscription] = []
  private var onClose: (@MainActor () -> Void)?

  init(_ subscriber: Subscriber<Output>, onClose: (@MainActor () -> Void)? = nil) {
    self.subscriber = subscriber
    self.onClose = onClose
  }

  /// What the downstream cancels by.
  var subscription: Subscription { Subscription { self.close() } }

  /// Whether anybody still listens.
  var isOpen: Bool { !isClosed && subscriber?.isOpen() == true }

  func send(_ value: Output) { subscriber?.receive(value) }

  func finish() {
    let subscriber = subscriber
    close()
    subscriber?.finish()
  }

  /// Subscribes to an input; when that finishes, so does the stage, unless told otherwise.
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
        isOpen: { self.isOpen }))
    if isClosed { upstream.end() } else { upstreams.append(upstream) }
  }

  private func close() {
    guard !isClosed else { return }
    isClosed = true
    // Held until all of it has ended: what is released may come back here.
    let held = (subscriber: subscriber.take(), onClose: onClose.take(), upstreams: upstreams)
    upstreams = []
    held.onClose?()
    for upstream in held.upstreams { upstream.end() }
  }
}
