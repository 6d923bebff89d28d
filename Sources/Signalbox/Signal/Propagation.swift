/// The order of all deliveries, with one queue for all sources.
///
///     send or commit ──▶ in a delivery? ─────── no ─▶ deliver ──▶ drain the queue ──▶ return
///                              │ yes                                   ▲
///                              └──────────▶ append to the queue ───────┘
///
/// The current value reaches all of its subscribers before the next value is delivered. Values that
/// the subscribers send in the meantime wait in the queue (S5). The order is `A1 B1 A2 B2`, never
/// `A1 A2 B2 B1`. A chain of sends is a loop here, not a recursion.
@MainActor @usableFromInline enum Propagation {
  /// What a delivery passes on to everything that is written or sent during it.
  struct Context {
    /// How many commits led to this delivery (S17).
    var round = 0
    /// The writes that led to this delivery.
    var chain: WriteChain?
    /// What caused this delivery; `nil` if the sender gave no cause.
    var cause: Cause?
  }

  /// A token for what caused a delivery.
  ///
  /// Deliveries pass it on and never read it. Only its issuer knows what a number stands for.
  @usableFromInline struct Cause: Sendable {
    let issuer: ObjectIdentifier
    /// The number, and in the lowest bit whether the cause is an event that is delivered itself.
    ///
    /// A `Bool` beside the number would make each copy of a context more expensive.
    private let code: Int

    init(issuer: ObjectIdentifier, number: Int, isEvent: Bool) {
      self.issuer = issuer
      code = number << 1 | (isEvent ? 1 : 0)
    }

    var number: Int { code >> 1 }
    /// Whether the value that is delivered is the event itself, and not what follows from it.
    var isEvent: Bool { code & 1 != 0 }
  }

  /// A delivery in the queue.
  private struct QueuedDelivery {
    let context: Context
    let deliver: @MainActor () -> Void
  }

  /// The number of rounds after which writes that follow from one another count as a loop (S17).
  static let roundLimit = 100
  /// The limits for a loop that branches.
  ///
  /// Such a loop doubles with every round and never reaches `roundLimit`. This number of writes
  /// after this number of rounds therefore counts as a loop, too.
  private static let branchingLimit = (writes: 10_000, rounds: 10)

  @safe @exclusivity(unchecked) private(set) static var isDelivering = false
  @safe @exclusivity(unchecked) static var context = Context()
  /// Whether the owner of sinks is being connected.
  @safe @exclusivity(unchecked) private static var isConnecting = false
  /// The number of commits in rounds after `branchingLimit.rounds`.
  ///
  /// In the rounds before, many commits are normal.
  @safe @exclusivity(unchecked) private static var lateCommits = 0
  @safe @exclusivity(unchecked) private static var isLoopKnown = false

  @safe @exclusivity(unchecked) private static var order: UInt64 = 0
  @safe @exclusivity(unchecked) private static var queue = Queue<QueuedDelivery>()

  /// Returns the next position in the order of subscriptions (S1).
  ///
  /// Everything that is sent from now on reaches the subscriber in this position.
  static func nextOrder() -> UInt64 {
    order += 1
    return order
  }

  /// The position of the last subscriber that receives a value that is sent now (S3).
  static var currentOrder: UInt64 { order }

  /// What caused the code that runs now; `nil` if it came from outside.
  static var currentCause: Cause? { isDelivering ? context.cause : TaskOrigin.cause }

  /// What causes the values of a source, or the call of a timer, that starts now.
  ///
  /// Those that start with their owner serve it as long as it lives, and come from outside.
  static var causeOfSources: Cause? { isConnecting ? nil : currentCause }

  /// The context of a value that is sent now.
  static var currentContext: Context {
    isDelivering ? context : Context(cause: TaskOrigin.cause)
  }

  /// The context of a value that comes from outside, even if it is delivered in a delivery.
  static var outsideContext: Context {
    var context = isDelivering ? context : Context()
    context.cause = nil
    return context
  }

  /// Runs a body that connects an owner of sinks.
  static func connecting<Result>(_ body: () -> Result) -> Result {
    let outer = exchange(&isConnecting, with: true)
    defer { isConnecting = outer }
    return TaskOrigin.without(body)
  }

