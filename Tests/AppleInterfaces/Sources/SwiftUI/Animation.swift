/// How a change is shown.
public struct Animation: Hashable, Sendable {
  private let name: String

  /// The animation that is meant if none is named.
  public static let `default` = Animation(name: "default")
  /// One that begins slowly and ends slowly.
  public static let easeInOut = Animation(name: "easeInOut")
  /// One that bounces.
  public static let bouncy = Animation(name: "bouncy")
}

/// What changes of one moment have in common.
public struct Transaction: Sendable {
  /// The animation of the changes.
  public var animation: Animation?
  /// Whether views are to leave out animations of their own.
  public var disablesAnimations = false

  /// Makes a transaction without an animation.
  public init() {}

  /// Makes a transaction with an animation.
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
