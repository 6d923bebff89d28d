import Foundation
import Synchronization

/// The queue through which other threads send values to the main actor (S14).
///
/// One task drains the queue, and exists only while there are values. It takes all of them at once
/// and yields before it takes more, so a flood of posts does not block the main actor. It is
/// detached, because its values must not have the task-local values and the priority of the first
/// of many posters.
final class Inbox<Value>: AnyInbox {
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

  /// - Parameter recurses: whether a drain inside a delivery delivers all messages. With `false`,
  ///   it delivers only those posted during the delivery. Otherwise, a flood of messages that each
  ///   lead to such a drain would overflow the stack.
  init(recurses: Bool = true, _ receive: @escaping @MainActor @Sendable (Message) -> Void) {
    self.recurses = recurses
    self.receive = receive
  }

  func post(_ value: Value) { append(.value(value)) }

  /// Finishes after the values that were posted before, on the main actor before it returns.
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

  /// Finishes for a `deinit`, in which posted values are not delivered: at once if there are none.
  func close() {
    if isEmpty.load(ordering: .acquiring), MainQueue.isCurrent {
      MainActor.assumeIsolated { receive(.finish) }
    } else {
      append(.finish)
    }
  }

  /// Delivers what was posted before, to keep the order of a producer that both posts and sends.
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

  @MainActor private func drain() {
    if isDelivering.exchange(true, ordering: .acquiringAndReleasing), !recurses {
      for message in take(where: \.isFromWithin) { receive(message) }
      return
    }
    while let message = taken.popLast() { receive(message) }
    taken = take(where: { _ in true }).reversed()
    while let message = taken.popLast() { receive(message) }
    // A drain inside this one may have cleared it. An inbox that recurses ignores it anyway.
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
