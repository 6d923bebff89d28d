import Foundation
import Signalbox
import SignalboxStorage
import SignalboxTesting
import Testing

/// Saved properties, and statuses, of parts that a state may not have.
@MainActor struct MissingPartTests {
  private struct Inner: Codable, Equatable, Sendable {
    var draft = ""
    var saving = SaveStatus.saved
    enum CodingKeys: CodingKey { case draft }
  }

  private struct Page: Equatable, Sendable {
    var title = ""
    var inner: Inner?
    var rows: [String] = []
  }

  private struct PageEditor: Hookable {
    let saved: SavedState<Page>
    func subscription(for hook: NoteHook, store: MutatingStore<Page, Never>) -> Subscription {
      saved.autosave(store, status: \.inner!.saving, clock: TestClock())
    }
  }

  private let storage = MemoryStorage()
  private let full = Page(title: "a", inner: Inner(draft: "b"), rows: ["c", "d"])

  private var saved: SavedState<Page> {
    SavedState<Page>("page", in: storage).property("title", \.title)
      .property("draft", \.inner!.draft).property("row", \.rows[1])
  }

  private func store(_ saved: SavedState<Page>, _ page: Page) -> Store<Page, Never> {
    Store(state: page, hookable: PageEditor(saved: saved))
  }

  private func restored(into page: Page) -> Page {
    var page = page
    #expect(saved.restore(into: &page) == .restored)
    return page
  }

  @Test("P1 a save leaves out what is missing, and saves it again when it is there")
  func missing() async throws {
    let saved = saved
    let store = store(saved, full)
    try await saved.flush()
    #expect(restored(into: Page(inner: Inner(), rows: ["c", ""])) == full)
    store.binder.rows.wrappedValue = []
    store.binder.inner.wrappedValue = nil
    try await saved.flush()
    let other = Page(inner: Inner(draft: "own"), rows: ["c", "own"])
    #expect(restored(into: other) == Page(title: "a", inner: other.inner, rows: other.rows))
    store.binder.inner.wrappedValue = Inner(draft: "e")
    try await saved.flush()
    #expect(restored(into: other) == Page(title: "a", inner: Inner(draft: "e"), rows: other.rows))
    #expect(storage.names == ["page"])
  }

  @Test("P1 P8 a status that is missing is not shown, and one that is there again is")
  func status() async throws {
    let saved = saved
    let store = store(saved, Page())
    store.binder.title.wrappedValue = "a"
    try await saved.flush()
    #expect(store.inner == nil)
    store.binder.inner.wrappedValue = Inner(draft: "b")
    storage.isFailing = true
    await #expect(throws: SaveError.self) { try await saved.flush() }
    let reason = "The storage in memory was told to fail."
    #expect(store.inner?.saving == .failed(SaveError.unavailable(reason).description))
  }

  @Test(
    "P1 P5 what is stored of a property that is missing is kept beside the file",
    arguments: [true, false])
  func restored(isRestored: Bool) async throws {
    do {
      let saved = saved
      let store = store(saved, full)
      try await saved.flush()
      withExtendedLifetime(store) {}
    }
    let stored = try #require(storage["page"])
    let saved = saved
    var page = Page(title: "a")
    if isRestored { #expect(saved.restore(into: &page) == .restored) }
    #expect(page == Page(title: "a"))
    let store = store(saved, page)
    store.binder.title.wrappedValue = "e"
    try await saved.flush()
    #expect(storage.names == ["page", "page.damaged-1"])
    #expect(storage["page.damaged-1"] == stored)
    #expect(restored(into: full) == Page(title: "e", inner: full.inner, rows: full.rows))
  }
}
