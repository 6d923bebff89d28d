import Testing

@testable import Signalbox

/// Screens of unusual types and at unusual places.
@MainActor struct ScreenShapeTests {
  private enum Leaf<Value: Equatable>: Equatable {
    case one(Value)
    case other(Value)
    case none
  }

  private enum Page: Equatable {
    case choice(Tagged<Int?>)
    case key(Tagged<[String]>)
    case labelled(of: Tagged<Int>)
    case maybe(Tagged<Int>?)
    case pair(Int, Tagged<Int>)
    case leaf(Leaf<String>)
    case fuse(Fuse)
    case book(Book)
  }

  private struct Tagged<ID: Hashable>: Equatable, Identifiable {
    var id: ID
    var text = ""
  }

  private struct Fuse: Equatable {
    var bomb: Bomb?
    var text = ""
  }

  /// Runs code when it is released.
  private final class Bomb: Equatable {
    let explode: @MainActor () -> Void
    init(_ explode: @escaping @MainActor () -> Void) { self.explode = explode }
    static func == (a: Bomb, b: Bomb) -> Bool { a === b }
    deinit {
      let explode = explode
      MainActor.assumeIsolated { explode() }
    }
  }

  private struct Book: Equatable, Identifiable {
    var id = 0
    var path: [Leaf<String>] = []
    var pages: [Page] = []
    var books: [Book] = []
  }

  private struct BookFeature: Interactor {
    let journal: ScreenJournal

    func children(of store: MutatingStore<Book, Never>) -> Children<Book> {
      Each(\.path) {
        Case(Leaf.one) { PageFeature<String>("one", journal) { $0 = $1 } }
        Case(Leaf.other, middleware: Loud()) { PageFeature<String>("other", journal) { $0 = $1 } }
      }
      Each(\.pages) {
        Case(Page.choice) { PageFeature<Tagged<Int?>>("choice", journal) { $0.text = $1 } }
        Case(Page.key) { PageFeature<Tagged<[String]>>("key", journal) { $0.id = [$1] } }
        Case(Page.labelled) { PageFeature<Tagged<Int>>("labelled", journal) { $0.text = $1 } }
        Case(Page.leaf) { PageFeature<Leaf<String>>("leaf", journal) { $0 = .one($1) } }
        Case(Page.book) { BookFeature(journal: journal) }
        Case(Page.fuse) { PageFeature<Fuse>("fuse", journal) { $0 = Fuse(text: $1) } }
      }
      Each(\.books) { _ in BookFeature(journal: journal) }
    }

    func onAction(_ action: Never, store: MutatingStore<Book, Never>) {}
  }

  private struct Loud: Middleware {
    func onAction(
      _ action: String, store: MutatingStore<String, String>,
      next: @MainActor (String) async throws -> Void
    ) async throws { try await next(action + "!") }
  }

  private struct PageFeature<State>: Interactor {
    let name: String
    let journal: ScreenJournal
    let change: @MainActor (inout State, String) -> Void

    init(
      _ name: String, _ journal: ScreenJournal,
      change: @escaping @MainActor (inout State, String) -> Void
    ) { (self.name, self.journal, self.change) = (name, journal, change) }

    func onAction(_ action: String, store: MutatingStore<State, String>) {
      store.update { change(&$0, action) }
    }

    func subscription(
      for hook: StationEditorHook, store: MutatingStore<State, String>
    ) -> Subscription {
      journal.lines.append("+\(name)")
      return Subscription { [journal, name] in journal.lines.append("-\(name)") }
    }
  }

  private let journal: ScreenJournal
  private let store: Store<Book, Never>

  init() {
    let journal = ScreenJournal()
    self.journal = journal
    store = Store(state: Book(), interactor: BookFeature(journal: journal))
  }

  private func page<State>(_ index: Int, _ state: State.Type) -> Store<State, String>? {
    store.child(\.pages, at: index, PageFeature<State>.self)
  }

  @Test("N2 C14 An id may be an optional or a collection, and a screen may give itself another one")
  func ids() throws {
    let pages = store.binder.pages
    pages.wrappedValue = [.choice(Tagged(id: nil)), .key(Tagged(id: []))]
    let (choice, key) = (page(0, Tagged<Int?>.self), page(1, Tagged<[String]>.self))
    choice?.dispatch("a")
    #expect(store.pages[0] == .choice(Tagged(id: nil, text: "a")))
    journal.lines = []
    pages.wrappedValue[0] = .choice(Tagged(id: 3))
    #expect(page(0, Tagged<Int?>.self) !== choice)
    #expect(journal.lines == ["-choice", "+choice"])
    key?.dispatch("new")
    #expect(page(1, Tagged<[String]>.self) !== key)
    #expect(journal.lines == ["-choice", "+choice", "-key", "+key"])
    #expect(store.pages[1] == .key(Tagged(id: ["new"])))
    #expect(key?.id == ["new"])
  }

