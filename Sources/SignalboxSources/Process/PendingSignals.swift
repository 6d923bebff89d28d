#if canImport(Glibc) || canImport(Musl) || canImport(Android)
import Foundation
import Synchronization

/// The signals that have arrived and were not passed on, in the order of arrival.
///
///     next ──────────────┐           ┌── free: taken by the handler that adds the next one
///     slots   [ 0 ][ 0 ][ 2 ][ 15 ][ 0 ][ 0 ] …
///
/// A handler may interrupt any code, so it uses atomic numbers only: no lock, no memory, and no
/// descriptor, which could have been closed meanwhile. Each number is in one slot at most, so the
/// slots never run out.
package enum PendingSignals {
  private static let count = 128
  // Never freed, because a handler may still run when the last receiver has gone. The handlers and
  // the one thread that takes signals out use it by atomic operations alone.
  private nonisolated(unsafe) static let slots = {
    let slots = UnsafeMutablePointer<Atomic<Int32>>.allocate(capacity: count)
    for index in 0..<count { unsafe (slots + index).initialize(to: Atomic(0)) }
    return unsafe slots
  }()
  /// The numbers that are in a slot, as bits.
  private static let isPending = Atomic<UInt64>(0)
  private static let free = Atomic<Int>(0)
  /// Changed only by the thread, or before it starts.
  private static let next = Atomic<Int>(0)

  /// Initializes the globals, because a handler must not do that.
  static func prepare() {
    _ = unsafe slots
    _ = isPending.load(ordering: .relaxed)
    _ = free.load(ordering: .relaxed)
    _ = next.load(ordering: .relaxed)
  }

  /// Runs in the handler of the signal; a test lets `wake` fail, as the system may.
  package static func add(_ number: Int32, wake: () -> Void = { SignalThread.wake() }) {
    // The interrupted code may be about to read it.
    let code = errno
    let bit = UInt64(1) << UInt64(number)
    if isPending.bitwiseOr(bit, ordering: .acquiringAndReleasing).oldValue & bit == 0 {
      let index = free.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue
      unsafe slots[index & (count - 1)].store(number, ordering: .releasing)
    }
    wake()
    errno = code
  }

  /// Takes out the oldest signal, on the thread or before it starts.
  static func take() -> Int32? {
    let index = next.load(ordering: .relaxed)
    // Zero while a handler has taken the slot and not filled it. That handler wakes the thread again.
    let number = unsafe slots[index & (count - 1)].exchange(0, ordering: .acquiringAndReleasing)
    guard number != 0 else { return nil }
    next.store(index + 1, ordering: .relaxed)
    // What arrives from here on is another signal.
    isPending.bitwiseAnd(~(UInt64(1) << UInt64(number)), ordering: .acquiringAndReleasing)
    return number
  }
}

/// The thread that passes signals on, as long as there are receivers.
enum SignalThread {
  // Posting a semaphore is one of the few things that a handler may do. It is never freed, because a
  // handler may still run when the last receiver has gone.
  private nonisolated(unsafe) static let semaphore = {
    let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    unsafe sem_init(semaphore, 0, 0)
    return unsafe semaphore
  }()

  /// Lets the thread look for signals, and end if there are no receivers.
  static func wake() { _ = unsafe sem_post(semaphore) }

  /// Starts the thread, before the first signal is caught.
  static func start() {
    PendingSignals.prepare()
    _ = unsafe semaphore
    // A handler may have added signals for earlier receivers after the last thread ended. One that is
    // still running comes too late for this.
    while PendingSignals.take() != nil {}
    Thread.detachNewThread {
      repeat {
        while unsafe sem_wait(semaphore) != 0 {}
        while let number = PendingSignals.take() { SignalReceivers.receive(number) }
      } while !SignalReceivers.endIfUnused()
    }
  }
}
#endif
