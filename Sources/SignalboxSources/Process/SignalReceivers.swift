#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The receivers of the process's signals.
///
/// It is global, because the system has one disposition for each signal and process. A disposition is
/// replaced with the first receiver of its number, and comes back after the last one.
enum SignalReceivers {
  private struct State {
    var last = 0
    var receivers: [(id: Int, numbers: Set<Int32>, receive: @Sendable (Int32) -> Void)] = []
    var catches: [Int32: SignalCatch] = [:]
    var hasThread = false
  }

  private static let state = Locked(State())

  /// Numbers that the system does not let a process receive, or that report a mistake at the
  /// instruction that would be repeated forever.
  private static let excluded = [SIGKILL, SIGSTOP, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP]

  /// Traps if a number cannot be received.
  static func check(_ number: Int32) {
    if excluded.contains(number) || !SignalCatch.isPossible(number) {
      fatalError(
        "processSignals(\(number)): this signal cannot be received. Pass one such as SIGINT.")
    }
  }

  /// - Returns: an identity to remove the receiver with.
  static func add(_ numbers: Set<Int32>, _ receive: @escaping @Sendable (Int32) -> Void) -> Int {
    state.withLock { state in
      if !state.hasThread { SignalThread.start() }
      state.hasThread = true
      state.last += 1
      state.receivers.append((state.last, numbers, receive))
      for number in numbers where state.catches[number] == nil {
        state.catches[number] = SignalCatch(number)
      }
      return state.last
    }
  }

  static func remove(_ id: Int) {
    state.withLock { state in
      guard let index = state.receivers.firstIndex(where: { $0.id == id }) else { return }
      for number in state.receivers.remove(at: index).numbers
      where !state.receivers.contains(where: { $0.numbers.contains(number) }) {
        state.catches.removeValue(forKey: number)?.end()
      }
    }
    SignalThread.wake()
  }

  /// Tells the thread whether to end, because there is no receiver left.
  static func endIfUnused() -> Bool {
    state.withLock { state in
      if state.receivers.isEmpty { state.hasThread = false }
      return !state.hasThread
    }
  }

  /// Passes a signal on to its receivers, on any thread.
  static func receive(_ number: Int32) {
    let receivers = state.withLock { $0.receivers.filter { $0.numbers.contains(number) } }
    for receiver in receivers { receiver.receive(number) }
  }
}