  /// Runs a body as caused by an event, with everything that it sends and starts.
  ///
  /// - Parameter caller: on whose behalf the body calls other code.
  static func causing<Result>(
    _ cause: Cause?, by caller: (any Caller)? = nil, _ body: () -> Result
  ) -> Result {
    let outer = (isConnecting, context.cause)
    isConnecting = false
    // Outside of deliveries, the context is empty.
    if isDelivering { context.cause = cause }
    defer {
      isConnecting = outer.0
      if isDelivering { context.cause = outer.1 }
    }
    return TaskOrigin.with(cause, caller, body)
  }

  /// Delivers something that was kept, with the cause that it had then.
  ///
  /// The rounds of a delivery in progress go on, so that a loop is still found (S17).
  static func resume(_ cause: Cause?, _ body: () -> Void) {
    nested {
      let outer = exchange(&context.cause, with: cause)
      body()
      context.cause = outer
    }
  }

  /// Runs a body inside a delivery as if in a separate one, with its own context and no owner.
  static func aside(in context: Context, _ body: () -> Void) {
    let outer = self.context
    self.context = context
    withoutOwner(body)
    self.context = outer
  }

  /// Begins a delivery.
  ///
  /// No other delivery may be in progress.
  static func begin(in context: Context = Context()) {
    isDelivering = true
    Self.context = context
  }

  /// Whether a commit is part of a loop, and whether that loop was reported already.
  enum Loop { case none, new, known }

  /// Tells whether a commit in a context is part of a loop.
  ///
  /// A loop is reported once for everything that follows from one outermost commit.
  static func loop(in context: Context) -> Loop {
    let isLoop =
      context.round > roundLimit
      || (lateCommits > branchingLimit.writes && context.round > branchingLimit.rounds)
    return isLoop ? (isLoopKnown ? .known : .new) : .none
  }

  static func loopIsKnown() { isLoopKnown = true }

  /// The context of a commit that is made during a delivery.
  static func following(_ writer: String, _ path: AnyKeyPath) -> Context {
    var following = context
    following.round += 1
    if following.round > branchingLimit.rounds { lateCommits += 1 }
    following.chain = WriteChain(parent: context.chain, writer: writer, path: path)
    return following
  }

  /// Begins the delivery of a commit that does not follow from another one.
  static func begin(round: Int) {
    isDelivering = true
    // `end` has left the rest of the context empty.
    context.round = round
  }

  /// Ends a delivery by delivering everything that was sent during it.
  static func end() {
    if !queue.isEmpty { drain() }
    // The cause and the chain are tested before they are cleared. They are usually nil, and a test
    // costs less. The round is not cleared, because the next delivery sets its own.
    if context.cause != nil { context.cause = nil }
    lateCommits = 0
    isLoopKnown = false
    isDelivering = false
    if context.chain != nil { releaseChain() }
  }

  /// Releases the write chain after the end of a delivery.
  ///
  /// Key paths in the chain may hold values whose `deinit` sends. This is a function of its own
  /// because most deliveries have no chain, and holding it in `end` would slow all of them down.
  @inline(never) private static func releaseChain() {
    let chain = context.chain
    context.chain = nil
    withExtendedLifetime(chain) {}
  }

  /// Appends a delivery to the queue, after everything that was sent before.
  static func enqueue(in context: Context, _ delivery: @escaping @MainActor () -> Void) {
    queue.append(QueuedDelivery(context: context, deliver: delivery))
  }

  /// Delivers at once or, inside a delivery, after everything that was sent before.
  static func send(_ delivery: @escaping @MainActor () -> Void) {
    if isDelivering {
      enqueue(in: context, delivery)
    } else {
      nested(in: currentContext, delivery)
    }
  }

  /// Runs a body that may itself deliver values, as subscribing to a signal may.
  ///
  /// - Parameter context: the context, if no delivery is in progress.
  static func nested<Result>(
    in context: @autoclosure () -> Context = Context(), _ body: () -> Result
  ) -> Result {
    guard !isDelivering else { return body() }
    begin(in: context())
    defer { end() }
    return body()
  }

  private static func drain() {
    while let queued = queue.popFirst() {
      let before = exchange(&context, with: queued.context)
      queued.deliver()
      withExtendedLifetime(before) {}
    }
  }
}
