import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Receives the process's signals one by one on a separate thread.
///
/// A signal handler may call very few functions, and it may interrupt any thread. So this handler
/// only writes the number of the signal to a pipe.
package enum ProcessSignals {
  package static let leaving = [SIGINT, SIGTERM, SIGHUP]
  package static let redrawing = [SIGWINCH, SIGCONT]

  private static let pipeEnds: [Int32] = {
    var ends: [Int32] = [-1, -1]
    // Without a pipe, signals are ignored and only the key Ctrl-C ends the program.
    _ = unsafe pipe(&ends)
    return ends
  }()

  package static func receive(_ handle: @escaping @Sendable (Int32) -> Void) {
    let reader = pipeEnds[0]
    Thread.detachNewThread {
      while true {
        var number: UInt8 = 0
        let count = unsafe read(reader, &number, 1)
        if count < 0 && errno == EINTR { continue }
        guard count == 1 else { return }
        handle(Int32(number))
      }
    }
    for number in leaving + redrawing {
      let before = signal(number) { number in
        // The interrupted code may be about to read `errno`.
        let code = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = unsafe write(ProcessSignals.pipeEnds[1], &byte, 1)
        errno = code
      }
      // `nohup` ignores a signal, and the program must then continue to ignore it.
      if unsafe unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
        signal(number, SIG_IGN)
      }
    }
    // A write to a closed connection must return an error and not end the program.
    signal(SIGPIPE, SIG_IGN)
  }
}
