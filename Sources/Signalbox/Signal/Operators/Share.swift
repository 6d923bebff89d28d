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
  let replay: Int
  private let upstream: Signal<Value>
  private let lingering: Duration
  private let timer: OneShotTimer
  private var connection: SharedConnection<Value>?

  init(
    _ upstream: Signal<Value>, replay: Int, lingering: Duration, on clock: any Clock<Duration>
  ) {
    self.upstream = upstream
    self.replay = replay
    self.lingering = lingering
    timer = .on(clock)
  }

  var lingers: Bool { lingering > .zero }

  func attach(_ subscriber: Subscriber<Value>) -> Subscription {
    // The clock may have passed the deadline before its sleeper wakes.
    timer.fireIfDue()
    timer.cancel()
    if let connection { return connection.join(subscriber) }
    let connection = SharedConnection(of: self)
    self.connection = connection
    let subscription = connection.join(subscriber)
    connection.connect(to: upstream)
    return subscription
  }

  /// Ends a connection that its last subscriber has left, now or later.
  func isUnused(_ connection: SharedConnection<Value>) {
    guard lingers else { return connection.end() }
    timer.set(after: lingering) { connection.end() }
  }

  /// Forgets a connection before it ends, because code that its end runs may subscribe again.
  func forget(_ connection: SharedConnection<Value>) {
    guard self.connection === connection else { return }
    self.connection = nil
    timer.cancel()
  }
}

/// One subscription upstream, which speaks as the owner of its sinks for its subscribers' owners.
@MainActor private final class SharedConnection<Value>: Delivering, SinkOwner {
  /// The signal that it connects; `nil` once it has ended.
  private var shared: SharedSignal<Value>?
  /// The subscription upstream; `nil` while it is being made, and at the end.
  private var upstream: Subscription?
  @safe @exclusivity(unchecked) var receivers = OrderedList<Receiver>()
  /// The last values, the oldest first.
  private var past: [Kept<Value>] = []
  private let replay: Int
  private var inboxes = InboxList()
  /// What the upstream notes the origins of its values in; `nil` at the end.
  private lazy var attachment: Attachment? = Attachment(of: self)

  init(of shared: SharedSignal<Value>) {
    self.shared = shared
    replay = shared.replay
  }

  func connect(to signal: Signal<Value>) {
    let subscriber = Subscriber<Value>(
      receive: { self.receive($0) }, finish: { self.finish() }, isOpen: { self.isOpen },
      attachment: attachment)
    let upstream = Propagation.withoutOwner { signal.attach(subscriber) }
    // The subscription of a connection that is over by now ends with its release.
    if shared != nil { self.upstream = upstream }
  }

  func join(_ subscriber: Subscriber<Value>) -> Subscription {
    if let attachment { subscriber.attachment?.add(attachment) }
    for inbox in inboxes.all { subscriber.attachment?.owner?.listens(to: inbox) }
    let order = Propagation.nextOrder()
    receivers.add(SharedReceiver(subscriber), order: order)
    for kept in past where subscriber.isOpen() { kept.deliver(subscriber.receiveValue) }
    return Subscription { self.leave(order) }
  }

  private func leave(_ order: UInt64) {
    let receiver = receivers.remove(order: order)
    if receiver != nil, receivers.isEmpty { shared?.isUnused(self) }
  }

  private func receive(_ value: Value) {
    guard shared != nil else { return }
    // A subscriber that joins from now on receives the value as a past one, or not at all (S3).
    let limit = Propagation.currentOrder
    if replay > 0 { keep(value) }
    deliver(upTo: limit) { receiver in
      // `join` adds only receivers of this type.
      unsafe unsafeDowncast(receiver, to: SharedReceiver<Value>.self).receive(value)
    }
  }

  // A function of its own, so that a source without replay looks up no metadata.
  @inline(never) private func keep(_ value: Value) {
    past.append(Kept(value))
    // The old value is released after the new one is in place, because its `deinit` may call back.
    let old = past.count > replay ? past.removeFirst() : nil
    withExtendedLifetime(old) {}
  }

  private func finish() {
    guard shared != nil else { return }
    let receivers = receivers.elements
    end()
    for receiver in receivers { receiver.finish() }
  }

  func end() {
    guard let shared = shared.take() else { return }
    shared.forget(self)
    // Held until everything has ended, because a released object may call back.
    let held = (upstream.take(), receivers.removeAll(), past)
    past = []
    // It holds its owner, which is this connection.
    attachment = nil
    held.0?.end()
    withExtendedLifetime((shared, held)) {}
  }

  // MARK: SinkOwner

  var isOpen: Bool {
    guard let shared else { return false }
    if shared.lingers { return true }
    // A subscriber that wants no more while the upstream is being attached has not left yet.
    return upstream == nil
      ? receivers.elements.contains { ($0 as? SharedReceiver<Value>)?.isOpen() == true }
      : !receivers.isEmpty
  }

  /// Passes on what a sink of the upstream receives, which belongs to none of the subscribers.
  func deliver<Other>(
    _ value: Other, from attachment: Attachment, _ receive: @MainActor (Other) -> Void
  ) {
    Propagation.withoutOwner { receive(value) }
  }

  func hasGrown(_ attachment: Attachment) {
    for receiver in receivers.elements { receiver.attachment?.add(attachment) }
  }

  func listens(to inbox: any AnyInbox) {
    inboxes.add(inbox)
    for receiver in receivers.elements { receiver.attachment?.owner?.listens(to: inbox) }
  }

  func willHold(for interval: Duration, on clock: any Clock<Duration>) -> (@MainActor () -> Void)? {
    let ends = receivers.elements.compactMap {
      $0.attachment?.owner?.willHold(for: interval, on: clock)
    }
    guard !ends.isEmpty else { return nil }
    return { for end in ends { end() } }
  }

  var executor: (any TaskExecutor)? {
    receivers.elements.lazy.compactMap { $0.attachment?.owner?.executor }.first
  }
}

/// A subscriber of a shared signal.
@MainActor private final class SharedReceiver<Value>: Receiver {
  // Not the subscriber, because all of it would be retained for each value.
  let receive: @MainActor (Value) -> Void
  let isOpen: @MainActor () -> Bool
  private let receiveFinish: @MainActor () -> Void
  private let sinkAttachment: Attachment?

  init(_ subscriber: Subscriber<Value>) {
    receive = subscriber.receiveValue
    isOpen = subscriber.isOpen
    receiveFinish = subscriber.receiveFinish
    sinkAttachment = subscriber.attachment
  }

  override var attachment: Attachment? { sinkAttachment }

  override func finish() { receiveFinish() }
}
