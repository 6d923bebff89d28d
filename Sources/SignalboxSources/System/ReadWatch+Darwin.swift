#if canImport(Darwin)
import Darwin
import Dispatch

/// Tells when a descriptor can be read, while it is resumed.
final class ReadWatch {
  private let source: any DispatchSourceRead
  private var isSuspended = true

  /// Begins suspended.
  init(
    _ descriptor: Int32, on queue: DispatchQueue, _ isReadable: @escaping @Sendable () -> Void
  ) throws {
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setEventHandler { isReadable() }
    source.setCancelHandler { _ = close(descriptor) }
  }

  func resume() {
    if isSuspended { source.resume() }
    isSuspended = false
  }

  func suspend() {
    if !isSuspended { source.suspend() }
    isSuspended = true
  }

  /// Closes the descriptor, too.
  func end() {
    source.cancel()
    // A suspended source would never run its cancel handler.
    resume()
  }
}
#endif
