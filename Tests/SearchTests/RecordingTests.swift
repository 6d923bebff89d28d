import ExampleTesting
import Signalbox
import SignalboxTesting
import SignalboxTrace
import Testing

@testable import Search

/// Makes a test of a recording of the search, which is in `Generated` and runs with the others.
@MainActor
@Suite(.timeLimit(.minutes(60)))
struct RecordingTests {
  @Test("R7 a recording of the search becomes a test that passes")
  func search() async throws {
    let file = try RecordedFile(of: "recorded search")
    let files = TestEndpoint<String, SearchStep?>("files", heedsCancellation: false)
    let clock = TestClock()
    let store = TestStore(
      state: SearchState(),
      interactor: SearchInteractor(
        service: SearchService { query in AsyncStream { try? await files(query) ?? nil } },
        limit: 3, clock: clock),
      name: "recorded search")
    store.query = "s"
    await clock.advance(by: .milliseconds(100))
    store.query = "sw"
    await clock.advance(by: .milliseconds(150))
    await files.reply(to: "sw", with: .found("Sources/a.swift", lookingAt: 10))
    // The user types on, and the answers overtake one another.
    store.query = "swi"
    await clock.advance(by: .milliseconds(150))
    await files.reply(to: "swi", with: .found("Package.swift", "Tests/b.swift", lookingAt: 12))
    await files.reply(to: "sw", with: .found("late.sw"))
    await files.reply(to: "swi", with: .unreadable("secrets"))
    await files.reply(to: "swi", with: .found("c.swift", "d.swift", lookingAt: 7))
    await files.reply(to: "swi", with: nil)
    // Return searches at once, and Escape stops.
    store.send(.search("swift"))
    await store.settle()
    store.send(.cancel)
    await store.settle()
    store.send(.cancel)
    await store.settle()
    await clock.advance(by: .milliseconds(150))
    file.recording.stop()
    let source = try Trace.test(
      of: file.url, named: "recordedSearch",
      Trace.Surroundings(
        imports: ["@testable import Search"],
        setup: [
          """
          let files = TestEndpoint<String, SearchStep?>("files", heedsCancellation: false)
          let clock = TestClock()
          let service = SearchService { query in AsyncStream { try? await files(query) ?? nil } }
          """
        ],
        state: "SearchState()",
        subject: "interactor: SearchInteractor(service: service, limit: 3, clock: clock)",
        withoutLiterals: ["findings"],
        compared: [
          "findings.paths.elements", "findings.paths.count", "findings.lookedAt",
          "findings.unreadable.elements",
        ],
        defaults: [
          "SearchStep.paths": "[]", "SearchStep.lookedAt": "0", "SearchStep.unreadable": "[]",
        ]))
    try expectGenerated(source, is: "RecordedSearch")
  }
}
