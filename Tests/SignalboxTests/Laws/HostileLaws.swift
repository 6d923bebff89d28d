import Foundation
import Testing

/// Random programs in which values, comparisons, getters, setters and captured objects call back
/// into the store that they belong to: read, write, subscribe, cancel, dispatch, release.
@MainActor struct HostileLaws {
  /// `SIGNALBOX_LAW_PROGRAMS=20000` makes about a million steps of it.
  private static let programs =
    ProcessInfo.processInfo.environment["SIGNALBOX_LAW_PROGRAMS"].flatMap { Int($0) } ?? 400

  @Test("S6 A6 A9 law: nothing that the user's code does in the middle of a change harms the state")
  func law() {
    for seed in 0..<Self.programs {
      let program = HostileProgram(seed: UInt64(seed))
      program.run()
      if !program.mistakes.isEmpty {
        Issue.record("seed \(seed): \(program.mistakes.prefix(3)) \(program.journal.suffix(90))")
        return
      }
    }
  }
}
