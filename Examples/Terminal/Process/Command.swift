package import Signalbox
import SignalboxSources

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The error of an invalid command line.
package struct Misuse: Error, Equatable, CustomStringConvertible {
  package var description: String

  package init(_ description: String) {
    self.description = description
  }
}

/// A command-line program, which ends with an exit code and handles signals.
@MainActor
package struct Command {
  /// The signals that end the program.
  private let leaving: Signal<Int32>
  /// Lasts as long as the program, so that a second signal does not end it while it closes.
  private let receiving: Subscription

  private init() {
    let numbers = [SIGINT, SIGTERM, SIGHUP].filter { !Self.isIgnored($0) }
    leaving = numbers.map { Signal.processSignals($0) }.reduce(.never) { $0.merge(with: $1) }
    receiving = leaving.sink { _ in }
    // A write to a closed connection must return an error and not end the program.
    signal(SIGPIPE, SIG_IGN)
  }

  /// Whether a signal is ignored, as `nohup` does, and must continue to be ignored.
  private static func isIgnored(_ number: Int32) -> Bool {
    let before = signal(number, SIG_IGN)
    signal(number, before)
    return unsafe unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Runs the program and exits.
  ///
  /// Prints an error if the program throws one.
  package static func main(
    usage: String, _ run: @MainActor (Command) async throws -> Int32
  ) async -> Never {
    do {
      exit(try await run(Command()))
    } catch let misuse as Misuse {
      writeLine("\(misuse)\n\n\(usage)", to: STDERR_FILENO)
      exit(2)
    } catch {
      complain("\(error)")
      exit(1)
    }
  }

  /// Sends when the size of the window has changed or the process continues after a stop.
  package var refreshes: Signal<Void> {
    Signal.processSignals(SIGWINCH, SIGCONT).map { _ in }
  }

  /// Waits for an exit code from the program or for a signal that ends it.
  ///
  /// Subscribes before it calls `start`, because `start` may send an exit code at once.
  package func exitCode(
    of exits: any SignalConvertible<Int32>..., start: () -> Void
  ) async -> Int32 {
    // A shell expects 128 plus the number of the signal.
    let all = exits.reduce(leaving.map { 128 + $0 }) { $0.merge(with: $1) }
    let codes = all.values
    start()
    for await code in codes { return code }
    return 0
  }
}
