/// The order of all deliveries, with one queue for all sources.
///
///     send or commit ──▶ in a delivery? ─────── no ─▶ deliver ──▶ drain the queue ──▶ return
///                              │ yes                                   ▲
///                              └──────────▶ append to the queue ───────┘
///
/// A value reaches all of its subscribers before the next one is delivered, as in `A1 B1 A2 B2` and
/// never in `A1 A2 B2 B1` (S5). A chain of sends is a loop here, not a recursion.
@MainActor @usableFromInline enum Propagation {
  /// What a delivery passes on to everything that is written or sent during it.
  struct Context {
    /// How many commits led to this delivery (S17).
    var round = 0
    var chain: WriteChain?
    /// What caused this delivery; `nil` if the sender gave no cause.
    var cause: Cause?
  }

  /// A token for what caused a delivery, whose number only its issuer understands.
  @usableFromInline struct Cause: Sendable {
    let issuer: ObjectIdentifier
    /// The number, with `isEvent` as lowest bit, because a `Bool` would make copies more expensive.
    private let code: Int

    init(issuer: ObjectIdentifier, number: Int, isEvent: Bool) {
      self.issuer = issuer
      code = number << 1 | (isEvent ? 1 : 0)
    }

    var number: Int { code >> 1 }
    /// Whether the value that is delivered is the event itself, and not what follows from it.
    var isEvent: Bool { code & 1 != 0 }
  }

  private struct QueuedDelivery {
    let context: Context
    let deliver: @MainActor () -> Void
  }

  /// The number of rounds after which writes that follow from one another count as a loop (S17).
  static let roundLimit = 100
  /// A loop that branches doubles with every round and never reaches `roundLimit`, so this number
  /// of writes after this number of rounds counts as a loop, too.
  private static let branchingLimit = (writes: 10_000, rounds: 10)

  @safe @exclusivity(unchecked) private(set) static var isDelivering = false
  @safe @exclusivity(unchecked) static var context = Context()
  /// Whether the owner of sinks is being connected.
  @safe @exclusivity(unchecked) private static var isConnecting = false
  /// The number of commits after `branchingLimit.rounds`; before, many commits are normal.
  @safe @exclusivity(unchecked) private static var lateCommits = 0
  @safe @exclusivity(unchecked) private static var isLoopKnown = false

  @safe @exclusivity(unchecked) private static var order: UInt64 = 0
  @safe @exclusivity(unchecked) private static var queue = Queue<QueuedDelivery>()

  /// Returns the next position in the order of subscriptions, which all later values reach (S1).
  static func nextOrder() -> UInt64 {
    order += 1
    return order
  }

  /// The position of the last subscriber that receives a value that is sent now (S3).
  static var currentOrder: UInt64 { order }

  /// What caused the code that runs now; `nil` if it came from outside.
  static var currentCause: Cause? { isDelivering ? context.cause : TaskOrigin.cause }

  /// What causes the values of a source, or the call of a timer, that starts now; `nil` if it
  /// starts with its owner, which it serves as long as the owner lives.
  static var causeOfSources: Cause? { isConnecting ? nil : currentCause }

  static var currentContext: Context {
    isDelivering ? context : Context(cause: TaskOrigin.cause)
  }

  /// The context of a value that comes from outside, even if it is delivered in a delivery.
  static var outsideContext: Context {
    var context = isDelivering ? context : Context()
    context.cause = nil
    return context
  }

  static func connecting<Result>(_ body: () -> Result) -> Result {
    let outer = exchange(&isConnecting, with: true)
    defer { isConnecting = outer }
    return TaskOrigin.without(body)
  }

  /// Runs a body as caused by an event, with everything that it sends and starts.
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

  /// Delivers something that was kept, with its cause; the rounds go on, so a loop is found (S17).
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

  /// Begins a delivery, while no other is in progress.
  static func begin(in context: Context = Context()) {
    isDelivering = true
    Self.context = context
  }

  enum Loop { case none, new, known }

  /// Tells whether a commit is part of a loop, which is reported once for each outermost commit.
  static func loop(in context: Context) -> Loop {
    let isLoop =
      context.round > roundLimit
      || (lateCommits > branchingLimit.writes && context.round > branchingLimit.rounds)
    return isLoop ? (isLoopKnown ? .known : .new) : .none
  }

  static func loopIsKnown() { isLoopKnown = true }

  /// The context of a commit that is made during a delivery.
  static func following(
    _ writer: @escaping @MainActor () -> String, _ path: AnyKeyPath
  ) -> Context {
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

  static func end() {
    if !queue.isEmpty { drain() }
    // A test costs less than clearing what is usually nil. The next delivery sets its own round.
    if context.cause != nil { context.cause = nil }
    lateCommits = 0
    isLoopKnown = false
    isDelivering = false
    if context.chain != nil { releaseChain() }
  }

  /// Releases the write chain last, because its key paths may hold values whose `deinit` sends; not
  /// in `end`, because holding it there would slow down deliveries without a chain.
  @inline(never) private static func releaseChain() {
    let chain = context.chain
    context.chain = nil
    withExtendedLifetime(chain) {}
  }

  static func enqueue(in context: Context, _ delivery: @escaping @MainActor () -> Void) {
    queue.append(QueuedDelivery(context: context, deliver: delivery))
  }

  static func send(_ delivery: @escaping @MainActor () -> Void) {
    if isDelivering {
      enqueue(in: context, delivery)
    } else {
      nested(in: currentContext, delivery)
    }
  }

  /// Runs a body that may deliver values; the context is for a body outside of a delivery.
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
