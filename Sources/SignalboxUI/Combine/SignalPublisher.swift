#if canImport(Combine)
public import Combine
import Foundation
public import Signalbox

extension SignalConvertible {
  /// This signal, for what wants a publisher.
  ///
  ///     store.publisher.draft.publisher().assign(to: &model.$draft)
  ///
  /// It publishes on the main actor, what a sink would receive: of a state signal changes only; add
  /// `includingCurrent()` before to start with the value of now (S9). Who asks for values one by one
  /// loses none: those that nobody has asked for yet are kept. It completes when the signal
  /// finishes, and keeps no store alive.
  public func publisher() -> SignalPublisher<Value> { SignalPublisher(signal: signal) }
}

/// A signal as a publisher; see `SignalConvertible.publisher()`.
public struct SignalPublisher<Output>: Publisher, Sendable {
  /// A signal does not fail.
  public typealias Failure = Never

  let signal: Signal<Output>

  /// Subscribes: at once on the main actor, soon from elsewhere.
  public func receive<S: Combine.Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Never {
    let outlet = SignalOutlet(to: subscriber)
    subscriber.receive(subscription: outlet)
    MainQueue.run { [signal] in outlet.open(signal) }
  }
}

/// Hands what a signal gives to a subscriber, when that asks for it.
///
/// The subscriber may ask and cancel from any thread; it receives on the main actor.
private final class SignalOutlet<Downstream: Combine.Subscriber>: Combine.Subscription,
  @unchecked Sendable
where Downstream.Failure == Never {
  private let lock = NSLock()
  // All guarded by `lock`.
  private var downstream: Downstream?
  private var upstream: Signalbox.Subscription?
  private var demand = Subscribers.Demand.none
  private var waiting: ArraySlice<Downstream.Input> = []
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
    // Released outside of the lock: what is released may come back here.
    let held = lock.withLock {
      defer { waiting = [] }
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

  /// One by one: a subscriber is not told of the next value while it is told of one.
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
