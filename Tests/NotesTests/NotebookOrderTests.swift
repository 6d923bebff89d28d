import Signalbox
import SignalboxTesting
import Testing

@testable import Notes

/// Shares a note and edits, removes or cancels at every moment.
@MainActor
@Suite(.timeLimit(.minutes(60)))
struct NotebookOrderTests {
  @Test func `a link is always about the text of its note`() async {
    let report = await explore { world in
      let board = world.endpoint(
        "board", failing: SharingError.alreadyShared, heedsCancellation: false
      ) { (text: String) in
        "board/\(text)"
      }
      let notes = [Note(id: 1, text: "milk"), Note(id: 2, text: "bread")]
      let store = TestStore(
        state: Notebook(notes: notes),
        interactor: NotebookFeature(
          service: NotesService { text, _ in try await board(text) }))
      let note = store.child(\.notes, id: 1, NoteFeature.self)
      world.may("edit") {
        note?.send(.edit)
        let draft = store.child(\.draft, DraftFeature.self)
        draft?.binder.text.wrappedValue = "oat milk"
        draft?.send(.done)
      }
      world.may("cancel") { note?.cancel(.share) }
      world.may("remove") { note?.send(.remove) }
      world.always("a link is about the text") {
        store.notes.allSatisfy { $0.link == nil || $0.link == "board/\($0.text)" }
      }
      world.always("the other note is not touched") { store.notes.last == notes[1] }
      world.finally("nothing is shared any more") { !store.notes.contains(where: \.isSharing) }
      note?.send(.share)
      await world.run()
      world.outcome(store.notes.first.map { $0.problem ?? $0.link ?? $0.text })
    }
    // An answer or a refusal, and three events in every order, each of them before it, after it or
    // never.
    #expect(report.orders == 98)
    #expect(report.isExhaustive)
  }
}
