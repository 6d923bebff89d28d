import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The lines of standard input.
///
/// A line is read when it is requested.
package final class StandardInput: Sendable {
  private let queue = DispatchQueue(label: "standard input")
  private let framer: Locked<LineFramer>

  /// - Parameter limit: the number of bytes that a line may have.
  package init(limit: Int) {
    framer = Locked(LineFramer(limit: limit))
  }

  /// Reads the next line.
  ///
  /// Returns `nil` at the end.
  package func next() async -> LineFramer.Item? {
    await withCheckedContinuation { continuation in
      queue.async { [framer] in
        continuation.resume(returning: framer.withLock { Self.next(&$0) })
      }
    }
  }

  private static func next(_ framer: inout LineFramer) -> LineFramer.Item? {
    var buffer = [UInt8](repeating: 0, count: 4 << 10)
    while true {
      if let item = framer.next() { return item }
      let capacity = buffer.count
      let count = unsafe read(STDIN_FILENO, &buffer, capacity)
      if count > 0 {
        framer.append(buffer[..<count])
      } else if count < 0, errno == EAGAIN {
        // The parent process has made standard input non-blocking.
        var poll = Poll()
        _ = poll.add(STDIN_FILENO, for: .read)
        poll.wait(until: nil)
      } else if count == 0 || errno != EINTR {
        return framer.finish()
      }
    }
  }
}
