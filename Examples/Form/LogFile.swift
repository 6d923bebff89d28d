import Terminal

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file that the log goes to, each line as soon as it is there.
final class LogFile: Sendable {
  private let descriptor: Int32

  /// Adds to a file that is there already: whoever mistypes its name loses nothing.
  init(_ path: String) throws {
    // For no eyes but the user's: what people fill in is theirs, though no password is in it.
    descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw SystemError.last }
  }

  deinit {
    _ = close(descriptor)
  }

  /// Returns `false` if it could not be written.
  func write(_ text: String) -> Bool { writeLine(text, to: descriptor) }
}
