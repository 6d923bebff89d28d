/// One hook: what it writes by, and the owner of the sinks that it made (H1, H2, H3).
final class HookScope<State, Action>: Scope<State, Action>, SinkOwner {
  private let describe: () -> String
  /// Made when somebody asks, which most stores nobody does.
  private(set) lazy var hook = describe()
  private var subscription: Subscription?
  private(set) var isOpen = true
  private(set) var sinks = 0
  /// What its sinks may still be sent; only while a test follows the store.
  private var postBoxes: [ObjectIdentifier: WeakPostBox] = [:]
  private var lastPostBox = 0
  /// How many there may be before those that have gone are looked for.
  private var postBoxLimit = 16
  /// How many values are being received, one inside the other.
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

  /// Ends the hook: none of its sinks runs again, whoever holds its subscriptions.
  func close() {
    isOpen = false
    subscription.take()?.end()
  }

  func deliver<Value>(
    _ value: Value, from paths: [AnyKeyPath], _ receive: @MainActor (Value) -> Void
  ) {
    guard isOpen else { return }
    let log = engine.log
    let outer = (own: cause, delivered: Propagation.context.cause)
    let fired = log.emit(
      .hookFired(name: hook, value: value), cause: log.currentCause, paths: paths)
    // A recorder may have ended the hook.
    guard isOpen else { return }
    cause = fired
    Propagation.context.cause = log.cause(cause)
    depth += 1
    // What a sink subscribes to while it runs is the hook's as well.
    owning { receive(value) }
    depth -= 1
    // Only for who goes on with a value before: what a hook does later follows from its last one.
    if depth > 0 { cause = outer.own }
    Propagation.context.cause = outer.delivered
  }

  func hasGainedSink() { sinks += 1 }

  func hasLostSink() {
    sinks -= 1
    if sinks == 0, let follower = engine.follower { follower.hookIsOver(hook) }
  }

  func listens(to box: any PostBox) {
    guard engine.follower != nil else { return }
    let id = ObjectIdentifier(box)
    if postBoxes[id]?.box === box { return }
    if postBoxes.count >= postBoxLimit {
      postBoxes = postBoxes.filter { $0.value.box != nil }
      postBoxLimit = max(16, postBoxes.count * 2)
    }
    lastPostBox += 1
    postBoxes[id] = WeakPostBox(number: lastPostBox, box: box)
  }

  /// Delivers what was posted and has not arrived.
  func drainPosts() {
    for postBox in postBoxes.values.sorted(by: { $0.number < $1.number }) {
      postBox.box?.drainIfNeeded()
    }
  }
}

private struct WeakPostBox {
  let number: Int
  weak var box: (any PostBox)?
}
