import ExampleTesting
import Signalbox
import Testing

@testable import Search

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct SearchInteractorTests {
  private let files = FakeFiles()
  private let clock = ManualClock()
  private let store: Store<SearchState, SearchAction>

  init() {
    store = Store(
      state: SearchState(),
      interactor: SearchInteractor(service: files.service, limit: 3, clock: clock))
  }

  private func type(_ query: String) {
    store.binder.query.wrappedValue = query
  }

  /// Lets time pass until a search begins, and tells which.
  private func pause() async -> String? {
    await first(of: files.began) { clock.advance(by: .milliseconds(150)) }
  }

  /// Gives a running search something to show, and waits until it does.
  private func find(_ paths: String..., lookingAt count: Int = 1, in search: Int = 0) async {
    _ = await first(of: store.publisher.findings) {
      files.searches[search].steps.yield(SearchStep(paths: paths, lookedAt: count))
    }
  }

  // MARK: Searching

  @Test func `what is found shows as it comes, and how far the search has got`() async {
    let searching = store.send(.search("a"))
    #expect(files.queries == ["a"])
    #expect(store.phase == .searching)
    await find("x/a", lookingAt: 10)
    #expect(store.findings.paths.elements == ["x/a"])
    #expect(store.status == "1 of 10 names so far. Escape stops.")
    await find(lookingAt: 5)
    await find("x/b/ab", lookingAt: 1)
    #expect(store.findings.paths.elements == ["x/a", "x/b/ab"])
    files.searches[0].steps.finish()
    await searching.value
    #expect(store.status == "2 of 16 names.")
  }

  @Test func `an unreadable folder is told of, and the search goes on`() async {
    let searching = store.send(.search("a"))
    let steps = files.searches[0].steps
    for name in ["one", "two", "three"] {
      steps.yield(SearchStep(unreadable: [UnreadableFolder(path: name, reason: "No")]))
    }
    steps.yield(SearchStep(paths: ["a"], lookedAt: 1))
    steps.finish()
    await searching.value
    #expect(
      store.findings.trouble == "The folder one cannot be read: No. Nor can 2 more.")
    #expect(store.status == "1 of 1 names.")
  }

  @Test func `not more is kept than there is room for, but all is counted`() async {
    let searching = store.send(.search("a"))
    await find("1", "2", lookingAt: 2)
    await find("3", "4", lookingAt: 2)
    await find("5")
    files.searches[0].steps.finish()
    await searching.value
    #expect(store.findings.paths.elements == ["1", "2", "3"])
    #expect(store.status == "5 of 5 names.")
  }

  @Test(arguments: ["", "  "])
  func `nothing is not searched for`(query: String) async {
    store.send(.search("a"))
    await find("a")
    await store.dispatch(.search(query))
    #expect(files.queries == ["a"])
    #expect(store.state == SearchState(findings: Findings(limit: 3)))
  }

  // MARK: Superseding

  @Test func `a search that is superseded shows nothing any more, and ends nothing`() async {
    store.send(.search("a"))
    await find("a")
    // What it still tries to write is how a test knows that it has got to its end.
    let lateWrite = store.events.compactMap { event in
      if case .dropped(.change(_, let state)) = event.kind { state.phase } else { nil }
    }
    let late = await first(of: lateWrite) { store.send(.search("ab")) }
    #expect(late == .finished)
    #expect(store.phase == .searching)
    #expect(store.findings == Findings(limit: 3))
    files.searches[0].steps.yield(SearchStep(paths: ["late"], lookedAt: 1))
    await find("ab", in: 1)
    #expect(store.findings.paths.elements == ["ab"])
  }

  @Test func `a search that is superseded is no longer gone on with`() async {
    store.send(.search("a"))
    let ended = files.searches[0].ended
    #expect(await first(of: ended, after: { store.send(.search("ab")) }) != nil)
  }

  @Test func `the next keystroke stops the search, and what it found stays until there is more`()
    async
  {
    store.send(.search("a"))
    await find("a")
    let ended = files.searches[0].ended
    #expect(await first(of: ended, after: { type("ab") }) != nil)
    #expect(store.phase == .waiting)
    #expect(store.findings.paths.elements == ["a"])
    #expect(await pause() == "ab")
    #expect(store.findings == Findings(limit: 3))
  }

  // MARK: Typing

  @Test func `a search begins when the typing pauses, for what has been typed by then`() async {
    for query in ["h", "he", "hel"] {
      type(query)
      clock.advance(by: .milliseconds(149))
    }
    #expect(store.phase == .waiting)
    #expect(files.queries.isEmpty)
    #expect(await pause() == "hel")
    #expect(store.phase == .searching)
    #expect(files.queries == ["hel"])
  }

  @Test func `who cannot wait is not made to, nor served twice`() async {
    type("a")
    store.send(.search("a"))
    #expect(files.queries == ["a"])
    clock.advance(by: .milliseconds(150))
    type("ab")
    #expect(await pause() == "ab")
    #expect(files.queries == ["a", "ab"])
  }

  // MARK: Escape

  @Test func `Escape stops a search and leaves what it has found`() async {
    store.send(.search("a"))
    await find("a", lookingAt: 7)
    let ended = files.searches[0].ended
    #expect(await first(of: ended, after: { store.send(.cancel) }) != nil)
    #expect(store.status == "Stopped: 1 of 7 names.")
    #expect(!store.isRunning(id: "search"))
  }

  @Test func `Escape also stops a search that has not begun`() async {
    type("a")
    store.send(.cancel)
    #expect(store.phase == .stopped)
    clock.advance(by: .milliseconds(150))
    type("b")
    #expect(await pause() == "b")
    #expect(files.queries == ["b"])
  }

  @Test func `Escape empties the line when there is nothing to stop`() async {
    type("a")
    store.send(.cancel)
    store.send(.cancel)
    #expect(store.query.isEmpty)
    let idle = store.publisher.phase.filter { $0 == .idle }
    #expect(await first(of: idle, after: { clock.advance(by: .milliseconds(150)) }) == .idle)
    #expect(files.queries.isEmpty)
  }
}
