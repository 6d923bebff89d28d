/// The order in which everything is told: one queue for all emitters and stores.
///
///     send or commit ──▶ nothing under way? ── yes ─▶ deliver ──▶ drain the queue ──▶ return
///                              │ no                                    ▲
///                              └──────────▶ append to the queue ───────┘
///
/// The value in hand reaches all of its subscribers before the next begins, and whatever they
/// send meanwhile waits its turn (S5). So `A1 B1 A2 B2`, never `A1 A2 B2 B1`; so, too, a chain of
/// sends is a loop here and not a recursion.
@MainActor enum Propagation {
  /// What a delivery passes on to what is written or sent during it.
  struct Context {
    /// How many commits led to this delivery (S17).
    var round = 0
    /// Who wrote what, on the way here.
    var chain: WriteChain?
    /// The store event that this delivery follows from.
    var cause: Cause?
  }

  /// A store event, told apart from those of other stores.
  struct Cause {
    let log: ObjectIdentifier
    let id: Int
  }

  private struct QueuedDelivery {
    let context: Context
    let deliver: @MainActor () -> Void
  }

  /// Writes that follow from one another beyond this many rounds are a loop (S17).
  static let roundLimit = 100
  /// A loop that branches never gets so far: each round is twice the one before.
  ///
  /// So many writes after so many rounds are one, too.
  private static let branchingLimit = (writes: 10_000, rounds: 10)

  @safe @exclusivity(unchecked) private(set) static var isDelivering = false
  @safe @exclusivity(unchecked) static var context = Context()
  /// How many commits there were beyond the rounds in which many are nothing out of the way.
  @safe @exclusivity(unchecked) private static var followers = 0
  @safe @exclusivity(unchecked) private static var isLoopKnown = false

  /// The owner of the sinks that are being made, if it is a hook that makes them (H2).
  static var owner: (any SinkOwner)?

  /// What the sink that is being attached reads of a state; `nil` while nobody wants to know.
  static var readPaths: ReadPaths?

  @safe @exclusivity(unchecked) private static var order: UInt64 = 0
  @safe @exclusivity(unchecked) private static var queue: [QueuedDelivery?] = []
  @safe @exclusivity(unchecked) private static var head = 0

  /// A place in the order of subscriptions (S1).
  ///
  /// Whatever is sent from now on reaches it.
  static func nextOrder() -> UInt64 {
    order += 1
    return order
  }

  /// Who subscribes from now on is beyond what is sent now (S3).
  static var currentOrder: UInt64 { order }

  /// What something that is sent now follows from.
  static var currentContext: Context { isDelivering ? context : Context() }

  /// Runs a body in the course of a delivery as if it had a delivery of its own: on behalf of no
  /// hook, and following from its own context.
  static func aside(in context: Context, _ body: () -> Void) {
    let outer = (context: self.context, readPaths: readPaths)
    self.context = context
    readPaths = nil
    withoutOwner(body)
    self.context = outer.context
    readPaths = outer.readPaths
  }

  /// Begins a delivery.
  ///
  /// Only when nothing is under way.
  static func begin(in context: Context = Context()) {
    isDelivering = true
    Self.context = context
  }

  enum Loop { case none, new, known }

  /// Whether a commit that is to be told in a context is part of a loop, and whether that was
  /// reported already, as it is once for everything that follows from one outermost commit.
  static func loop(in context: Context) -> Loop {
    let isLoop =
      context.round > roundLimit
      || (followers > branchingLimit.writes && context.round > branchingLimit.rounds)
    return isLoop ? (isLoopKnown ? .known : .new) : .none
  }

  static func loopIsKnown() { isLoopKnown = true }

  /// The context of a commit that is made during a delivery.
  static func following(_ writer: String, _ path: AnyKeyPath) -> Context {
    var following = context
    following.round += 1
    if following.round > branchingLimit.rounds { followers += 1 }
    following.chain = WriteChain(parent: context.chain, writer: writer, path: path)
    return following
  }

  /// Begins the delivery of a commit that nothing led to.
  static func begin(round: Int) {
    isDelivering = true
    context.round = round
  }

  /// Ends a delivery by delivering all that was sent during it.
  static func end() {
    if !queue.isEmpty { drain() }
    // Each by itself: most are nil, and to look costs less than to replace.
    context.round = 0
    if context.cause != nil { context.cause = nil }
    followers = 0
    isLoopKnown = false
    isDelivering = false
    if context.chain != nil { releaseChain() }
  }

  /// After the end: key paths in the trail may hold values whose `deinit` sends.
  ///
  /// Apart, since most deliveries have no trail, and to hold it here would cost all of them.
  @inline(never) private static func releaseChain() {
    let chain = context.chain
    context.chain = nil
    withExtendedLifetime(chain) {}
  }

  /// Delivers after everything that was sent before.
  static func enqueue(in context: Context, _ delivery: @escaping @MainActor () -> Void) {
    queue.append(QueuedDelivery(context: context, deliver: delivery))
  }

  /// Delivers at once or, from inside a delivery, after what was sent before.
  static func send(_ delivery: @escaping @MainActor () -> Void) {
    if isDelivering { enqueue(in: context, delivery) } else { nested(delivery) }
  }

  /// Runs a body that may deliver by itself, such as subscribing to a signal with a first value.
  static func nested<Result>(_ body: () -> Result) -> Result {
    guard !isDelivering else { return body() }
    begin()
    defer { end() }
    return body()
  }

  private static func drain() {
    while head < queue.count {
      let queued = queue[head].take()
      head += 1
      // Half of it read: a chain that never empties the queue must not grow it either.
      if head > 1_000, head * 2 > queue.count {
        queue.removeFirst(head)
        head = 0
      }
      guard let queued else { continue }
      let before = exchange(&context, with: queued.context)
      queued.deliver()
      withExtendedLifetime(before) {}
    }
    queue.removeAll(keepingCapacity: queue.count < 1_000)
    head = 0
  }
}
