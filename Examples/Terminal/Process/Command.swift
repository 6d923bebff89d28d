package import Signalbox

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A command line that makes no sense, and why.
package struct Misuse: Error, Equatable, CustomStringConvertible {
  package var description: String

  package init(_ description: String) {
    self.description = description
  }
}

/// A program as a shell sees it: started with words, told to end by signals, left with a code.
@MainActor
package struct Command {
  private let signals = Emitter<Int32>()

  private init() {}

  /// Runs the program, and explains itself if it cannot.
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

  /// Fires when the window has another size, or the process was stopped for a while.
  package var refreshes: Signal<Void> {
    signals.filter(ProcessSignals.redrawing.contains).map { _ in }
  }

  /// Waits for a reason to leave: one of the program's own, or a signal.
  ///
  /// Listens before it starts what may fire at once.
  package func exitCode(
    of exits: any SignalConvertible<Int32>..., start: () -> Void
  ) async -> Int32 {
    // A shell expects 128 and the signal's number.
    let leaving = signals.filter(ProcessSignals.leaving.contains).map { 128 + $0 }
    let all = exits.reduce(leaving) { $0.merge(with: $1) }
    let first = Task.immediate { await all.first() }
    ProcessSignals.receive { [signals] in signals.post($0) }
    start()
    return await first.value ?? 0
  }
}
