import ExampleTesting
import Signalbox
import SignalboxTesting
import Testing

@testable import Search

@MainActor
@Suite(.timeLimit(.minutes(60)))
struct SearchInteractorTests {
  private let files = FakeFiles()
  private let store: TestStore<SearchState, SearchAction>

  init() {
    store = TestStore(
      state: SearchState(),
      interactor: SearchInteractor(service: files.service, limit: 3, clock: files.clock))
  }

  /// Pauses typing just long enough for a search to start.
  private func pause() async { await files.clock.advance(by: .milliseconds(150)) }

  /// Lets a search take its next step.
  private func step() async { await files.clock.advance(by: .seconds(1)) }

  // MARK: Searching

  @Test func `findings and the progress of the search are shown as they arrive`() async {
    files.steps["a"] = [
      .found("x/a", lookingAt: 10), .found(lookingAt: 5), .found("x/b/ab"),
    ]
    store.send(.search("a"))
    store.expect(including: { $0.phase = .searching })
    await step()
    #expect(store.findings.paths.elements == ["x/a"])
    #expect(store.status == "1 of 10 names so far. Escape stops.")
    await files.clock.run()
    #expect(store.findings.paths.elements == ["x/a", "x/b/ab"])
    #expect(store.status == "2 of 16 names.")
  }

  @Test func `an unreadable folder is reported, and the search continues`() async {
    files.steps["a"] = [
      .unreadable("one"), .unreadable("two"), .unreadable("three"), .found("a"),
    ]
    store.send(.search("a"))
    await files.clock.run()
    #expect(
      store.findings.trouble == "The folder one cannot be read: No. 2 more cannot be read.")
    #expect(store.status == "1 of 1 names.")
  }

  @Test func `findings beyond the limit are counted but not kept`() async {
    files.steps["a"] = [
      .found("1", "2", lookingAt: 2), .found("3", "4", lookingAt: 2), .found("5"),
    ]
    store.send(.search("a"))
    await files.clock.run()
    #expect(store.findings.paths.elements == ["1", "2", "3"])
    #expect(store.status == "5 of 5 names.")
  }

  @Test(arguments: ["", "  "])
  func `an empty query starts no search`(query: String) async {
    files.steps["a"] = [.found("a")]
    store.send(.search("a"))
    await step()
    await store.dispatch(.search(query)) { $0 = SearchState(findings: Findings(limit: 3)) }
    #expect(files.queries == ["a"])
  }

  // MARK: Superseding

  @Test func `a superseded search neither shows findings nor ends its successor`() async {
    files.steps = ["a": [.found("a")], "ab": [.found("ab")]]
    store.send(.search("a"))
    await step()
    // The late write of this search shows that the search has ended.
    let lateWrite = store.events.compactMap { event in
      if case .dropped(.change(_, let state)) = event.kind { state.phase } else { nil }
    }
    let late = await first(of: lateWrite) { store.send(.search("ab")) }
    #expect(late == .finished)
    #expect(store.phase == .searching)
    #expect(store.findings == Findings(limit: 3))
    await step()
    #expect(store.findings.paths.elements == ["ab"])
  }

  @Test func `a superseded search is abandoned`() async {
    store.send(.search("a"))
    await store.settle()
    store.send(.search("ab"))
    #expect(files.abandonedQueries == ["a"])
  }

  @Test func `the next keystroke stops the search, and its findings stay until the next search`()
    async
  {
    files.steps["a"] = [.found("a")]
    store.send(.search("a"))
    await step()
    await store.hook(SearchHook.queryTyped) {
      store.query = "ab"
    } expecting: {
      $0.phase = .waiting
    }
    #expect(files.abandonedQueries == ["a"])
    #expect(store.findings.paths.elements == ["a"])
    await pause()
    #expect(files.queries == ["a", "ab"])
    #expect(store.findings == Findings(limit: 3))
  }

  // MARK: Typing

  @Test func `a search starts when typing pauses, with the text typed so far`() async {
    for query in ["h", "he", "hel"] {
      store.query = query
      await files.clock.advance(by: .milliseconds(149))
    }
    #expect(store.phase == .waiting)
    #expect(files.queries.isEmpty)
    await pause()
    store.expect(including: { $0.phase = .searching })
    #expect(files.queries == ["hel"])
    await files.clock.run()
    await store.receive(.search("hel"))
  }

  @Test func `an explicit search starts at once, and not again after the pause`() async {
    store.query = "a"
    store.send(.search("a"))
    await pause()
    #expect(files.queries == ["a"])
    store.query = "ab"
    await pause()
    #expect(files.queries == ["a", "ab"])
  }

  // MARK: Escape

  @Test func `Escape stops a search and keeps its findings`() async {
    files.steps["a"] = [.found("a", lookingAt: 7)]
    store.send(.search("a"))
    await step()
    await store.dispatch(.cancel) { $0.phase = .stopped }
    #expect(store.status == "Stopped: 1 of 7 names.")
    #expect(files.abandonedQueries == ["a"])
  }

  @Test func `Escape stops a search that has not started`() async {
    store.query = "a"
    await store.dispatch(.cancel) { $0.phase = .stopped }
    await pause()
    store.query = "b"
    await pause()
    #expect(files.queries == ["b"])
  }

  @Test func `Escape empties the line when there is nothing to stop`() async {
    store.query = "a"
    store.send(.cancel)
    await store.dispatch(.cancel) { $0.query = "" }
    await pause()
    #expect(store.phase == .idle)
    #expect(files.queries.isEmpty)
  }
}
