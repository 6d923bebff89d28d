import SignalboxTesting
import Testing

/// A failure of the test kit.
struct KitFailure {
  let text: String
  let fileID: String
  let line: Int
}

/// Collects the failures of the test kit in a body, which are not failures of the test.
@MainActor func kitFailures(of body: @MainActor () async -> Void) async -> [KitFailure] {
  let log = SignalLog<KitFailure>()
  let handler = FailureHandler { text, site in
    log.add(KitFailure(text: text, fileID: "\(site.fileID)", line: Int(site.line)))
  }
  await CallSite.$failureHandler.withValue(handler) { await body() }
  return log.entries
}

/// The texts of the failures in a body, with durations masked.
@MainActor func failures(of body: @MainActor () async -> Void) async -> [String] {
  await kitFailures(of: body).map { masked($0.text) }
}

/// Replaces durations and line numbers: `after 0.3 ms` becomes `after … ms`, `Tests.swift:12`
/// becomes `Tests.swift:…`.
func masked(_ text: String) -> String {
  text.replacing(/(after|for) [0-9.]+ ms/) { "\($0.1) … ms" }
    .replacing(/\.swift:[0-9]+/, with: ".swift:…")
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
