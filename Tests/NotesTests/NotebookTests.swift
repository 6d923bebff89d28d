import Signalbox
import SignalboxStorage
import SignalboxTesting
import Testing

@testable import Notes

/// Tests the features together.
@MainActor
@Suite(.timeLimit(.minutes(60)))
struct NotebookTests {
  private let board = TestEndpoint<[String], String>("board", heedsCancellation: false)
  private let storage = MemoryStorage()
  private let clock = TestClock()

  private func notebook(
    _ texts: String..., draft: Draft? = nil, exhaustive: Bool = false
  ) -> TestStore<Notebook, NotebookAction> {
    let notes = texts.enumerated().map { Note(id: $0 + 1, text: $1) }
    return store(Notebook(notes: notes, draft: draft), exhaustive: exhaustive)
  }

  private func store(
    _ notebook: Notebook, _ saved: SavedState<Notebook>? = nil, exhaustive: Bool = false
  ) -> TestStore<Notebook, NotebookAction> {
    let board = board
    return TestStore(
      state: notebook,
      interactor: NotebookFeature(
        service: NotesService(
          share: { try await board([$0, $1]) }, withdraw: { _ = try await board([$0]) }),
        saved: saved, clock: clock),
      exhaustive: exhaustive)
  }

  // MARK: Writing

  @Test func `a draft becomes the first note in the list`() async throws {
    let store = notebook("milk")
    await store.dispatch(.write)
    let draft = try #require(store.child(\.draft, DraftFeature.self))
    draft.binder.text.wrappedValue = "bread"
    #expect(store.draft?.words == 1)
    await draft.dispatch(.done)
    #expect(store.draft == nil)
    #expect(store.notes == [Note(id: 1, text: "milk"), Note(id: 2, text: "bread")])
    #expect(store.search.found == [2, 1])
  }

  @Test func `a note is edited, which removes the link to its old text`() async throws {
    let store = notebook("milk")
    store.notes[0].link = "board/1"
    await store.child(\.notes, id: 1, NoteFeature.self)?.dispatch(.edit)
    let draft = try #require(store.child(\.draft, DraftFeature.self))
    #expect(draft.state == Draft(noteID: 1, text: "milk", words: 1))
    draft.binder.text.wrappedValue += " and bread"
    await draft.dispatch(.done)
    #expect(store.notes == [Note(id: 1, text: "milk and bread")])
  }

  @Test func `the draft of a note that was removed becomes a new note`() async {
    let store = notebook("milk")
    await store.child(\.notes, id: 1, NoteFeature.self)?.dispatch(.edit)
    await store.child(\.notes, id: 1, NoteFeature.self)?.dispatch(.remove)
    await store.child(\.draft, DraftFeature.self)?.dispatch(.done)
    #expect(store.notes == [Note(id: 1, text: "milk")])
  }

  @Test func `a draft is not replaced by another`() async {
    let store = notebook("milk", draft: Draft(text: "half a thought"))
    await store.dispatch(.write)
    await store.child(\.notes, id: 1, NoteFeature.self)?.dispatch(.edit)
    #expect(store.draft?.text == "half a thought")
    await store.child(\.draft, DraftFeature.self)?.dispatch(.discard)
    #expect(store.draft == nil)
  }

  // MARK: Sharing

  @Test func `a note is shared under the name of the author`() async throws {
    let store = notebook("milk")
    store.child(\.settings, SettingsFeature.self).binder.author.wrappedValue = "ann"
    store.child(\.notes, id: 1, NoteFeature.self)?.send(.share)
    await board.reply(to: ["milk", "ann"], with: "board/1")
    #expect(store.notes[0].link == "board/1")
  }

  @Test func `two notes are shared side by side`() async {
    let store = notebook("milk", "bread")
    for id in 1...2 { store.child(\.notes, id: id, NoteFeature.self)?.send(.share) }
    await board.reply(to: ["bread", ""], with: "board/1")
    await board.reply(to: ["milk", ""], with: "board/2")
    #expect(store.notes.map(\.link) == ["board/2", "board/1"])
  }

