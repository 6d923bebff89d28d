import Foundation

/// Reads bytes from a duplicate of a descriptor, without blocking a thread.
///
///     idle ── read() ──▶ waiting ── readable, cancelled ──▶ idle
///       └──── close() ──────┴──▶ closed
///
/// Nothing is read unless it was asked for, so what is not read stays in the pipe.
package final class ByteReader: @unchecked Sendable {
  // Unchecked because only `queue` reads and writes what changes.

  package enum Outcome: Sendable {
    case bytes([UInt8])
    case end
    case failed(SystemError)
    case cancelled
  }

  package typealias Read = @Sendable (Int32) -> (bytes: [UInt8], failure: Int32)

  private enum Phase {
    case idle
    case waiting(Call, CheckedContinuation<Outcome, Never>)
    case closed
  }

  /// One call of `read`.
  private final class Call: @unchecked Sendable {
    // Unchecked because only `queue` reads and writes it.
    var isCancelled = false
  }

  private let descriptor: Int32
  private let readNow: Read
  private let queue = DispatchQueue(label: "SignalboxSources.ByteReader")
  /// `nil` until a read has to wait, because it might never report a device such as `/dev/null`.
  private var watch: ReadWatch?
  private var phase = Phase.idle

  // The original stays its owner's to close. A test replaces `read` to fail as the system may.
  package init(_ original: Int32, read: @escaping Read = { readChunk(of: $0) }) throws {
    readNow = read
    // The duplicate cannot be closed and reused by other code while it is being read.
    descriptor = fcntl(original, F_DUPFD_CLOEXEC, 0)
    guard descriptor >= 0 else { throw SystemError.last }
    if fcntl(descriptor, F_GETFL) & (O_WRONLY | O_RDWR) == O_WRONLY {
      // A wait for something to read would never end.
      _ = Foundation.close(descriptor)
      throw SystemError(code: EBADF)
    }
  }

  /// Waits for bytes, for the end, or for the cancellation of the task, one call at a time.
  package func read() async -> Outcome {
    let call = Call()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        queue.async { self.wait(continuation, of: call) }
      }
    } onCancel: {
      queue.async {
        call.isCancelled = true
        if case .waiting(let waiting, _) = self.phase, waiting === call { self.end(.cancelled) }
      }
    }
  }

  package func close() {
    queue.async {
      self.end(.cancelled)
      guard case .idle = self.phase else { return }
      self.phase = .closed
      if let watch = self.watch { watch.end() } else { _ = Foundation.close(self.descriptor) }
    }
  }

  // MARK: On the queue

  private func wait(_ continuation: CheckedContinuation<Outcome, Never>, of call: Call) {
    guard case .idle = phase, !call.isCancelled else {
      return continuation.resume(returning: .cancelled)
    }
    phase = .waiting(call, continuation)
    readOrWatch()
  }

  private func readOrWatch() {
    readIfReadable()
    guard case .waiting = phase else { return }
    do {
      let watch = try self.watch ?? makeWatch()
      self.watch = watch
      watch.resume()
    } catch {
      end(.failed(error as? SystemError ?? .last))
    }
  }

  private func makeWatch() throws -> ReadWatch {
    try ReadWatch(descriptor, on: queue) { [weak self] in self?.readOrWatch() }
  }

  private func readIfReadable() {
    guard case .waiting = phase else { return }
    // Other code may have read in the meantime, and a read would block this thread.
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&entry, 1, 0) > 0 else { return }
    let (bytes, failure) = readNow(descriptor)
    switch failure {
    case 0: end(bytes.isEmpty ? .end : .bytes(bytes))
    case EAGAIN, EINTR: break
    // A terminal that has been hung up.
    case EIO where isatty(descriptor) == 1: end(.end)
    default: end(.failed(SystemError(code: failure)))
    }
  }

  private func end(_ outcome: Outcome) {
    guard case .waiting(_, let continuation) = phase else { return }
    phase = .idle
    watch?.suspend()
    continuation.resume(returning: outcome)
  }
}

private func readChunk(of descriptor: Int32) -> (bytes: [UInt8], failure: Int32) {
  var failure: Int32 = 0
  let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, count in
    let result = unsafe read(descriptor, buffer.baseAddress, buffer.count)
    failure = result < 0 ? errno : 0
    count = max(result, 0)
  }
  return (bytes, failure)
}
