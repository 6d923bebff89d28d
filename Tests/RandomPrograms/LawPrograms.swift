import Foundation

/// How many random programs the laws run.
package enum LawPrograms {
  /// The share of the programs in percent, from the environment.
  ///
  /// A sanitizer runs fewer of them. `SIGNALBOX_LAW_PERCENT=5000` searches fifty times as long.
  private static let percent =
    ProcessInfo.processInfo.environment["SIGNALBOX_LAW_PERCENT"].flatMap { Int($0) } ?? 100

  /// The seeds of the programs of a law.
  ///
  /// - Parameters:
  ///   - count: the number of programs of a usual run of the tests.
  ///   - first: the first seed.
  package static func seeds(_ count: Int, from first: UInt64 = 1) -> Range<UInt64> {
    first..<first + UInt64(self.count(count))
  }

  /// The number of steps of a long program, of which a usual run of the tests has `count`.
  package static func count(_ count: Int) -> Int { max(1, count * percent / 100) }
}
