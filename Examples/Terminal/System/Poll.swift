#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Waits for several descriptors at once.
package struct Poll {
  package struct Interest: OptionSet {
    package let rawValue: Int16
    package static let read = Interest(rawValue: Int16(POLLIN))
    package static let write = Interest(rawValue: Int16(POLLOUT))

    package init(rawValue: Int16) {
      self.rawValue = rawValue
    }
  }

  private var entries: [pollfd] = []

  package init() {}

  /// Adds a descriptor.
  ///
  /// Returns its index, for `isReady`.
  package mutating func add(_ descriptor: Int32, for interest: Interest) -> Int {
    // `poll` reports a hang-up even if no event was requested, again and again as long as the
    // descriptor is not read. It skips a negative descriptor.
    let watched = interest.isEmpty ? -1 : descriptor
    entries.append(pollfd(fd: watched, events: interest.rawValue, revents: 0))
    return entries.count - 1
  }

  /// Waits until a descriptor is ready.
  ///
  /// Returns `false` if the deadline came first.
  @discardableResult
  package mutating func wait(until deadline: ContinuousClock.Instant?) -> Bool {
    while true {
      var timeout: Int32 = -1
      if let deadline {
        // Rounded up, because a wait that is too short would be repeated until the deadline.
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

  package func isReady(_ index: Int) -> Bool { entries[index].revents != 0 }
}
