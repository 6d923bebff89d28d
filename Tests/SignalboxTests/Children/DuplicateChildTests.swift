import Testing

@testable import Signalbox

/// Elements that share an id, in a collection whose children begin when they are asked for.
@MainActor struct DuplicateChildTests {
  struct Line: Identifiable { var id: Int, text = "" }
  struct Page { var lines: [Line] = [] }

  struct Editor: Interactor {
    func children(of store: MutatingStore<Page, Never>) -> Children<Page> {
      Each(\.lines) { _ in LineEditor() }
    }

    func onAction(_ action: Never, store: MutatingStore<Page, Never>) {}
  }

  struct LineEditor: Interactor {
    func onAction(_ action: String, store: MutatingStore<Line, String>) { store.text = action }
  }

  /// A store of lines, and the paths of the ids that were reported.
  @MainActor final class Fixture {
    let store: Store<Page, Never>
    private(set) var reports: [String] = []
    private var subscription: Subscription?

    init(_ ids: [Int]) {
      store = Store(state: Page(lines: ids.map { Line(id: $0) }), interactor: Editor())
      subscription = store.events.sink { [unowned self] event in
        if case .duplicateChild(let path) = event.kind { reports.append(path) }
      }
    }

    func line(_ id: Int) -> Store<Line, String>? {
      store.child(\.lines, id: id, LineEditor.self)
    }
  }

  @Test("C8 Two elements with one id are reported when the child is asked for, and only once")
  func asked() throws {
    let page = Fixture([1, 2, 1])
    #expect(page.reports.isEmpty)
    let line = try #require(page.line(1))
    #expect(page.reports == ["\\.lines[id: 1]"])
    line.dispatch("a")
    #expect(page.store.lines.map(\.text) == ["a", "", ""])
    let again = page.line(1)
    #expect(again === line)
    #expect(page.reports.count == 1)
  }

  @Test("C8 Many ids that are there twice are reported, each once, whenever they are found")
  func manyAsked() {
    let page = Fixture(Array(0..<20) + Array(0..<20))
    for id in 0..<20 { #expect(page.line(id) != nil) }
    #expect(page.reports.sorted() == (0..<20).map { "\\.lines[id: \($0)]" }.sorted())
  }

  @Test("C8 An id that was found twice when many children moved is reported when it is asked for")
  func askedAfterMove() {
    let page = Fixture(Array(0..<20))
    let live = (0..<12).compactMap(page.line)
    let writing = page.store.instruments.arranging
    writing.lines = writing.lines.reversed() + [Line(id: 15), Line(id: 16)]
    #expect(live.map(\.id) == Array(0..<12))
    #expect(page.line(15) != nil)
    #expect(page.reports.contains("\\.lines[id: 15]"))
  }

  @Test("C8 An id that is no longer there twice is not reported")
  func askedAfterRemoval() {
    let page = Fixture(Array(0..<20))
    let live = (0..<12).compactMap(page.line)
    let writing = page.store.instruments.arranging
    writing.lines = writing.lines.reversed() + [Line(id: 15)]
    writing.lines.removeLast()
    #expect(page.line(15) != nil)
    #expect(page.reports.isEmpty)
    withExtendedLifetime(live) {}
  }

  @Test("C8 An id that is no longer there twice is not reported, not even in a batch")
  func askedInBatch() {
    let page = Fixture(Array(0..<20) + [15])
    // Enough to make an index of all lines.
    for id in 0..<6 { _ = page.line(id) }
    let writing = page.store.instruments.arranging
    writing.batch {
      writing.lines.removeLast()
      #expect(page.line(15) != nil)
    }
    #expect(page.reports.isEmpty)
  }

  @Test("C8 Asking for ids that are not there makes no index that can become old")
  func askedForMissing() throws {
    let page = Fixture([1, 2])
    for _ in 1...9 { #expect(page.line(7) == nil) }
    page.store.instruments.arranging.lines[0].id = 2
    try #require(page.line(2)).dispatch("first")
    #expect(page.store.lines.map(\.text) == ["first", ""])
    #expect(page.reports == ["\\.lines[id: 2]"])
  }

  /// An id that calls a closure when it is released.
  final class Token: Hashable {
    let number: Int
    var onEnd: (@MainActor () -> Void)?

    init(_ number: Int) { self.number = number }

    deinit {
      let onEnd = onEnd
      MainActor.assumeIsolated { onEnd?() }
    }

    static func == (l: Token, r: Token) -> Bool { l.number == r.number }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  struct Row: Identifiable { let id: Token, text = "" }
  struct Sheet { var rows: [Row] = [], title = "" }

  struct RowEditor: Interactor {
    func onAction(_ action: String, store: MutatingStore<Row, String>) {}
  }

  struct SheetEditor: Interactor {
    func children(of store: MutatingStore<Sheet, Never>) -> Children<Sheet> {
      Each(\.rows) { _ in RowEditor() }
    }

    func onAction(_ action: Never, store: MutatingStore<Sheet, Never>) {}
  }

  @Test("S6 The ids of an index are released after the change, so that their deinit may write")
  func releasedIDs() {
    var tokens = (0..<10).map { Token($0) }
    let store = Store(
      state: Sheet(rows: tokens.map { Row(id: $0) }), interactor: SheetEditor())
    // Enough to make an index of all rows.
    for token in tokens.prefix(6) { _ = store.child(\.rows, id: token, RowEditor.self) }
    tokens[9].onEnd = { [weak store] in store?.binder.title.wrappedValue = "ended" }
    tokens = []
    store.instruments.arranging.rows.removeAll()
    #expect(store.title == "ended")
  }
}
