import Foundation
import Synchronization

/// The queue through which other threads send values to the main actor (S14).
///
/// One task on the main actor drains the queue, however many values are posted. The task exists
/// only while the queue has values. It takes all of them at once and yields to other tasks on the
/// main actor before it takes more, so a flood of posts does not block them. The task is detached
/// because its values come from many posters. They must not be delivered with the task-local values
/// and the priority of the first poster.
final class Inbox<Value>: AnyInbox {
  /// A posted value, or the end of the values.
  enum Message {
    case value(Value)
    case finish
  }

  private let lock = NSLock()
  // Guarded by `lock`. The values are `Sendable` wherever `post` can be called.
  private nonisolated(unsafe) var messages: [(message: Message, isFromWithin: Bool)] = []
  private nonisolated(unsafe) var isDraining = false
  // The messages that a drain has taken and not delivered yet, the last one first. Not a `Queue`,
  // because they come all at once, and generic code would wrap each of them in an optional.
  @MainActor private var taken: [Message] = []
  // Tells `drainIfNeeded` and `close` without the lock that the queue is empty.
  private let isEmpty = Atomic(true)
  private let isDelivering = Atomic(false)
  private let recurses: Bool
  private let receive: @MainActor @Sendable (Message) -> Void

  /// - Parameter recurses: whether a drain inside a delivery delivers the rest of the messages. If
  ///   each message can lead to such a drain, a flood of messages would overflow the stack. With
  ///   `false`, the drain delivers only the messages that were posted during the delivery, and the
  ///   rest waits.
  init(recurses: Bool = true, _ receive: @escaping @MainActor @Sendable (Message) -> Void) {
    self.recurses = recurses
    self.receive = receive
  }

  func post(_ value: Value) { append(.value(value)) }

  /// Finishes after the values that were posted before.
  ///
  /// On the main actor, it takes effect before it returns.
  func finish() {
    if MainQueue.isCurrent {
      MainActor.assumeIsolated {
        drainIfNeeded()
        receive(.finish)
      }
    } else {
      append(.finish)
    }
  }

  /// Finishes after the values that were posted before, for a `deinit`.
  ///
  /// On the main actor, it finishes at once if the queue is empty. It does not call `finish`,
  /// because posted values are never delivered inside a `deinit`.
  func close() {
    if isEmpty.load(ordering: .acquiring), MainQueue.isCurrent {
      MainActor.assumeIsolated { receive(.finish) }
    } else {
      append(.finish)
    }
  }

  /// Delivers the values that were posted before the caller sends its own value.
  ///
  /// This keeps the order of a producer that both posts and sends.
  @MainActor func drainIfNeeded() {
    guard !isEmpty.load(ordering: .acquiring) else { return }
    drain()
  }

  private func append(_ message: Message) {
    let isFromWithin = isDelivering.load(ordering: .acquiring) && MainQueue.isCurrent
    let mustStart = lock.withLock {
      unsafe messages.append((message, isFromWithin))
      isEmpty.store(false, ordering: .releasing)
      defer { unsafe isDraining = true }
      return unsafe !isDraining
    }
    guard mustStart else { return }
    // It is a constant because Swift 6.3 does not compile the closure as an argument of `detached`.
    let drainTask: @MainActor @Sendable () async -> Void = { await self.drainUntilEmpty() }
    if PostedDelivery.isPartOfItsTask {
      Task(operation: drainTask)
    } else {
      Task.detached(operation: drainTask)
    }
  }

  @MainActor private func drainUntilEmpty() async {
    while !stopIfEmpty() {
      drain()
      await Task.yield()
    }
  }

  /// Delivers the messages that are in the queue now.
  @MainActor private func drain() {
    if isDelivering.exchange(true, ordering: .acquiringAndReleasing), !recurses {
      for message in take(where: \.isFromWithin) { receive(message) }
      return
    }
    while let message = taken.popLast() { receive(message) }
    taken = take(where: { _ in true }).reversed()
    while let message = taken.popLast() { receive(message) }
    // A drain inside this one may have cleared it already, but only in an inbox that recurses. Such
    // an inbox does not depend on it.
    isDelivering.store(false, ordering: .releasing)
    lock.withLock { if unsafe messages.isEmpty { isEmpty.store(true, ordering: .releasing) } }
  }

  private func take(where isTaken: ((message: Message, isFromWithin: Bool)) -> Bool) -> [Message] {
    lock.withLock {
      let taken = unsafe messages.filter(isTaken).map(\.message)
      unsafe messages.removeAll(where: isTaken)
      return taken
    }
  }

  private func stopIfEmpty() -> Bool {
    lock.withLock {
      if unsafe messages.isEmpty { unsafe isDraining = false }
      return unsafe !isDraining
    }
  }
}

/// An inbox for values of any type.
protocol AnyInbox: AnyObject, Sendable {
  @MainActor func drainIfNeeded()
}
