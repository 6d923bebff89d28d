import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The terminal in raw mode, which reads key by key instead of line by line.
package final class RawTerminal: Sendable {
  private let original: termios
  private let output: Int32
  private let isStuck = Locked(false)

  package static var isAvailable: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

  package init() throws {
    var mode = termios()
    guard unsafe tcgetattr(STDIN_FILENO, &mode) == 0 else { throw SystemError.last }
    original = mode
    // The terminal is opened again, because the inherited descriptor is shared with the shell.
    // Making that descriptor non-blocking would affect the shell.
    let name = unsafe ttyname(STDOUT_FILENO)
    let own = unsafe name.map { unsafe open($0, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) }
    output = own.flatMap { $0 >= 0 ? $0 : nil } ?? STDOUT_FILENO
  }

  /// Turns on raw mode and bracketed paste.
  package func enter() {
    var mode = original
    mode.c_iflag &= ~tcflag_t(ICRNL | INLCR | IGNCR | IXON | BRKINT | ISTRIP)
    mode.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG | IEXTEN)
    mode.c_cflag |= tcflag_t(CS8)
    _ = unsafe tcsetattr(STDIN_FILENO, TCSANOW, &mode)
    write("\u{1B}[?2004h")
  }

  package func leave() {
    write("\u{1B}[?2004l")
    var mode = original
    _ = unsafe tcsetattr(STDIN_FILENO, TCSANOW, &mode)
  }

  package var columns: Int { size.ws_col > 0 ? Int(size.ws_col) : 80 }
  package var rows: Int { size.ws_row > 0 ? Int(size.ws_row) : 24 }

  private var size: winsize {
    var size = winsize()
    let code = unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size)
    return code == 0 ? size : winsize()
  }

  /// Writes text to the terminal.
  ///
  /// Output is dropped if the terminal accepts nothing for a second, so that a stuck terminal does
  /// not block the program.
  package func write(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe systemWrite(output, $0.baseAddress, $0.count)
      }
      if count > 0 {
        rest = rest.dropFirst(count)
        isStuck.withLock { $0 = false }
      } else if errno == EAGAIN {
        var poll = Poll()
        _ = poll.add(output, for: .write)
        let patience: Duration = isStuck.withLock(\.self) ? .zero : .seconds(1)
        guard poll.wait(until: .now + patience) else {
          return isStuck.withLock { $0 = true }
        }
      } else if errno != EINTR {
        return
      }
    }
  }

  /// Suspends the process, as Ctrl-Z does when the terminal is not in raw mode.
  package func suspendProcess() {
    _ = kill(0, SIGTSTP)
  }

  /// Calls `receive` on a separate thread, with `nil` when the terminal has been closed.
  package func read(_ receive: @escaping @Sendable ([UInt8]?) -> Void) {
    Thread.detachNewThread {
      var buffer = [UInt8](repeating: 0, count: 4 << 10)
      while true {
        let capacity = buffer.count
        let count = unsafe systemRead(STDIN_FILENO, &buffer, capacity)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return receive(nil) }
        receive(Array(buffer[..<count]))
      }
    }
  }
}

// `RawTerminal` has methods with the names of these system functions, which would hide them.
@unsafe private func systemWrite(
  _ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int
) -> Int {
  unsafe write(descriptor, bytes, count)
}

@unsafe private func systemRead(
  _ descriptor: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int
) -> Int {
  unsafe read(descriptor, bytes, count)
}
