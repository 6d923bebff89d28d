#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Waits for several descriptors at once.
struct Poll {
  struct Interest: OptionSet {
    let rawValue: Int16
    static let read = Interest(rawValue: Int16(POLLIN))
    static let write = Interest(rawValue: Int16(POLLOUT))
  }

  private var entries: [pollfd] = []

  /// Returns the place of the descriptor, for `isReady`.
  mutating func add(_ descriptor: Int32, for interest: Interest) -> Int {
    // A hang-up is reported whether it was asked for or not, and would come again and again to
    // one who does not read; a negative descriptor is skipped.
    let watched = interest.isEmpty ? -1 : descriptor
    entries.append(pollfd(fd: watched, events: interest.rawValue, revents: 0))
    return entries.count - 1
  }

  /// Returns `false` when the time was up.
  @discardableResult
  mutating func wait(until deadline: ContinuousClock.Instant?) -> Bool {
    while true {
      var timeout: Int32 = -1
      if let deadline {
        // Rounded up, for a wait that is too short would be repeated until the deadline.
        let left = deadline - .now
        timeout = Int32(clamping: max(0, Int64((left / .milliseconds(1)).rounded(.up))))
      }
      let count = unsafe entries.withUnsafeMutableBufferPointer {
        unsafe poll($0.baseAddress, nfds_t($0.count), timeout)
      }
      if count < 0 && errno == EINTR { continue }
      return count != 0
    }
  }

  func isReady(_ place: Int) -> Bool { entries[place].revents != 0 }
}

/// Ends another thread's wait.
final class Waker: Sendable {
  let descriptor: Int32
  private let writer: Int32

  init() throws {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw SystemError.last }
    descriptor = ends[0]
    writer = ends[1]
    try makeNonBlocking(descriptor)
    try makeNonBlocking(writer)
  }

  deinit {
    _ = close(descriptor)
    _ = close(writer)
  }

  func wake() {
    var byte: UInt8 = 0
    // A full pipe wakes as well as one byte more would.
    _ = unsafe write(writer, &byte, 1)
  }

  func drain() {
    var bytes = [UInt8](repeating: 0, count: 64)
    let capacity = bytes.count
    while unsafe read(descriptor, &bytes, capacity) > 0 {}
  }
}
