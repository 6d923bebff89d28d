import Foundation
import Synchronization

/// Where values wait that were posted, whatever their type.
protocol PostBox: AnyObject, Sendable {
  @MainActor func drainIfNeeded()
}

/// The way in from other threads: any number of posts, one task on the main actor that drains
/// them (S14).
///
/// The task exists only while there is something to drain. It takes all that has gathered at once
/// and lets others onto the main actor before it takes more, so that a flood does not keep them
/// waiting. It is detached: what it delivers was posted by many, and must not run with the
/// task-locals and the priority of the first of them.
final class Inbox<Value>: PostBox {
  enum Message {
    case value(Value)
    case finish
  }

  private let lock = NSLock()
  // Guarded by `lock`; the values are `Sendable` wherever `post` can be called.
  private nonisolated(unsafe) var messages: [(message: Message, isFromWithin: Bool)] = []
  private nonisolated(unsafe) var isDraining = false
  // What is being delivered, last first.
  @MainActor private var batch: [Message] = []
  // Tells `send` without a lock that there is nothing to wait for.
  private let isEmpty = Atomic(true)
  private let isDelivering = Atomic(false)
  private let recurses: Bool
  private let receive: @MainActor @Sendable (Message) -> Void

  /// - Parameter recurses: whether a delivery that drains again delivers what is left of this one.
  ///   If each message can lead to that, a flood of them would use up the stack; then what was
  ///   posted from within is delivered, and the rest waits.
  init(recurses: Bool = true, _ receive: @escaping @MainActor @Sendable (Message) -> Void) {
    self.recurses = recurses
    self.receive = receive
  }

  func post(_ value: Value) { append(.value(value)) }

  /// Finishes after what was posted before: on the main actor before it returns.
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

  /// Finishes after what was posted before: at once if that is nothing and this the main actor.
  ///
  /// Not by `finish`, because what was posted is never delivered from inside a `deinit`.
  func close() {
    if isEmpty.load(ordering: .acquiring), MainQueue.isCurrent {
      MainActor.assumeIsolated { receive(.finish) }
    } else {
      append(.finish)
    }
  }

  /// Delivers what was posted before the caller's own value, to keep the order of a producer that
  /// does both.
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
    // A constant, because Swift 6.3 does not compile this closure as an argument of `detached`.
    let drainTask: @MainActor @Sendable () async -> Void = { await self.drainUntilEmpty() }
    Task.detached(operation: drainTask)
  }

  @MainActor private func drainUntilEmpty() async {
    while !stopIfEmpty() {
      drain()
      await Task.yield()
    }
  }

  /// Delivers what has gathered until now.
  @MainActor private func drain() {
    let isOutermost = !isDelivering.exchange(true, ordering: .acquiringAndReleasing)
    if !isOutermost, !recurses {
      for message in take(where: \.isFromWithin) { receive(message) }
      return
    }
    while let message = batch.popLast() { receive(message) }
    batch = take(where: { _ in true }).reversed()
    while let message = batch.popLast() { receive(message) }
    if isOutermost { isDelivering.store(false, ordering: .releasing) }
    lock.withLock { if unsafe messages.isEmpty { isEmpty.store(true, ordering: .releasing) } }
  }

  private func take(where isMeant: ((message: Message, isFromWithin: Bool)) -> Bool) -> [Message] {
    lock.withLock {
      let taken = unsafe messages.filter(isMeant).map(\.message)
      unsafe messages.removeAll(where: isMeant)
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
