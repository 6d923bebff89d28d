import Terminal

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file for the log.
///
/// Each line is written at once.
final class LogFile: Sendable {
  private let descriptor: Int32

  /// Opens or creates a file.
  ///
  /// An existing file is appended to, so a mistyped name overwrites nothing.
  init(_ path: String) throws {
    // Only the user may read the file. It has no passwords, but it has personal data.
    descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw SystemError.last }
  }

  deinit {
    _ = close(descriptor)
  }

  /// Writes a line.
  ///
  /// Returns `false` if that failed.
  func write(_ text: String) -> Bool { writeLine(text, to: descriptor) }
}
