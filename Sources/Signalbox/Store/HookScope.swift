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
  /// The number of nested `deliver` calls that are running.
  private var depth = 0

  required init(_ describe: @escaping () -> String, in engine: Engine<State, Action>) {
    self.describe = describe
    super.init(in: engine)
  }

  override var writerName: String { "hook \(hook)" }

  func connect<H: Hookable<State, Action>>(_ hookable: H, to hook: H.Hook) {
    let subscription = owning { hookable.subscription(for: hook, store: MutatingStore(self)) }
    if isOpen { self.subscription = subscription } else { subscription.end() }
  }

  /// Ends the hook, after which none of its sinks runs, even if other code holds its subscriptions.
  func close() {
    if DeliveryTracking.isOn { DeliveryTracking.subscriptionsChange() }
    isOpen = false
    subscription.take()?.end()
  }

  func deliver<Value>(
    _ value: Value, from provenance: Provenance, _ receive: @MainActor (Value) -> Void
  ) {
    guard isOpen else { return }
    let log = engine.log
    let outer = (own: cause, delivered: Propagation.context.cause)
    let fired = log.emit(
      .hookFired(name: hook, value: value), cause: log.currentCause, from: provenance)
    // A recorder may have ended the hook.
    guard isOpen else { return }
    cause = fired
    Propagation.context.cause = log.cause(cause)
    depth += 1
    // Subscriptions that a sink makes while it runs belong to the hook as well.
    owning { receive(value) }
    depth -= 1
    // An enclosing delivery continues with its own cause. After the outermost one, the cause stays,
    // because what a hook does later, in a task, follows from the last value that it received.
    if depth > 0 { cause = outer.own }
    Propagation.context.cause = outer.delivered
  }

  func willReceive() { engine.follower?.willDeliver(to: hook) }

  func hasGainedSink() { sinks += 1 }

  func hasLostSink() {
    sinks -= 1
    if sinks == 0, let follower = engine.follower { follower.hookIsOver(hook) }
  }

  func willHold(for interval: Duration, on clock: any Clock<Duration>) -> (@MainActor () -> Void)? {
    engine.follower?.willHold(for: interval, on: clock, hook: hook)
  }

  func listens(to inbox: any AnyInbox) {
    guard engine.follower != nil else { return }
    inboxes.add(inbox)
  }

  /// Delivers the values that were posted and have not arrived.
  func drainPosts() {
    for inbox in inboxes.all { inbox.drainIfNeeded() }
  }
}
