import Signalbox
import SignalboxStorage
import Testing

/// A status that shows must not be a change to save.
struct SavedStatusTests {
  @Test("P2 a status within a saved property traps, because showing it would be a change to save")
  func statusIsSaved() async {
    expectRefusal(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor in
        open(\.pad.saving) { $0.property("pad", \.pad) }
      })
  }

  private func expectRefusal(_ result: ExitTest.Result?) {
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("must not lie in a saved property"))
  }

  @Test("P2 so does one that lies in a saved property through an optional or a computed property")
  func throughOthers() async {
    expectRefusal(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor in
        open(\.other!.saving) { $0.property("other", \.other) }
      })
    expectRefusal(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor in
        open(\.computed.saving) { $0.property("pad", \.pad) }
      })
    expectRefusal(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor in
        open(\.pad.saving) { $0.property("computed", \.computed) }
      })
  }

  @Test("P2 a computed property without == traps beside a status, which it cannot be told from")
  func withoutEquality() async {
    expectRefusal(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor in
        open(\.saving) { $0.property("plain", \.computedPlain) }
      })
    expectRefusal(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor in
        open(\.saving) { $0.property("plain", \.plains["a"]) }
      })
  }

  @Test("P2 a status beside a stored property or one with == is shown, and saving comes to an end")
  @MainActor func beside() async throws {
    let storage = MemoryStorage()
    let saved = SavedState<Desk>("desk", in: storage).property("text", \.pad.text)
      .property("plain", \.plain).property("computed", \.computedText)
    let store = Store<Desk, Never>(state: Desk(), hookable: Desking(saved: saved, path: \.saving))
    store.binder.pad.text.wrappedValue = "a"
    try await saved.flush()
    try await saved.flush()
    #expect(store.saving == .saved)
    #expect(storage.writes == 1)
  }

  @Test(
    "P2 a status in an object is not changed to find that out, and one that is missing is no mistake"
  )
  @MainActor func elsewhere() {
    final class Page { var saving = SaveStatus.saved }
    struct Book {
      var page = Page()
      var pad: Pad?
      var text = ""
    }
    let book = Book()
    for path in [\Book.page.saving, \Book.pad!.saving] {
      let saved = SavedState<Book>("book", in: MemoryStorage()).property("text", \.text)
      _ = Store<Book, Never>(state: book, hookable: Desking(saved: saved, path: path))
    }
    #expect(book.page.saving == .saved)
  }
}

@MainActor private func open(
  _ path: WritableKeyPath<Desk, SaveStatus>, _ add: (SavedState<Desk>) -> Void
) {
  let saved = SavedState<Desk>("desk", in: MemoryStorage())
  add(saved)
  _ = Store<Desk, Never>(state: Desk(), hookable: Desking(saved: saved, path: path))
}

private struct Pad: Codable, Equatable, Sendable {
  var text = ""
  var saving = SaveStatus.saved
  enum CodingKeys: CodingKey { case text }
}

/// Has no `==`.
private struct Plain: Codable, Sendable { var text = "" }

private struct Desk: Sendable {
  var pad = Pad()
  var other: Pad? = Pad()
  var plain = Plain()
  var plains: [String: Plain] = [:]
  var saving = SaveStatus.saved
  var computed: Pad {
    get { pad }
    set { pad = newValue }
  }
  var computedText: String {
    get { pad.text }
    set { pad.text = newValue }
  }
  var computedPlain: Plain {
    get { Plain(text: pad.text) }
    set { pad.text = newValue.text }
  }
}

private struct Desking<State>: Hookable {
  let saved: SavedState<State>
  let path: WritableKeyPath<State, SaveStatus>
  func subscription(for hook: NoteHook, store: MutatingStore<State, Never>) -> Subscription {
    saved.autosave(store, status: path)
  }
}
