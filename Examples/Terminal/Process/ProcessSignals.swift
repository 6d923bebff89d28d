import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The signals that the system sends to the process, taken one by one on a thread of its own.
///
/// In a signal handler hardly anything may be done, and which thread it interrupts is open: this
/// one writes the number into a pipe and is done.
package enum ProcessSignals {
  package static let leaving = [SIGINT, SIGTERM, SIGHUP]
  package static let redrawing = [SIGWINCH, SIGCONT]

  private static let pipeEnds: [Int32] = {
    var ends: [Int32] = [-1, -1]
    // Without a pipe the numbers go nowhere, and only Ctrl-C is left to leave with.
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
        // What was interrupted may be about to look at it.
        let code = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = unsafe write(ProcessSignals.pipeEnds[1], &byte, 1)
        errno = code
      }
      // Whoever started this with `nohup` wants it to stay.
      if unsafe unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
        signal(number, SIG_IGN)
      }
    }
    // A peer that has gone is an error to whoever writes to it, and no reason to end.
    signal(SIGPIPE, SIG_IGN)
  }
}
