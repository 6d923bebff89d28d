import Dispatch
import Synchronization

/// A connection to a signal, which ends when it is cancelled or released, whichever comes first.
///
/// Keep it as long as values should arrive, because a subscription that is released is cancelled
/// (S12). It can be cancelled from any thread. On the main actor, nothing arrives after `cancel()`
/// has returned (S4). On any other thread, the cancel first hops to the main actor.
public final class Subscription: Sendable, Hashable {
  private let isSpent: Atomic<Bool>
  private let ending: Ending?

  /// Makes a subscription that runs a closure when it ends, at most once and on the main actor.
  ///
  /// - Parameter onCancel: is kept until the subscription ends and is then released.
  public init(_ onCancel: @escaping @MainActor @Sendable () -> Void) {
    isSpent = Atomic(false)
    ending = Ending(onCancel)
  }

  private init() {
    isSpent = Atomic(true)
    ending = nil
  }

  deinit { cancel() }

  /// A subscription to nothing, for a function that must return one.
  public static let empty = Subscription()

  /// Combines several subscriptions into one, which cancels them in the given order.
  public static func all(_ subscriptions: Subscription...) -> Subscription {
    Subscription { for subscription in subscriptions { subscription.cancel() } }
  }

  /// Ends the subscription and releases the objects that its closure captured.
  ///
  /// It can be called on any thread. A second call does nothing.
  public func cancel() {
    if let ending = spend() { MainQueue.run { ending.run() } }
  }

  /// Ends the subscription for a caller on the main actor, without the check that `cancel()` makes.
  @MainActor func end() { spend()?.run() }

  private func spend() -> Ending? {
    isSpent.exchange(true, ordering: .acquiringAndReleasing) ? nil : ending
  }

  /// Keeps the subscription in a set, as long as the set exists.
  public func store(in set: inout Set<Subscription>) { set.insert(self) }

  /// Two subscriptions are equal when they are the same object.
  public static func == (l: Subscription, r: Subscription) -> Bool { l === r }

  /// Hashes the identity of the subscription.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Runs code on the main actor, which leaves the main thread on Linux, so `Thread` cannot tell.
package enum MainQueue {
  private static let key = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  package static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }

  package static func run(_ body: @escaping @MainActor @Sendable () -> Void) {
    if isCurrent { MainActor.assumeIsolated { body() } } else { Task { @MainActor in body() } }
  }
}

/// The closure that runs at the end, emptied on the main actor so that what it captured is released
/// there, whichever thread releases the subscription.
private final class Ending: Sendable {
  @MainActor private var body: (@MainActor @Sendable () -> Void)?
  init(_ body: @escaping @MainActor @Sendable () -> Void) { self.body = body }
  @MainActor func run() { body.take()?() }
}
