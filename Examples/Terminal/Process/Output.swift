#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Writes a line to a descriptor and waits until it is written.
///
/// Returns `false` if the reader has gone.
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

/// Prints a line to standard output.
///
/// Returns `false` if the reader has gone.
@discardableResult
package func say(_ line: String) -> Bool { writeLine(line, to: STDOUT_FILENO) }

/// Prints a line to standard error.
package func complain(_ sentence: String) {
  writeLine(sentence.printable, to: STDERR_FILENO)
}

extension String {
  /// The bytes of the line and its line end.
  package var asLine: [UInt8] { Array(utf8) + [UInt8(ascii: "\n")] }
}
