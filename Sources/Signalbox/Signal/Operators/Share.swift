extension SignalOperators where Self: SignalConvertible {
  /// Shares one subscription to this signal among all subscribers of the result.
  ///
  ///     let quotes = Signal(exchange.quotes()).share(replay: 1, lingering: .seconds(5))
  ///
  /// The subscription begins with the first subscriber and ends `lingering` after the last one,
  /// counted anew each time (E1). While it lasts, a new subscriber first receives the last values
  /// and then joins. If the signal finishes, all subscribers finish, and the next subscriber begins
  /// a new subscription. The result is an event signal (S7). Add `includingCurrent()` to start with
  /// the current value of a state signal (S9).
  ///
  /// - Parameters:
  ///   - replay: the number of past values that a new subscriber receives at once. Only values of
  ///     the current subscription are kept, and they are released when it ends. A negative number
  ///     traps.
  ///   - lingering: how long the subscription lasts without subscribers. With zero or less, it ends
  ///     before the `cancel()` of the last subscriber returns. More than 100 years are treated as
  ///     100 years. Meanwhile, this signal is kept.
  ///   - clock: the clock that measures `lingering`. A test passes a clock that it advances.
  public func share(
    replay: Int = 0, lingering: Duration = .zero, clock: any Clock<Duration> = ContinuousClock()
  ) -> Signal<Value> {
    // Not `precondition`, which prints no message in a release build.
    if replay < 0 {
      fatalError("share(replay: \(replay)): a count cannot be negative. Pass 0 to replay nothing.")
    }
    let shared = SharedSignal(signal, replay: replay, lingering: lingering, on: clock)
    return .direct(sharing: signal) { shared.attach($0) }
  }
}

/// One signal and the subscription to it that all subscribers share.
///
///     unused ─── first subscriber ──▶ connected ◀── new subscriber ── lingering
///        ▲                             │     └───── last one left ───────▲ │
///        └── finish, or last one left ─┘                                   │
///        └──────────────── `lingering` has passed ─────────────────────────┘
@MainActor private final class SharedSignal<Value> {
  private let upstream: Signal<Value>
  private let replay: Int
  private let lingering: Duration
  private let timer: OneShotTimer
  /// The current subscription upstream; `nil` if there is none.
  private var connection: SharedConnection<Value>?

  init(
    _ upstream: Signal<Value>, replay: Int, lingering: Duration, on clock: any Clock<Duration>
  ) {
    self.upstream = upstream
    self.replay = replay
    self.lingering = lingering
    timer = .on(clock)
  }

  func attach(_ subscriber: Subscriber<Value>) -> Subscription {
    // The clock may have passed the deadline before its sleeper wakes.
    timer.fireIfDue()
    timer.cancel()
    if let connection { return connection.join(subscriber) }
    let connection = SharedConnection<Value>(replay: replay, lingers: lingering > .zero)
    self.connection = connection
    connection.onUnused = { [unowned connection] in self.isUnused(connection) }
    connection.onFinish = { [unowned connection] in self.forget(connection) }
    let subscription = connection.join(subscriber)
    connection.connect(to: upstream)
    return subscription
  }

  private func isUnused(_ connection: SharedConnection<Value>) {
    guard self.connection === connection else { return }
    guard lingering > .zero else { return end(connection) }
    timer.set(after: lingering) { self.end(connection) }
  }

  private func end(_ connection: SharedConnection<Value>) {
    forget(connection)
    connection.end()
  }

  /// Forgets a connection before it ends, because code that its end runs may subscribe again.
  private func forget(_ connection: SharedConnection<Value>) {
    guard self.connection === connection else { return }
    self.connection = nil
    timer.cancel()
  }
}

/// One subscription upstream, with those who share it.
///
/// It is the owner of what its upstream attaches, and speaks there for the owners of its
/// subscribers.
@MainActor private final class SharedConnection<Value>: Delivering, SinkOwner {
  private enum Phase {
    case connecting
    case connected(Subscription)
    case over
  }

  /// Called when the last subscriber has left.
  var onUnused: (@MainActor () -> Void)?
  /// Called when the upstream finishes, before the subscribers are notified.
  var onFinish: (@MainActor () -> Void)?

  @safe @exclusivity(unchecked) var receivers = OrderedList<Receiver>()
  private var phase = Phase.connecting
  private let replay: Int
  private let lingers: Bool
  /// The last values.
  ///
  /// Once there are `replay` of them, the oldest is at `oldest`.
  private var past: [Kept<Value>] = []
  private var oldest = 0
  private var inboxes = InboxList()
  /// What the upstream notes its provenance in; `nil` before it is attached and at the end.
  private var attachment: Attachment?

  init(replay: Int, lingers: Bool) {
    self.replay = replay
    self.lingers = lingers
  }

