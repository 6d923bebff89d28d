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

  /// Returns the place of the descriptor, for `isReady`.
  package mutating func add(_ descriptor: Int32, for interest: Interest) -> Int {
    // A hang-up is reported whether it was asked for or not, and would come again and again to
    // one who does not read; a negative descriptor is skipped.
    let watched = interest.isEmpty ? -1 : descriptor
    entries.append(pollfd(fd: watched, events: interest.rawValue, revents: 0))
    return entries.count - 1
  }

  /// Returns `false` when the time was up.
  @discardableResult
  package mutating func wait(until deadline: ContinuousClock.Instant?) -> Bool {
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

  package func isReady(_ place: Int) -> Bool { entries[place].revents != 0 }
}
