public import Foundation
public import Signalbox

extension Signal where Value == Result<String, any Error> {
  /// Makes a signal of the lines that can be read from a pipe, a terminal, a socket or a file.
  ///
  ///     Signal.lines(of: .standardInput).sink { line in
  ///       switch line {
  ///       case .success(let text): store.send(.command(text))
  ///       case .failure(let error): print(error)
  ///       }
  ///     }
  ///
  /// A line ends with LF or CRLF, which are not part of it, and the last line may lack its end. A line
  /// of more than 1,048,576 bytes, or one that is not UTF-8, is delivered as a failure with a
  /// `LineError`, and reading goes on (E5). At the end of the file, the signal finishes. If reading
  /// fails, a last failure says why, and the signal finishes.
  ///
  /// Reading starts with the first subscriber and stops with the last one (E4). All subscribers of
  /// one signal receive the same lines. Lines that were read and not delivered are kept for the next
  /// subscriber. Nothing is read before earlier lines have been delivered, so a fast writer has to
  /// wait. After every 100 lines, other tasks run.
  ///
  /// - Parameter handle: is kept as long as the signal. The signal never closes it. It reads from a
  ///   duplicate of the descriptor while it has subscribers, so closing the handle then has no effect
  ///   on it. Nothing else should read from the handle.
  public static func lines(of handle: FileHandle) -> Signal {
    let reading = LineReading { handle.fileDescriptor }
    return Signal { reading.start($0) }.share()
  }
}

/// The lines of one descriptor, for one subscriber at a time.
@MainActor private final class LineReading {
  private let descriptor: @MainActor () -> Int32
  private var framer = LineFramer(limit: 1 << 20)
  /// The task of the last subscriber, which may still be about to keep what it has read.
  private var last: Task<Void, Never>?
  /// What the tasks read from; `nil` if there is no task.
  private var reader: ByteReader?
  /// The number of tasks that have not ended, of which all but one wait for an earlier one.
  private var tasks = 0

  /// - Parameter descriptor: returns what is read, and never closed.
  init(of descriptor: @escaping @MainActor () -> Int32) { self.descriptor = descriptor }

  func start(_ subscriber: Subscriber<Result<String, any Error>>) -> Subscription {
    do {
      // One for all, because many subscribers may come and leave before the first task ends.
      let reader = try self.reader ?? ByteReader(descriptor())
      self.reader = reader
      tasks += 1
      let before = last
      let task = Task.atOnceDetached {
        await before?.value
        // So that the subscribers of this turn of the main actor miss none of the kept lines.
        await Task.yield()
        await self.read(from: reader, into: subscriber)
        self.hasEnded()
      }
      last = task
      return Subscription { task.cancel() }
    } catch {
      subscriber.receive(.failure(LineError.unreadable(reason: "\(error)")))
      subscriber.finish()
      return .empty
    }
  }

  private func hasEnded() {
    tasks -= 1
    if tasks == 0 { reader.take()?.close() }
  }

  private func read(
    from reader: ByteReader, into subscriber: Subscriber<Result<String, any Error>>
  ) async {
    var count = 0
    while true {
      while subscriber.isOpen(), let item = framer.next() {
        subscriber.receive(item.mapError { $0 })
        count += 1
        if count.isMultiple(of: 100) { await Task.yield() }
      }
      guard subscriber.isOpen() else { return }
      let outcome = await reader.read()
      if case .bytes(let bytes) = outcome {
        framer.append(bytes)
        continue
      }
      // The rest is kept for the next subscriber.
      guard subscriber.isOpen() else { return }
      switch outcome {
      case .bytes, .cancelled: return
      case .end:
        if let last = framer.finish() { subscriber.receive(last.mapError { $0 }) }
        return subscriber.finish()
      case .failed(let error):
        if let last = framer.finish() { subscriber.receive(last.mapError { $0 }) }
        subscriber.receive(.failure(LineError.unreadable(reason: "\(error)")))
        return subscriber.finish()
      }
    }
  }
}
