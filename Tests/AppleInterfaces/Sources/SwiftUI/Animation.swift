/// The way in which a change is animated.
public struct Animation: Hashable, Sendable {
  private let name: String

  /// The default animation.
  public static let `default` = Animation(name: "default")
  /// An animation that starts and ends slowly.
  public static let easeInOut = Animation(name: "easeInOut")
  /// An animation that bounces.
  public static let bouncy = Animation(name: "bouncy")
}

/// The context of a group of changes.
public struct Transaction: Sendable {
  /// The animation of the changes.
  public var animation: Animation?
  /// Whether views leave out their own animations.
  public var disablesAnimations = false

  /// Creates a transaction without an animation.
  public init() {}

  /// Creates a transaction with an animation.
  public init(animation: Animation?) { self.animation = animation }

  @TaskLocal static var current = Transaction()
}

/// Runs a body whose changes are shown with an animation.
public func withAnimation<Result>(
  _ animation: Animation? = .default, _ body: () throws -> Result
) rethrows -> Result {
  try withTransaction(Transaction(animation: animation), body)
}

/// Runs a body whose changes are part of a transaction.
public func withTransaction<Result>(
  _ transaction: Transaction, _ body: () throws -> Result
) rethrows -> Result {
  try Transaction.$current.withValue(transaction, operation: body)
}
