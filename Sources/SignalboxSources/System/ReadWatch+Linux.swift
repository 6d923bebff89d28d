#if canImport(Glibc) || canImport(Musl) || canImport(Android)
import Foundation
import Signalbox

/// Tells when a descriptor can be read, once for each call of `resume`.
///
/// Not a read source of Dispatch: on Linux, such a source uses memory after it has been freed when
/// the writer of a pipe hangs up (issue 949 of swift-corelibs-libdispatch).
struct ReadWatch {
  private let descriptor: Int32
  private let id: Int

  /// Begins suspended.
  init(
    _ descriptor: Int32, for events: Int32 = POLLIN, on queue: DispatchQueue,
    _ isReadable: @escaping @Sendable () -> Void
  ) throws {
    self.descriptor = descriptor
    id = try ReadPoll.add(pollfd(fd: descriptor, events: Int16(events), revents: 0)) {
      queue.async { isReadable() }
    }
  }

  func resume() { ReadPoll.setArmed(true, id) }
  func suspend() { ReadPoll.setArmed(false, id) }

  /// Closes the descriptor, too.
  func end() {
    ReadPoll.remove(id)
    _ = close(descriptor)
  }
}

/// Waits for all descriptors of the process on one thread, so that not each needs its own.
///
///     armed ── readable ──▶ reported, and no longer armed
private enum ReadPoll {
  private struct Watch {
    let entry: pollfd
    let isReadable: @Sendable () -> Void
    var isArmed = false
  }

  private struct State {
    var last = 0
    var watches: [Int: Watch] = [:]
    /// The end of a pipe that interrupts the wait of the thread; `nil` if there is no thread.
    var waker: Int32?

    func wake() {
      guard let waker else { return }
      var byte: UInt8 = 0
      // A full pipe wakes the thread as well.
      _ = unsafe write(waker, &byte, 1)
    }
  }

  private static let state = LockedValue(State())

  static func add(_ entry: pollfd, _ isReadable: @escaping @Sendable () -> Void) throws -> Int {
    try state.withLock { state in
      if state.waker == nil { state.waker = try startThread() }
      state.last += 1
      state.watches[state.last] = Watch(entry: entry, isReadable: isReadable)
      return state.last
    }
  }

  static func setArmed(_ isArmed: Bool, _ id: Int) {
    state.withLock { state in
      state.watches[id]?.isArmed = isArmed
      if isArmed { state.wake() }
    }
  }

  static func remove(_ id: Int) {
    state.withLock { state in
      state.watches[id] = nil
      // While the thread waits for the descriptor, it keeps the other end of a pipe connected.
      state.wake()
    }
  }

  // MARK: The thread

  private static func startThread() throws -> Int32 {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw SystemError.last }
    let (sleeper, waker) = (ends[0], ends[1])
    for end in ends { _ = (fcntl(end, F_SETFL, O_NONBLOCK), fcntl(end, F_SETFD, FD_CLOEXEC)) }
    Thread.detachNewThread {
      while let ids = armedOrEnd() { wait(for: ids, or: sleeper) }
      _ = (close(sleeper), close(waker))
    }
    return waker
  }

  /// What is armed by their watches; `nil` if there are no watches, so that the thread ends.
  private static func armedOrEnd() -> [(id: Int, entry: pollfd)]? {
    state.withLock { state in
      if state.watches.isEmpty {
        state.waker = nil
        return nil
      }
      return state.watches.filter(\.value.isArmed).map { ($0.key, $0.value.entry) }
    }
  }

  private static func wait(for armed: [(id: Int, entry: pollfd)], or sleeper: Int32) {
    var entries = armed.map(\.entry) + [pollfd(fd: sleeper, events: Int16(POLLIN), revents: 0)]
    guard unsafe poll(&entries, nfds_t(entries.count), -1) > 0 else { return }
    if entries.last?.revents != 0 {
      var bytes: UInt64 = 0
      while unsafe read(sleeper, &bytes, 8) > 0 {}
    }
    let ready = zip(armed, entries).filter { $0.1.revents != 0 }.map(\.0.id)
    let told = state.withLock { state in
      ready.compactMap { id -> (@Sendable () -> Void)? in
        guard state.watches[id]?.isArmed == true else { return nil }
        state.watches[id]?.isArmed = false
        return state.watches[id]?.isReadable
      }
    }
    for tell in told { tell() }
  }
}
#endif
