#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Ends the wait of another thread.
package final class Waker: Sendable {
  package let descriptor: Int32
  private let writer: Int32

  package init() throws {
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

  package func wake() {
    var byte: UInt8 = 0
    // If the pipe is full, the write fails, but the bytes in the pipe wake the thread.
    _ = unsafe write(writer, &byte, 1)
  }

  package func drain() {
    var bytes = [UInt8](repeating: 0, count: 64)
    let capacity = bytes.count
    while unsafe read(descriptor, &bytes, capacity) > 0 {}
  }
}
