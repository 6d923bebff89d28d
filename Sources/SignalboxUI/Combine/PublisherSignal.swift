#if canImport(Combine)
public import Combine
import Foundation
public import Signalbox

extension Signal where Value: Sendable {
  /// Makes a signal of the values of a publisher, on the main actor and in order.
  ///
  ///     Signal(player.publisher(for: \.rate)).sink { store.rate = $0 }
  ///
  /// The publisher may publish on any thread. Values that it publishes on the main actor arrive at
  /// once. The others arrive with as few hops as possible (S14). Each subscriber of the signal
  /// subscribes to the publisher, and the signal finishes when the publisher has completed. For a
  /// publisher that can fail, use `results(of:)`.
  ///
  /// - Parameter publisher: the publisher. It is kept as long as the signal.
  public init<P: Publisher>(_ publisher: P) where P.Output == Value, P.Failure == Never {
    self.init { subscriber in
      let arrivals = Emitter<Value>()
      let arriving = arrivals.sink(
        receiveCompletion: { subscriber.finish() }, receiveValue: { subscriber.receive($0) })
      let entry = PublisherEntry(to: arrivals)
      publisher.subscribe(entry)
      return Signalbox.Subscription {
        entry.cancel()
        arriving.cancel()
      }
    }
  }
}

extension Signal {
  /// Makes a signal that sends the values of a publisher as `.success` and its error as `.failure`.
  ///
  /// The error is the last value of the signal (S16).
  ///
  /// - Parameter publisher: the publisher. It is kept as long as the signal.
  public static func results<P: Publisher>(of publisher: P) -> Signal
  where Value == Result<P.Output, P.Failure>, P.Output: Sendable {
    Signal(publisher.map { .success($0) }.catch { Just(.failure($0)) })
  }
}

/// Passes the values of a publisher, which come one at a time on any thread, to an emitter.
private final class PublisherEntry<Value: Sendable>: Combine.Subscriber, @unchecked Sendable {
  private let lock = NSLock()
  // `lock` guards both. The emitter finishes when it is released, after the posted values.
  private var emitter: Emitter<Value>?
  private var subscription: (any Combine.Subscription)?

  init(to emitter: Emitter<Value>) { self.emitter = emitter }

  func receive(subscription: any Combine.Subscription) {
    let isWanted = lock.withLock {
      self.subscription = subscription
      return emitter != nil
    }
    if isWanted { subscription.request(.unlimited) } else { subscription.cancel() }
  }

  func receive(_ value: Value) -> Subscribers.Demand {
    guard let emitter = lock.withLock({ emitter }) else { return .none }
    if MainQueue.isCurrent {
      MainActor.assumeIsolated { emitter.send(value) }
    } else {
      emitter.post(value)
    }
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) { _ = take() }

  func cancel() { take()?.cancel() }

  /// Releases both after the lock is unlocked, because a `deinit` may call this object again.
  private func take() -> (any Combine.Subscription)? {
    let held = lock.withLock { (emitter.take(), subscription.take()) }
    return held.1
  }
}
#endif
