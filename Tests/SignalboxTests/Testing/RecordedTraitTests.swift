import Foundation
import Signalbox
import Testing

@testable import SignalboxTesting

/// The recording that an issue leaves which is no failure of the test kit.
@MainActor struct RecordedTraitTests {
  @Test("R9 with the trait `recorded`, a failed #expect leaves a recording with its place")
  func issue() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    var names: [String] {
      (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    }
    let found = LockedValue<Issue?>(nil)
    RecordingFolder.$current.withValue(folder) {
      let store = DeskTest(state: Desk(), actionable: Handling { _, _ in })
      withKnownIssue {
        #expect(store.title == "other", "The title")
      } matching: { issue in
        found.withLock { $0 = issue }
        return true
      }
      if let issue = found.withLock({ $0 }) {
        // A suite passes on an issue, too, after its test.
        for _ in 1...2 { #expect(IssueHandlingTrait.recorded.handleIssue(issue) != nil) }
      }
    }
    #expect(found.withLock { $0 } != nil)
    #expect(names.contains { $0.hasSuffix(".html") }, "\(names)")
    let file = try #require(names.first { $0.hasSuffix(".jsonl") })
    let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
    let failures = text.split(separator: "\n").filter { $0.contains("testFailed") }
    #expect(failures.count == 1)
    #expect(failures.first?.contains(#"RecordedTraitTests.swift:"#) == true)
    #expect(failures.first?.contains("The title") == true)
    // The values of an expectation may be redacted.
    #expect(failures.first?.contains("other") == false)
  }
}
