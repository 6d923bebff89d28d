#if canImport(Combine)
public import Combine
import Foundation
public import Signalbox

extension SignalOperators where Self: SignalConvertible {
  /// This signal as a Combine publisher.
  ///
  ///     store.publisher.draft.publisher().assign(to: &model.$draft)
  ///
  /// It publishes, on the main actor, the same values that a sink receives. For a state signal these
  /// are the changes only. Call `includingCurrent()` first to start with the current value (S9).
  /// Values that the subscriber has not requested yet are kept, so none is lost. The publisher
  /// completes when the signal finishes, and it does not keep a store alive.
  public func publisher() -> SignalPublisher<Value> { SignalPublisher(signal: signal) }
}

/// A Combine publisher that publishes the values of a signal.
///
/// `SignalConvertible.publisher()` makes one.
public struct SignalPublisher<Output>: Publisher, Sendable {
  /// `Never`, because signals do not fail (S16).
  public typealias Failure = Never

  let signal: Signal<Output>

  /// Subscribes at once on the main actor, and with a hop to it on other threads.
  public func receive<S: Combine.Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Never {
    let outlet = SignalOutlet(to: subscriber)
    subscriber.receive(subscription: outlet)
    MainQueue.run { [signal] in outlet.open(signal) }
  }
}

/// Delivers the values of a signal, on the main actor, as a subscriber requests them on any thread.
private final class SignalOutlet<Downstream: Combine.Subscriber>: Combine.Subscription,
  @unchecked Sendable
where Downstream.Failure == Never {
  private let lock = NSLock()
  // `lock` guards all of these.
  private var downstream: Downstream?
  private var upstream: Signalbox.Subscription?
  private var demand = Subscribers.Demand.none
  private var waiting = Queue<Downstream.Input>()
  private var isFinished = false
  private var isHandingOver = false

  init(to downstream: Downstream) { self.downstream = downstream }

  @MainActor func open(_ signal: Signal<Downstream.Input>) {
    guard lock.withLock({ downstream != nil }) else { return }
    let upstream = signal.sink(
      receiveCompletion: { self.finish() }, receiveValue: { self.receive($0) })
    let isWanted = lock.withLock {
      guard downstream != nil, !isFinished else { return false }
      self.upstream = upstream
      return true
    }
    if !isWanted { upstream.cancel() }
  }

  func request(_ demand: Subscribers.Demand) {
    let hasWaiting = lock.withLock {
      self.demand += demand
      return !waiting.isEmpty
    }
    if hasWaiting { MainQueue.run { self.handOver() } }
  }

  func cancel() {
    // Released after the lock is unlocked, because a `deinit` may call this object again.
    let held = lock.withLock {
      defer { waiting = Queue() }
      return (downstream.take(), upstream.take(), waiting)
    }
    held.1?.cancel()
  }

  @MainActor private func receive(_ value: Downstream.Input) {
    lock.withLock { waiting.append(value) }
    handOver()
  }

  @MainActor private func finish() {
    lock.withLock { isFinished = true }
    handOver()
  }

  /// Delivers values one by one, and never one while the subscriber handles another.
  @MainActor private func handOver() {
    let isAlone = lock.withLock {
      defer { isHandingOver = true }
      return !isHandingOver
    }
    guard isAlone else { return }
    while let (value, downstream) = next() {
      let more = downstream.receive(value)
      lock.withLock { demand += more }
    }
    let finished = lock.withLock {
      isHandingOver = false
      return isFinished && waiting.isEmpty ? downstream.take() : nil
    }
    finished?.receive(completion: .finished)
  }

  private func next() -> (Downstream.Input, Downstream)? {
    lock.withLock {
      guard let downstream, demand > .none, let value = waiting.popFirst() else { return nil }
      demand -= 1
      return (value, downstream)
    }
  }
}
#endif
