import Testing

@testable import Signalbox

/// What children in cases cost, counted in calls of `id` and `==`.
@MainActor struct CaseCostTests {
  final class Calls { var ids = 0, equals = 0 }

  struct Page: Identifiable, Equatable {
    let calls: Calls
    var text = ""
    var lines: [Int] = []

    var id: Int {
      calls.ids += 1
      return 1
    }

    static func == (l: Page, r: Page) -> Bool {
      l.calls.equals += 1
      return l.text == r.text && l.lines == r.lines
    }
  }

  enum Folder: Equatable {
    case page(Page)
    case other(Page)
    indirect case inner(Shelf)
    case none
  }

  struct Shelf: Equatable {
    var depth = 0
    var folder = Folder.none
  }

  struct ShelfPart: Interactor {
    func children(of store: MutatingStore<Shelf, Int>) -> Children<Shelf> {
      Child(case: \.folder, Folder.page) { PagePart() }
      Child(case: \.folder, Folder.other) { PagePart() }
      Child(case: \.folder, Folder.inner) { ShelfPart() }
    }

    func onAction(_ action: Int, store: MutatingStore<Shelf, Int>) { store.depth = action }
  }

  struct PagePart: Interactor {
    func onAction(_ action: String, store: MutatingStore<Page, String>) { store.text = action }
  }

  private func cost(lines: Int, observers: Int) throws -> (ids: Int, equals: Int) {
    let calls = Calls()
    let page = Page(calls: calls, lines: Array(0..<lines))
    let store = Store(state: Shelf(folder: .page(page)), interactor: ShelfPart())
    let child = try #require(store.child(case: \.folder, Folder.page, PagePart.self))
    let subscriptions = (0..<observers).map { _ in child.publisher.text.sink { _ in } }
    (calls.ids, calls.equals) = (0, 0)
    child.dispatch("a")
    #expect(child.text == "a")
    withExtendedLifetime(subscriptions) {}
    return (calls.ids, calls.equals)
  }

  @Test("C12 A write in a payload compares no payload, and its id a few times, however large it is")
  func calls() throws {
    for observers in [0, 1, 1_000] {
      let (few, many) = try (
        cost(lines: 1, observers: observers), cost(lines: 10_000, observers: observers)
      )
      #expect(few == many)
      #expect(many.equals == 0)
      // Each delivery reads the state once, as in an element.
      #expect(many.ids < 10 + observers)
    }
  }

  @Test("C12 A write in a case is no concern of the children in the other cases")
  func otherCases() throws {
    let calls = Calls()
    let store = Store(
      state: Shelf(folder: .page(Page(calls: calls))), interactor: ShelfPart())
    let child = try #require(store.child(case: \.folder, Folder.page, PagePart.self))
    let home = store.engine.storage
    let site = try #require(child.engine.storage.outer?.site)
    #expect(home.sites.count == 3)
    #expect(!home.hasSites(at: site.path.range, except: site))
    #expect(home.sites.filter { $0.isConcerned(byStatesOf: site) }.isEmpty)
  }
}
