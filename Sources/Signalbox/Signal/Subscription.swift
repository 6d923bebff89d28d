import Dispatch
import Synchronization

/// A connection that ends when it is cancelled or released, whichever comes first.
///
/// Keep it for as long as values should arrive: a subscription that is dropped is cancelled
/// (S12). It may be cancelled from any thread. On the main actor nothing arrives once `cancel()`
/// has returned (S4); from elsewhere the cancel hops there first.
public final class Subscription: Sendable, Hashable {
  private let isSpent: Atomic<Bool>
  private let ending: Ending?

  /// Makes a subscription that runs a closure, at most once, on the main actor, when it ends.
  ///
  /// - Parameter onCancel: is kept until the cancel and released with it.
  public init(_ onCancel: @escaping @MainActor @Sendable () -> Void) {
    isSpent = Atomic(false)
    ending = Ending(onCancel)
  }

  private init() {
    isSpent = Atomic(true)
    ending = nil
  }

  deinit { cancel() }

  /// A subscription to nothing: what a hook returns that does not apply.
  public static let empty = Subscription()

  /// Several subscriptions as one, cancelled in the order given.
  public static func all(_ subscriptions: Subscription...) -> Subscription {
    Subscription { for subscription in subscriptions { subscription.cancel() } }
  }

  /// Ends the subscription and releases what it captured; a second call does nothing.
  public func cancel() {
    if let ending = spend() { MainQueue.run { ending.run() } }
  }

  /// Ends the subscription for who is on the main actor, and need not find out.
  @MainActor func end() { spend()?.run() }

  private func spend() -> Ending? {
    isSpent.exchange(true, ordering: .acquiringAndReleasing) ? nil : ending
  }

  /// Keeps the subscription in a set, for as long as the set lives.
  public func store(in set: inout Set<Subscription>) { set.insert(self) }

  /// Two subscriptions are equal when they are the same object.
  public static func == (l: Subscription, r: Subscription) -> Bool { l === r }

  /// Hashes the identity of the subscription.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Tells whether the caller is on the main actor, where a cancel can be carried out at once.
///
/// `Thread.isMainThread` cannot tell: on Linux the main actor leaves the main thread.
package enum MainQueue {
  private static let key = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// Whether the caller is on the main actor.
  package static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }

  /// Runs a body on the main actor: now if this is it, else soon.
  package static func run(_ body: @escaping @MainActor @Sendable () -> Void) {
    if isCurrent { MainActor.assumeIsolated { body() } } else { Task { @MainActor in body() } }
  }
}

/// What a subscription does when it ends: emptied on the main actor, so that what it captured is
/// released there, whoever is the last to hold the subscription.
private final class Ending: Sendable {
  @MainActor private var body: (@MainActor @Sendable () -> Void)?
  init(_ body: @escaping @MainActor @Sendable () -> Void) { self.body = body }
  @MainActor func run() { body.take()?() }
}
