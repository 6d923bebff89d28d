import Testing

@testable import Signalbox

/// Tests what is hidden of a child in a case of an enum whose state has gone.
@MainActor struct GoneCaseTests {
  fileprivate struct Page: Equatable { var text = "" }

  fileprivate enum Sheet: Equatable {
    case page(Page)
    case cover
  }

  /// An enum whose mirror says nothing about its case.
  fileprivate enum Veiled: CustomReflectable {
    case page(Page)
    case cover

    var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .enum) }
  }

  fileprivate struct Album: Equatable {
    var sheet = Sheet.cover
    var path: [Sheet] = []
    var secret = Sheet.cover
    var secrets: [Sheet] = []
  }

  fileprivate struct PageKeeper: Interactor {
    func onAction(_ action: String, store: MutatingStore<Page, String>) { store.text = action }
  }

  fileprivate struct AlbumKeeper: Interactor {
    func children(of store: MutatingStore<Album, Never>) -> Children<Album> {
      Child(case: \.sheet, Sheet.page) { PageKeeper() }
      Each(\.path) { Case(Sheet.page) { PageKeeper() } }
      Child(case: \.secret, Sheet.page) { PageKeeper() }
      Each(\.secrets) { Case(Sheet.page) { PageKeeper() } }
    }

    func onAction(_ action: Never, store: MutatingStore<Album, Never>) {}
  }

  @Test("D4 H4 A dropped change of a child in a case is shown unless the place is redacted")
  func dropped() throws {
    DebugStore.redact(\Album.secret)
    DebugStore.redact(\Album.secrets)
    let page = Sheet.page(Page())
    for path in [[], [Sheet.cover], [.cover, page]] {
      let store = Store(
        state: Album(sheet: page, path: [page], secret: page, secrets: [page]),
        interactor: AlbumKeeper())
      var isHidden: [String: Bool] = [:]
      let events = store.events.sink { event in
        guard case .child(let child) = event.kind, case .dropped(.change) = child.kind else {
          return
        }
        isHidden[child.path] = child.isHidden
      }
      let pages = [
        store.child(case: \.sheet, Sheet.page, PageKeeper.self),
        store.child(\.path, at: 0, PageKeeper.self),
        store.child(case: \.secret, Sheet.page, PageKeeper.self),
        store.child(\.secrets, at: 0, PageKeeper.self),
      ]
      let writers = try pages.map { try #require($0).instruments.arranging }
      store.instruments.arranging.update { $0 = Album(path: path, secrets: path) }
      for writer in writers { writer.text = "late" }
      #expect(
        isHidden == [
          #"\.sheet.page"#: false, #"\.path[0].page"#: false,
          #"\.secret.page"#: true, #"\.secrets[0].page"#: true,
        ])
      events.cancel()
    }
  }

  @Test("D4 A payload that is gone is hidden if a redacted place may be on the way to it or in it")
  func doubt() {
    func hides(_ root: Any.Type, _ names: [String]) -> [Bool] {
      var redaction = Redaction()
      redaction.hide(root, names)
      return [
        redaction.hidesPart(at: ["sheet", "page"], element: nil, in: Album()),
        redaction.hidesPart(at: ["path", "page"], element: 0, in: Album()),
        redaction.hidesPart(at: ["path", "page"], element: 0, in: Album(path: [.cover])),
      ]
    }
    #expect(hides(Sheet.self, ["page"]) == [true, true, true])
    #expect(hides(Album.self, ["sheet", "page"]) == [true, false, false])
    #expect(hides(Album.self, ["sheet", "page", "text"]) == [true, false, false])
    #expect(hides(Album.self, ["path"]) == [false, true, true])
    #expect(hides(Sheet.self, []) == [true, true, true])
    #expect(hides([Sheet].self, []) == [false, true, true])
    #expect(hides(Page.self, []) == [true, true, true])
    #expect(hides(Page.self, ["text"]) == [false, false, false])
    #expect(hides(Album.self, ["secret"]) == [false, false, false])
    // A mirror of the type's own may not show the case.
    struct Box { var veiled = Veiled.cover, maybe: Sheet? }
    #expect(Redaction().hidesPart(at: ["veiled", "page"], element: nil, in: Box()))
    var redaction = Redaction()
    #expect(!redaction.hidesPart(at: ["maybe", "page"], element: nil, in: Box()))
    redaction.hide(Sheet.self, [])
    #expect(redaction.hidesPart(at: ["maybe", "page"], element: nil, in: Box()))
  }
}