  @Test func `a late answer to a note that was removed is dropped and reported`() async {
    let store = notebook("milk", "bread", exhaustive: true)
    let note = store.child(\.notes, id: 1, NoteFeature.self)
    note?.send(.share)
    store.expect { $0.notes[0].isSharing = true }
    note?.send(.remove)
    store.expect {
      $0.notes = [Note(id: 2, text: "bread")]
      $0.search.found = [2]
    }
    await board.reply(with: "board/1")
    await store.settle(includingCancelled: true)
    store.expectDropped(1)
    await store.finish()
  }

  @Test(arguments: [true, false])
  func `a shared note disappears at once, and comes back if it cannot be withdrawn`(
    isRefused: Bool
  ) async throws {
    let saved = SavedState<Notebook>.notebook(in: storage)
    let shared = Note(id: 1, text: "milk", link: "board/1")
    let store = store(Notebook(notes: [shared, Note(id: 2, text: "bread")]), saved)
    store.child(\.notes, id: 1, NoteFeature.self)?.send(.remove)
    #expect(store.notes.map(\.id) == [2] && store.search.found == [2])
    // What is saved, and what else changes, does not depend on it.
    store.child(\.notes, id: 2, NoteFeature.self)?.send(.pin)
    try await saved.flush()
    let file = try #require(storage["notebook"])
    #expect(String(decoding: file, as: UTF8.self).contains("milk"))
    if isRefused {
      await board.fail(["board/1"], with: SharingError.alreadyShared)
      #expect(store.notes.first?.problem == "The board already has this note.")
    } else {
      await board.reply(to: ["board/1"], with: "")
      try await saved.flush()
    }
    #expect(store.notes.map(\.id) == (isRefused ? [1, 2] : [2]))
    #expect(store.notes.last?.isPinned == true)
  }

  // MARK: Settings

  @Test func `the order changes the list`() async {
    let store = notebook("bread", "milk")
    #expect(store.search.found == [2, 1])
    await store.child(\.settings, SettingsFeature.self).dispatch(.switchOrder)
    #expect(store.search.found == [1, 2])
  }

  // MARK: Saving

  @Test func `notes, settings and the draft are there in the next run`() async throws {
    let saved = SavedState<Notebook>.notebook(in: storage)
    var store = store(Notebook(), saved)
    store.notes = [Note(id: 1, text: "milk", isPinned: true, link: "board/1", isSharing: true)]
    store.settings = Settings(order: .alphabetical, author: "ann")
    store.search.query = "m"
    store.draft = Draft(noteID: 1, text: "milk and")
    try await saved.flush()

    // The first one is still there, so the file is read as another process would read it.
    let copy = MemoryStorage()
    copy["notebook"] = storage["notebook"]
    var notebook = Notebook()
    let outcome = SavedState<Notebook>.notebook(in: copy).restore(into: &notebook)
    #expect(outcome == .restored)
    store = self.store(notebook, .notebook(in: copy))
    #expect(store.notes == [Note(id: 1, text: "milk", isPinned: true, link: "board/1")])
    #expect(store.settings == Settings(order: .alphabetical, author: "ann"))
    #expect(store.search == Search(found: [1]))
    #expect(store.draft == Draft(noteID: 1, text: "milk and", words: 2))
    #expect(store.child(\.draft, DraftFeature.self) != nil)
  }

  @Test func `each keystroke in the draft is saved when typing pauses`() async {
    let store = store(Notebook(), .notebook(in: storage))
    await store.dispatch(.write)
    let draft = store.child(\.draft, DraftFeature.self)
    for letter in "milk" { draft?.binder.text.wrappedValue.append(letter) }
    #expect(store.saving == .pending)
    await clock.advance(by: .milliseconds(300))
    #expect(store.saving == .saved)
    #expect(storage.writes == 1)
  }

  @Test func `a failed save is shown`() async {
    let store = store(Notebook(), .notebook(in: storage))
    storage.isFailing = true
    await store.dispatch(.write)
    await clock.advance(by: .milliseconds(300))
    #expect(store.status == "Saving failed: The storage in memory was told to fail.")
  }
}
