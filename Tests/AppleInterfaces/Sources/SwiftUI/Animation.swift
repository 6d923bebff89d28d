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
public struct Transaction {
  // SwiftUI distinguishes an animation that was set to `nil` from one that was not set.
  private var setAnimation: Animation??
  private var setDisablesAnimations: Bool?

  /// Creates a transaction without an animation.
  public init() {}

  /// Creates a transaction with an animation.
  public init(animation: Animation?) { setAnimation = .some(animation) }

  /// The animation of the changes.
  public var animation: Animation? {
    get { setAnimation ?? nil }
    set { setAnimation = .some(newValue) }
  }

  /// Whether views leave out their own animations.
  public var disablesAnimations: Bool {
    get { setDisablesAnimations ?? false }
    set { setDisablesAnimations = newValue }
  }

  /// This transaction, with what is set in another one.
  func merging(_ other: Transaction) -> Transaction {
    var merged = self
    merged.setAnimation = other.setAnimation ?? setAnimation
    merged.setDisablesAnimations = other.setDisablesAnimations ?? setDisablesAnimations
    return merged
  }

  // SwiftUI keeps it for a thread, so tasks do not inherit it. All code here is on the main thread.
  nonisolated(unsafe) fileprivate(set) static var current = Transaction()
}

extension Transaction: Equatable {}

@available(*, unavailable)
extension Transaction: Sendable {}

/// Runs a body whose changes are shown with an animation.
public func withAnimation<Result>(
  _ animation: Animation? = .default, _ body: () throws -> Result
) rethrows -> Result {
  try withTransaction(Transaction(animation: animation), body)
}

/// Runs a body whose changes are part of a transaction and of the transactions around it.
public func withTransaction<Result>(
  _ transaction: Transaction, _ body: () throws -> Result
) rethrows -> Result {
  let outer = Transaction.current
  Transaction.current = outer.merging(transaction)
  defer { Transaction.current = outer }
  return try body()
}
