package import Signalbox

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
  private let signals = Emitter<Int32>()

  private init() {}

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
    signals.filter(ProcessSignals.redrawing.contains).map { _ in }
  }

  /// Waits for an exit code from the program or for a signal that ends it.
  ///
  /// Subscribes before it calls `start`, because `start` may send an exit code at once.
  package func exitCode(
    of exits: any SignalConvertible<Int32>..., start: () -> Void
  ) async -> Int32 {
    // A shell expects 128 plus the number of the signal.
    let leaving = signals.filter(ProcessSignals.leaving.contains).map { 128 + $0 }
    let all = exits.reduce(leaving) { $0.merge(with: $1) }
    let first = Task.immediate { await all.first() }
    ProcessSignals.receive { [signals] in signals.post($0) }
    start()
    return await first.value ?? 0
  }
}
