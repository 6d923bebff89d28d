import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Standard input as lines, read no faster than they are asked for.
final class StandardInput: Sendable {
  private let queue = DispatchQueue(label: "standard input")
  private let framer = Locked(LineFramer(limit: Wire.textLimit))

  /// `nil` at the end.
  func next() async -> LineFramer.Item? {
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
        // Whoever started this program left it non-blocking.
        var poll = Poll()
        _ = poll.add(STDIN_FILENO, for: .read)
        poll.wait(until: nil)
      } else if count == 0 || errno != EINTR {
        return framer.finish()
      }
    }
  }
}

/// Writes a line at once, whatever the descriptor is; `false` if nobody reads it any more.
@discardableResult
func writeLine(_ line: String, to descriptor: Int32) -> Bool {
  var rest = line.asLine[...]
  while !rest.isEmpty {
    let count = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
    if count >= 0 {
      rest = rest.dropFirst(count)
    } else if errno == EAGAIN {
      var poll = Poll()
      _ = poll.add(descriptor, for: .write)
      poll.wait(until: nil)
    } else if errno != EINTR {
      return false
    }
  }
  return true
}
