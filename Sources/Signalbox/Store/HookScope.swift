/// The scope of one hook, which owns the sinks that the hook makes (H1, H2, H3).
final class HookScope<State, Action>: Scope<State, Action>, SinkOwner {
  private let describe: () -> String
  /// The name of the hook, which is lazy because most stores never need it.
  private(set) lazy var hook = describe()
  private var subscription: Subscription?
  private(set) var isOpen = true
  private(set) var sinks = 0
  /// The inboxes that may still send to its sinks; recorded only while a test store follows.
  private var inboxes = InboxList()
  /// Follows the async sequences of its sinks; `nil` before the first wait or without a test store.
  private var sequences: (any FollowedWork)?
  /// The number of the first run of a hook that observes the events of its family.
  private var firstRun: Int?
  /// The number of the last run, from which a later save of the state follows (P8).
  private var lastRun: Int?

  required init(_ describe: @escaping () -> String, in engine: Engine<State, Action>) {
    self.describe = describe
    super.init(in: engine)
  }

  override var writerName: String { "hook \(hook)" }

  func connect<H: Hookable<State, Action>>(_ hookable: H, to hook: H.Hook) {
    let subscription = Propagation.connecting {
      owning { hookable.subscription(for: hook, store: MutatingStore(self)) }
    }
    if isOpen { self.subscription = subscription } else { subscription.end() }
  }

  /// Ends the hook, after which none of its sinks runs, even if other code holds its subscriptions.
  func close() {
    isOpen = false
    subscription.take()?.end()
    sequences?.isOver()
  }

  func deliver<Value>(
    _ value: Value, from attachment: Attachment, _ receive: @MainActor (Value) -> Void
  ) {
    guard isOpen else { return }
    let log = engine.log
    let delivered = Propagation.context.cause
    // An event may come in another way than from the signal of events, as through `share`.
    if delivered?.isEvent == true, hasLed(to: delivered) { return }
    let number = numberOfRun(isOfEvents: delivered?.isEvent == true)
    let fired =
      log.emit(
        .hookFired(name: hook, value: value), as: number, cause: log.currentCause,
        from: attachment.provenance(seenFrom: engine.storage))
      ?? number
    // A recorder may have ended the hook.
    guard isOpen else { return }
    lastRun = fired
    // Subscriptions that a sink makes while it runs belong to the hook as well.
    if let caused = log.cause(fired) {
      Propagation.causing(caused) { owning { receive(value) } }
    } else {
      // What caused the value in another store causes nothing that this one does.
      Propagation.context.cause = nil
      TaskOrigin.without { owning { receive(value) } }
      Propagation.context.cause = delivered
    }
  }

  // What a hook does while it receives a value, or in a task that it starts then, follows from that
  // value. Nothing tells from which value anything else follows.
  override var currentCause: Int? { engine.log.currentCause }
  override var causeOfSaves: Int? { currentCause ?? lastRun }

  /// Returns the number of the run that begins, if the hook observes the events of its family.
  private func numberOfRun(isOfEvents: Bool) -> Int? {
    guard isOfEvents || firstRun != nil else { return nil }
    let cause = engine.log.currentCause
    if cause == nil, firstRun == nil { return nil }
    let numbers = engine.log.numbers
    let number = numbers.next()
    let hook = firstRun ?? number
    firstRun = hook
    numbers.runs.add(number, of: hook)
    if let cause { numbers.runs.add(number, causedBy: cause) }
    return number
  }

  func hasLed(to event: Propagation.Cause?) -> Bool {
    guard let event, let firstRun else { return false }
    let numbers = engine.log.numbers
    return event.issuer == ObjectIdentifier(numbers)
      && numbers.runs.has(event.number, followedFrom: firstRun)
  }

  func hasGainedSink() { sinks += 1 }

  func hasLostSink() {
    sinks -= 1
    if sinks == 0 { engine.follower?.hookIsOver() }
  }

  func willHold(for interval: Duration, on clock: any Clock<Duration>) -> (@MainActor () -> Void)? {
    engine.follower?.willHold(for: interval, on: clock, hook: engine.fullName(hook))
  }

  var executor: (any TaskExecutor)? {
    if sequences == nil, isOpen { sequences = engine.follower?.willIterate(engine.fullName(hook)) }
    return sequences
  }

  func listens(to inbox: any AnyInbox) {
    guard engine.follower != nil else { return }
    inboxes.add(inbox)
  }

  func drainPosts() {
    for inbox in inboxes.all { inbox.drainIfNeeded() }
  }
}