  @Test("N2 C14 A screen that gives itself another id ends, also in a batch of its parent")
  func ownID() throws {
    let changes: [@MainActor (MutatingStore<Book, Never>) -> Void] = [
      { $0.pages[0] = .choice(Tagged(id: 3)) }, { store in store.update { $0.id += 1 } }, { _ in },
    ]
    let parent = store.instruments.arranging
    for (before, after) in changes.flatMap({ before in changes.map { (before, $0) } }) {
      parent.pages = [.choice(Tagged(id: nil)), .key(Tagged(id: []))]
      let (choice, key) = (page(0, Tagged<Int?>.self), page(1, Tagged<[String]>.self))
      parent.batch {
        before(parent)
        key?.dispatch("new")
        after(parent)
      }
      let isSame = store.pages[0] == .choice(Tagged(id: nil))
      #expect((page(0, Tagged<Int?>.self) === choice) == isSame)
      #expect(page(1, Tagged<[String]>.self) !== key)
      #expect(key?.id == ["new"])
      key?.dispatch("late")
      #expect(store.pages[1] == .key(Tagged(id: ["new"])))
    }
  }

  @Test("N2 C16 The payload and the screen may be generic enums, and a case may have middleware")
  func enums() {
    store.binder.pages.wrappedValue = [.leaf(.none)]
    page(0, Leaf<String>.self)?.dispatch("a")
    #expect(store.pages == [.leaf(.one("a"))])
    store.binder.path.wrappedValue = [.other(""), .one(""), .none]
    store.child(\.path, at: 0, PageFeature<String>.self)?.dispatch("b")
    store.child(\.path, at: 1, PageFeature<String>.self)?.dispatch("c")
    #expect(store.path == [.other("b!"), .one("c"), .none])
    #expect(store.child(\.path, at: 2, PageFeature<String>.self) == nil)
  }

  @Test("N2 N3 A screen whose feature has only children begins them when it appears")
  func onlyChildren() {
    store.binder.pages.wrappedValue = [.book(Book(path: [.one(""), .other("")])), .leaf(.none)]
    #expect(journal.lines.sorted() == ["+leaf", "+one", "+other"])
    store.binder.pages.wrappedValue[0] = .book(Book(id: 1, path: [.one("")]))
    #expect(journal.lines.suffix(3).sorted() == ["+one", "-one", "-other"])
  }

  @Test("N2 N3 A path in an element moves with it and ends with it")
  func inElement() throws {
    store.binder.books.wrappedValue = [
      Book(id: 1, path: [.one("")]), Book(id: 2, path: [.other(""), .one("")]),
    ]
    let book = try #require(store.child(\.books, id: 2, BookFeature.self))
    let leaf = try #require(book.child(\.path, at: 1, PageFeature<String>.self))
    store.binder.books.wrappedValue.swapAt(0, 1)
    leaf.dispatch("moved")
    #expect(store.books[0].path == [.other(""), .one("moved")])
    journal.lines = []
    store.binder.books.wrappedValue.removeFirst()
    #expect(journal.lines.sorted() == ["-one", "-other"])
    leaf.dispatch("late")
    #expect(leaf.state == "moved")
  }

  @Test("N3 C18 What a screen releases may set the path, while the parent or the screen changes it")
  func release() throws {
    let pages = store.binder.pages
    pages.wrappedValue = [.fuse(Fuse(bomb: Bomb { pages.wrappedValue.append(.leaf(.none)) }))]
    pages.wrappedValue = []
    #expect(store.pages == [.leaf(.none)])
    pages.wrappedValue = [.fuse(Fuse(bomb: Bomb { pages.wrappedValue = [.leaf(.one("deinit"))] }))]
    let fuse = try #require(page(0, Fuse.self))
    fuse.binder.bomb.wrappedValue = nil
    #expect(store.pages == [.leaf(.one("deinit"))])
    #expect(fuse.bomb == nil)
    #expect(journal.lines == ["+fuse", "-fuse", "+leaf", "-leaf", "+fuse", "-fuse", "+leaf"])
  }

  @Test("N2 S6 Asking for a screen while the state is being changed in place traps")
  func asking() async {
    expectError(
      "The store was accessed while its state was being changed in place",
      from: await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await MainActor.run {
          let store = Store(
            state: MailState(path: [.mailbox(MailboxScreen())]), interactor: MailFeature())
          store.instruments.arranging.update { _ in
            _ = store.child(\.path, at: 0, MailboxFeature.self)
          }
        }
      })
  }

  @Test("N2 A user interface tells screens apart as the children are")
  func identity() {
    func areSame(_ a: Page, _ b: Page) -> Bool { ScreenIdentity(of: a) == ScreenIdentity(of: b) }
    #expect(areSame(.labelled(of: Tagged(id: 1)), .labelled(of: Tagged(id: 1, text: "a"))))
    #expect(!areSame(.labelled(of: Tagged(id: 1)), .labelled(of: Tagged(id: 2))))
    #expect(!areSame(.choice(Tagged(id: nil)), .choice(Tagged(id: 1))))
    #expect(areSame(.maybe(Tagged(id: 1)), .maybe(Tagged(id: 2))))
    #expect(areSame(.pair(1, Tagged(id: 1)), .pair(2, Tagged(id: 2))))
    #expect(!areSame(.leaf(.none), .fuse(Fuse())))
  }
}
