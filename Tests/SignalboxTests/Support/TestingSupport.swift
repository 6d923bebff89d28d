import Foundation
import Signalbox
import SignalboxTesting
import Testing

typealias DeskTest = TestStore<Desk, Job>

/// Leaves the main actor and returns, so that work can wait without a clock.
@concurrent func elsewhere() async {}

/// Hops often enough to take a while, without depending on a clock.
func farAway() async { for _ in 0..<20 { await elsewhere() } }

/// The texts of the failures that a body records, with durations masked.
@MainActor func failures(of body: @MainActor () async -> Void) async -> [String] {
  await storeIssues(of: body).map { issue in
    masked(issue.comments.map(\.rawValue).joined(separator: "\n"))
  }
}

/// Replaces durations: `after 0.3 ms` becomes `after … ms`.
func masked(_ text: String) -> String {
  text.replacing(/after [0-9.]+ ms/, with: "after … ms")
}

extension [String] {
  /// The only element, or an issue if there is not exactly one.
  var only: String {
    #expect(count == 1, "\(self)")
    return first ?? ""
  }
}

extension String {
  var headline: String { prefix { $0 != "\n" }.description }

  /// The lines below a title, up to the next title.
  func section(_ title: String) -> [String] {
    let lines = split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard let start = lines.firstIndex(of: title) else { return [] }
    return lines[(start + 1)...].prefix { $0.hasPrefix("  ") }.map { String($0.dropFirst(2)) }
  }
}
