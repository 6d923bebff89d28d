import Foundation
import Signalbox

/// The receivers of the process's signals.
///
/// Global, because the system has one disposition for each signal and process, which is replaced
/// with the first receiver of a number and comes back after the last one.
enum SignalReceivers {
  private struct State {
    var last = 0
    /// The receivers, by their identities, which grow.
    var receivers: [Int: (numbers: Set<Int32>, receive: @Sendable (Int32) -> Void)] = [:]
    var catches: [Int32: (catcher: SignalCatch, receivers: Int)] = [:]
    var hasThread = false
  }

  private static let state = LockedValue(State())

  // Cannot be received, or report a mistake at an instruction that would be repeated forever.
  private static let excluded = [SIGKILL, SIGSTOP, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP]

  static func check(_ number: Int32) {
    if excluded.contains(number) || !SignalCatch.isPossible(number) {
      fatalError(
        "processSignals(\(number)): this signal cannot be received. Pass one such as SIGINT.")
    }
  }

  static func add(_ numbers: Set<Int32>, _ receive: @escaping @Sendable (Int32) -> Void) -> Int {
    state.withLock { state in
      if !state.hasThread { SignalThread.start() }
      state.hasThread = true
      state.last += 1
      state.receivers[state.last] = (numbers, receive)
      for number in numbers {
        state.catches[number, default: (SignalCatch(number), 0)].receivers += 1
      }
      return state.last
    }
  }

  static func remove(_ id: Int) {
    state.withLock { state in
      for number in state.receivers.removeValue(forKey: id)?.numbers ?? [] {
        state.catches[number]?.receivers -= 1
        guard let (catcher, count) = state.catches[number], count == 0 else { continue }
        catcher.end()
        state.catches[number] = nil
      }
    }
    SignalThread.wake()
  }

  /// Whether the thread must end, because there is no receiver left.
  static func endIfUnused() -> Bool {
    state.withLock { state in
      if state.receivers.isEmpty { state.hasThread = false }
      return !state.hasThread
    }
  }

  /// Passes a signal on to its receivers, on any thread.
  static func receive(_ number: Int32) {
    let receivers = state.withLock { $0.receivers.filter { $0.value.numbers.contains(number) } }
    for (_, receiver) in receivers.sorted(by: { $0.key < $1.key }) { receiver.receive(number) }
  }
}
