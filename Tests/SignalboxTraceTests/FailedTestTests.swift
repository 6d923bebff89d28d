import ExampleTesting
import Foundation
import Signalbox
import SignalboxTesting
import SignalboxTrace
import Testing

/// Tests the recordings that failed tests leave.
@Suite(.timeLimit(.minutes(60))) @MainActor struct FailedTestTests {
  private struct Search: Equatable, Sendable { var found: [String] = [] }

  private struct Searching: Actionable {
    let lookup: TestEndpoint<String, String>
    func onAction(_ action: String, store: MutatingStore<Search, String>) async throws {
      store.found.append(try await lookup(action))
    }
  }

  private let folder: TemporaryFolder
  private let failures = FailureHandler { _, _ in }

  init() throws { folder = try TemporaryFolder() }

  private func search(_ lookup: TestEndpoint<String, String>) -> TestStore<Search, String> {
    TestStore(state: Search(), actionable: Searching(lookup: lookup), name: "search")
  }

  /// Runs a body whose failures are no failures of this test.
  private func run(in url: URL? = nil, _ body: @MainActor () async -> Void) async {
    await RecordingFolder.$current.withValue(url ?? folder.url) {
      await CallSite.$failureHandler.withValue(failures) { await body() }
    }
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  private func kinds(in name: String) throws -> [TraceEvent.Kind] {
    try TraceReader.read(Data(contentsOf: folder.url.appending(path: name))).events.map(\.kind)
  }

  @Test("R9 a failed test leaves its recording and its page, with what its endpoints answered")
  func failed() async throws {
    var during: [String] = []
    await run {
      let lookup = TestEndpoint<String, String>("lookup")
      let store = search(lookup)
      store.send("a")
      await lookup.reply(to: "a", with: "A")
      store.expect { $0.found = ["B"] }
      during = (try? names) ?? []
      store.send("b")
      await lookup.reply(to: "b", with: "late")
    }
    let base = "SignalboxTraceTests.FailedTestTests.failed()"
    // The page is there even if the program stops before the test has ended.
    #expect(during == [base + ".html", base + ".jsonl"])
    #expect(try names == during)
    let kinds = try kinds(in: base + ".jsonl")
    let failure = kinds.firstIndex { if case .testFailed = $0 { true } else { false } }
    let answers = kinds.indices.filter { if case .answered = kinds[$0] { true } else { false } }
    #expect(answers.count == 2)
    let place = try #require(failure)
    #expect(answers[0] < place && place < answers[1])
    guard case .testFailed(let text) = kinds[place] else { return }
    #expect(text.hasPrefix("search: ") && text.contains("Difference:"))
    #expect(kinds.last == .stopped)
    let page = try String(contentsOf: folder.url.appending(path: base + ".html"), encoding: .utf8)
    #expect(page.contains("testFailed") && page.contains("late"))
  }

  @Test("R9 a test that passes leaves nothing, and other stores are not recorded")
  func passed() async throws {
    var during: [String] = []
    await run {
      let lookup = TestEndpoint<String, String>("lookup")
      let store = search(lookup)
      let other = Store(state: Search(found: ["other"]), name: "other")
      store.send("a")
      await lookup.reply(to: "a", with: "A")
      store.expect { $0.found = ["A"] }
      during = (try? names) ?? []
      withExtendedLifetime(other) {}
    }
    #expect(during == ["SignalboxTraceTests.FailedTestTests.passed().jsonl"])
    #expect(try names == [])
  }

  @Test("R9 each case of a test has a recording of its own", arguments: [1, 2])
  func cases(number: Int) async throws {
    // Both runs have the name of the test, as the cases that run side by side have.
    for _ in 1...2 {
      await run {
        let store = search(TestEndpoint("lookup"))
        store.expect { $0.found = ["\(number)"] }
      }
    }
    let recordings = try names.filter { $0.hasSuffix(".jsonl") }
    #expect(recordings.count == 2)
    for name in recordings { #expect(try kinds(in: name).last == .stopped) }
  }

  @Test("R9 a folder that cannot be written fails no test")
  func noFolder() async throws {
    let file = folder.url.appending(path: "file")
    try Data("text".utf8).write(to: file)
    await run(in: file) {
      let store = search(TestEndpoint("lookup"))
      store.expect { $0.found = ["A"] }
    }
    #expect(try names == ["file"])
  }
}
