import Foundation
import Signalbox
import Testing

@testable import SignalboxTesting

/// The recording that an issue leaves which is no failure of the test kit.
@MainActor struct RecordedTraitTests {
  @Test("R9 with the trait `recorded`, an issue such as a failed #expect leaves a recording")
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
        #expect(store.title == "other")
      } matching: { issue in
        found.withLock { $0 = issue }
        return true
      }
      if let issue = found.withLock({ $0 }) {
        #expect(IssueHandlingTrait.recorded.handleIssue(issue) != nil)
      }
    }
    #expect(found.withLock { $0 } != nil)
    #expect(names.contains { $0.hasSuffix(".html") }, "\(names)")
  }
}
