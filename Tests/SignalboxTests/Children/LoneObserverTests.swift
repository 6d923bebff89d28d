import Testing

@testable import Signalbox

/// Elements with a single observer, which is told in a direct way unless a write concerns more.
@MainActor struct LoneObserverTests {
  private let store = Store(state: BookcaseState(), interactor: Bookcase())

  private func row() throws -> Store<BookcaseRow, Int> {
    store.instruments.arranging.rows = [BookcaseRow(id: 1, books: [BookcaseBook(id: 1)])]
    return try #require(store.child(\.rows, id: 1, BookcaseRows.self))
  }

  @Test("C1 A write of a collection in an element tells the observers of the elements in it")
  func collection() throws {
    let row = try row()
    let book = try #require(row.child(\.books, id: 1, BookcaseBooks.self))
    var told: [String] = []
    let subscriptions = [
      row.publisher.books.sink { told.append("books \($0[0].pages)") },
      book.publisher.pages.sink { told.append("pages \($0)") },
    ]
    for pages in 1...2 { row.instruments.arranging.books[0].pages = pages }
    #expect(told == ["books 1", "pages 1", "books 2", "pages 2"])
    withExtendedLifetime(subscriptions) {}
  }

  @Test("C4 An element ends with its id, of which its only observer is not told")
  func id() throws {
    let row = try row()
    var told: [Int] = []
    let subscription = row.publisher.id.sink { told.append($0) }
    row.instruments.arranging.id = 5
    #expect(told.isEmpty)
    row.dispatch(1)
    #expect(row.id == 5)
    #expect(store.rows.map(\.count) == [0])
    withExtendedLifetime(subscription) {}
  }

  @Test("C8 Elements with one id that were found when others moved are reported once")
  func duplicates() throws {
    let store = Store(
      state: MidState(rows: (0..<20).map { MidRow(id: $0) }), interactor: MidParent())
    for id in 0..<10 { _ = store.child(\.rows, id: id, MidRows.self) }
    var reports: [String] = []
    let subscription = store.events.sink {
      if case .duplicateChild(let path) = $0.kind { reports.append(path) }
    }
    // The index of so many elements that have moved finds the others, too.
    store.instruments.arranging.rows = (0..<20).reversed().flatMap {
      [MidRow(id: $0, count: 1)] + ($0 > 17 ? [MidRow(id: $0, count: 2)] : [])
    }
    #expect(reports.isEmpty)
    for id in [19, 18, 19] {
      #expect(try #require(store.child(\.rows, id: id, MidRows.self)).count == 1)
    }
    #expect(reports.sorted() == ["\\.rows[id: 18]", "\\.rows[id: 19]"])
    withExtendedLifetime(subscription) {}
  }
}
