import Foundation

/// How many random programs the laws run.
package enum LawPrograms {
  /// The share of the programs in percent, from the environment.
  ///
  /// A tenth of them finds most mistakes while one works. CI runs all of them, and
  /// `SIGNALBOX_LAW_PERCENT=5000` searches fifty times as long.
  private static let percent =
    ProcessInfo.processInfo.environment["SIGNALBOX_LAW_PERCENT"].flatMap { Int($0) } ?? 10

  /// The seeds of the programs of a law.
  ///
  /// - Parameters:
  ///   - count: the number of programs of a run in CI.
  ///   - first: the first seed.
  package static func seeds(_ count: Int, from first: UInt64 = 1) -> Range<UInt64> {
    first..<first + UInt64(self.count(count))
  }

  /// The number of steps of a long program, of which a run in CI has `count`.
  package static func count(_ count: Int) -> Int { max(1, count * percent / 100) }
}
