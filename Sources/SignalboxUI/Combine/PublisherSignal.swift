#if canImport(Combine)
public import Combine
import Foundation
public import Signalbox

extension Signal where Value: Sendable {
  /// Gives what a publisher publishes, on the main actor and in order, whatever the thread.
  ///
  ///     Signal(player.publisher(for: \.rate)).sink { store.rate = $0 }
  ///
  /// What is published on the main actor arrives at once, the rest soon and by as few hops as
  /// possible (S14). Each subscriber subscribes to the publisher, and the signal finishes when that
  /// has completed. Of a publisher that can fail, `results(of:)` makes a signal.
  ///
  /// - Parameter publisher: is kept as long as the signal.
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
  /// Gives what a publisher publishes as `.success`, and the error that it fails with as a last
  /// `.failure` (S16).
  ///
  /// - Parameter publisher: is kept as long as the signal.
  public static func results<P: Publisher>(of publisher: P) -> Signal
  where Value == Result<P.Output, P.Failure>, P.Output: Sendable {
    Signal(publisher.map { .success($0) }.catch { Just(.failure($0)) })
  }
}

/// Receives from a publisher, on any thread, and hands on to an emitter.
///
/// A publisher speaks with one voice at a time, but not always from the same thread.
private final class PublisherEntry<Value: Sendable>: Combine.Subscriber, @unchecked Sendable {
  private let lock = NSLock()
  // Both guarded by `lock`. The emitter finishes when it is released, after what was posted.
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

  /// Lets go of everything, outside of the lock: what is released may come back here.
  private func take() -> (any Combine.Subscription)? {
    let held = lock.withLock { (emitter.take(), subscription.take()) }
    return held.1
  }
}
#endif
