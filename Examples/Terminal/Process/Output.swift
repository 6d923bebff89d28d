#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Writes a line at once, whatever the descriptor is; `false` if nobody reads it any more.
@discardableResult
package func writeLine(_ line: String, to descriptor: Int32) -> Bool {
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

/// Tells whoever reads standard output; `false` if nobody does any more.
@discardableResult
package func say(_ line: String) -> Bool { writeLine(line, to: STDOUT_FILENO) }

/// Tells the user, and not whoever reads standard output.
package func complain(_ sentence: String) {
  writeLine(sentence.printable, to: STDERR_FILENO)
}
