import Foundation
import Signalbox
import SignalboxTesting
import Testing

typealias DeskTest = TestStore<Desk, Job>

/// Leaves the main actor and comes back, so that work has something to wait for that is not a clock.
@concurrent func elsewhere() async {}

/// A chain of hops that takes a while and depends on nothing but the machine.
func farAway() async { for _ in 0..<20 { await elsewhere() } }

/// The texts of the failures that a body records, with times masked.
@MainActor func failures(of body: @MainActor () async -> Void) async -> [String] {
  await storeIssues(of: body).map { issue in
    masked(issue.comments.map(\.rawValue).joined(separator: "\n"))
  }
}

/// A text without what depends on the machine: `after 0.3 ms` becomes `after … ms`.
func masked(_ text: String) -> String {
  text.replacing(/after [0-9.]+ ms/, with: "after … ms")
}

extension [String] {
  /// The failure, where there is to be one.
  var only: String {
    #expect(count == 1, "\(self)")
    return first ?? ""
  }
}

extension String {
  var headline: String { prefix { $0 != "\n" }.description }

  /// The lines below a title, up to the next one.
  func section(_ title: String) -> [String] {
    let lines = split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard let start = lines.firstIndex(of: title) else { return [] }
    return lines[(start + 1)...].prefix { $0.hasPrefix("  ") }.map { String($0.dropFirst(2)) }
  }
}