  func connect(to signal: Signal<Value>) {
    let attachment = Attachment(of: self, keepsOrigins: true)
    self.attachment = attachment
    let subscriber = Subscriber<Value>(
      receive: { self.receive($0) }, finish: { self.finish() }, isOpen: { self.wantsValues },
      attachment: attachment)
    let upstream = Propagation.withoutOwner { signal.attach(subscriber) }
    // The subscription of a connection that is over by now ends with its release.
    if case .connecting = phase { phase = .connected(upstream) }
  }

  /// Adds a subscriber and passes the last values on to it.
  func join(_ subscriber: Subscriber<Value>) -> Subscription {
    if let owner = subscriber.attachment?.owner {
      for inbox in inboxes.all { owner.listens(to: inbox) }
    }
    let order = Propagation.nextOrder()
    let receiver = SharedReceiver(subscriber)
    receivers.add(receiver, order: order)
    for kept in past[oldest...] + past[..<oldest] where subscriber.isOpen() {
      kept.deliver { receiver.receive($0, from: attachment) }
    }
    return Subscription { self.leave(order) }
  }

  private func leave(_ order: UInt64) {
    let receiver = receivers.remove(order: order)
    if receiver != nil, receivers.isEmpty { onUnused?() }
  }

  private var wantsValues: Bool {
    switch phase {
    // A subscriber that wants no more while the upstream is being attached has not left yet.
    case .connecting:
      lingers || receivers.elements.contains { ($0 as? SharedReceiver<Value>)?.isOpen == true }
    case .connected: lingers || !receivers.isEmpty
    case .over: false
    }
  }

  private func receive(_ value: Value) {
    if case .over = phase { return }
    // A subscriber that joins from now on receives the value as a past one, or does not get it (S3).
    let limit = Propagation.currentOrder
    if replay > 0 { keep(value) }
    deliver(upTo: limit) { receiver in
      // `join` adds only receivers of this type.
      unsafe unsafeDowncast(receiver, to: SharedReceiver<Value>.self)
        .receive(value, from: attachment)
    }
  }

  // A function of its own, so that a source without replay looks up no metadata.
  @inline(never) private func keep(_ value: Value) {
    guard past.count == replay else { return past.append(Kept(value)) }
    // The old value is released after the new one is in place, because its `deinit` may call back.
    let old = exchange(&past[oldest], with: Kept(value))
    oldest = (oldest + 1) % replay
    withExtendedLifetime(old) {}
  }

  private func finish() {
    if case .over = phase { return }
    onFinish?()
    let receivers = receivers.elements
    end()
    for receiver in receivers { receiver.finish() }
  }

  /// Ends the subscription upstream and releases the subscribers and the past values.
  func end() {
    // Held until everything has ended, because a released object may call back.
    let held = (phase, receivers.removeAll(), past, onUnused, onFinish)
    phase = .over
    past = []
    oldest = 0
    // An attachment holds its owner, which is this connection.
    (onUnused, onFinish, attachment) = (nil, nil, nil)
    if case .connected(let upstream) = held.0 { upstream.end() }
    withExtendedLifetime(held) {}
  }

  // MARK: SinkOwner

  var isOpen: Bool { wantsValues }

  /// Passes on what a sink of the upstream receives, which belongs to none of the subscribers.
  func deliver<Other>(
    _ value: Other, from provenance: Provenance, _ receive: @MainActor (Other) -> Void
  ) {
    Propagation.withoutOwner { receive(value) }
  }

  func hasGainedSink() {}
  func hasLostSink() {}

  func listens(to inbox: any AnyInbox) {
    inboxes.add(inbox)
    for receiver in receivers.elements { receiver.owner?.listens(to: inbox) }
  }

  func willHold(for interval: Duration, on clock: any Clock<Duration>) -> (@MainActor () -> Void)? {
    let ends = receivers.elements.compactMap {
      $0.owner?.willHold(for: interval, on: clock)
    }
    guard !ends.isEmpty else { return nil }
    return { for end in ends { end() } }
  }
}

/// A subscriber of a shared signal.
@MainActor private final class SharedReceiver<Value>: Receiver {
  // Not the subscriber, because all of it would be retained for each value.
  private let receiveValue: @MainActor (Value) -> Void
  private let receiveFinish: @MainActor () -> Void
  private let wantsValues: @MainActor () -> Bool
  private let attachment: Attachment?
  /// The provenance that the subscriber's attachment has taken over from the upstream.
  private var known = Provenance()

  init(_ subscriber: Subscriber<Value>) {
    receiveValue = subscriber.receiveValue
    receiveFinish = subscriber.receiveFinish
    wantsValues = subscriber.isOpen
    attachment = subscriber.attachment
  }

  override var owner: (any SinkOwner)? { attachment?.owner }
  var isOpen: Bool { wantsValues() }

  func receive(_ value: Value, from upstream: Attachment?) {
    // The upstream may read further key paths at any time, as `flatMapLatest` does.
    if let attachment, let upstream, known.isOutdated(by: upstream.provenance) {
      known = upstream.provenance
      attachment.add(upstream)
    }
    receiveValue(value)
  }

  override func finish() { receiveFinish() }
}
