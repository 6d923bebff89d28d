import ExampleTesting
import Signalbox
import SignalboxStorage
import SignalboxTesting
import SignalboxTrace
import Testing

@testable import Notes

/// Makes a test of a recording of the notes, which is in `Generated` and runs with the others.
@MainActor
@Suite(.timeLimit(.minutes(60)))
struct RecordingTests {
  @Test("R7 a recording of the notes becomes a test that passes")
  func notes() async throws {
    let file = try RecordedFile(of: "recorded notes")
    let board = TestEndpoint<[String], String>("board", heedsCancellation: false)
    let clock = TestClock()
    let store = TestStore(
      state: Notebook(),
      interactor: NotebookFeature(
        service: NotesService { try await board([$0, $1]) },
        saved: .notebook(in: MemoryStorage()), clock: clock),
      name: "recorded notes")
    func note(_ id: Int) -> TestStore<Note, NoteAction>? {
      store.child(\.notes, id: id, NoteFeature.self)
    }
    func draft() -> TestStore<Draft, DraftAction>? { store.child(\.draft, DraftFeature.self) }
    // Two notes.
    await store.dispatch(.write)
    draft()?.binder.text.wrappedValue = "milk"
    draft()?.binder.text.wrappedValue = "milk and bread"
    await draft()?.dispatch(.done)
    await store.dispatch(.write)
    draft()?.binder.text.wrappedValue = "apples"
    await draft()?.dispatch(.done)
    await clock.advance(by: .milliseconds(300))
    // They are pinned, found and ordered.
    await note(1)?.dispatch(.pin)
    store.child(\.search, SearchFeature.self).binder.query.wrappedValue = "milk"
    await store.child(\.search, SearchFeature.self).dispatch(.clear)
    await store.child(\.settings, SettingsFeature.self).dispatch(.switchOrder)
    store.child(\.settings, SettingsFeature.self).binder.author.wrappedValue = "ann"
    // Both are shared. The second answer comes first.
    note(1)?.send(.share)
    await store.settle()
    note(2)?.send(.share)
    await store.settle()
    await board.reply(to: ["apples", "ann"], with: "board/1")
    await board.fail(["milk and bread", "ann"], with: SharingError.alreadyShared)
    // One more is shared, cancelled, and its answer comes late.
    note(1)?.send(.share)
    await store.settle()
    note(1)?.cancel(.share)
    await board.reply(with: "board/2")
    // A change of a note is discarded, another one is kept.
    await note(1)?.dispatch(.edit)
    draft()?.binder.text.wrappedValue = "milk"
    await draft()?.dispatch(.discard)
    await note(2)?.dispatch(.edit)
    draft()?.binder.text.wrappedValue = "pears"
    await draft()?.dispatch(.done)
    await note(1)?.dispatch(.remove)
    await clock.advance(by: .milliseconds(300))
    await store.finish()
    file.recording.stop()
    let source = try Trace.test(
      of: file.url, named: "recordedNotes",
      Trace.Surroundings(
        imports: ["import SignalboxStorage", "@testable import Notes"],
        setup: [
          """
          let board = TestEndpoint<[String], String>("board", heedsCancellation: false)
          let clock = TestClock()
          let service = NotesService { try await board([$0, $1]) }
          let saved = SavedState<Notebook>.notebook(in: MemoryStorage())
          """
        ],
        state: "Notebook()",
        subject: "interactor: NotebookFeature(service: service, saved: saved, clock: clock)",
        children: [
          "notes": "NoteFeature", "draft": "DraftFeature", "search": "SearchFeature",
          "settings": "SettingsFeature",
        ],
        defaults: [
          "Note.isPinned": "false", "Note.link": "nil", "Note.isSharing": "false",
          "Note.problem": "nil", "Draft.noteID": "nil", "Draft.text": "\"\"", "Draft.words": "0",
        ],
        expressions: ["The board already has this note.": "SharingError.alreadyShared"]))
    try expectGenerated(source, is: "RecordedNotes")
  }
}
