import Foundation
import Signalbox
import SignalboxTesting
import Testing

@testable import Notes

/// Follows links, goes back and answers questions at every moment.
@MainActor
@Suite(.timeLimit(.minutes(60)))
struct PathOrderTests {
  private typealias NotesStore = TestStore<Notebook, NotebookAction>

  private let notes = [
    Note(id: 1, text: "milk file:///milk"), Note(id: 2, text: "bread file:///bread"),
  ]

  /// A store whose files and board answer at any moment, also after they were cancelled.
  private func store(_ world: Exploration) -> NotesStore {
    let files = world.endpoint(
      "files", failing: AttachmentError.unreadable, heedsCancellation: false
    ) { (file: String) in
      "the text of \(file)"
    }
    let board = world.endpoint("board", heedsCancellation: false) { (text: String) in
      "board/\(text)"
    }
    let store = TestStore(
      state: Notebook(notes: notes),
      interactor: NotebookFeature(
        service: NotesService(
          share: { text, _ in try await board(text) },
          load: { try await files($0.lastPathComponent) })))
    world.always("each screen is about what is there") {
      store.path.allSatisfy { screen in
        guard case .attachment(let attachment) = screen else {
          return store.notes.contains { $0.id == screen.noteID }
        }
        guard let file = try? store.state.file(attachment.id) else { return false }
        return [nil, "the text of \(file.lastPathComponent)"].contains(attachment.text)
      }
    }
    world.finally("each screen has what it shows, or says why not") {
      store.path.allSatisfy { screen in
        guard case .attachment(let attachment) = screen else { return true }
        return !attachment.isLoading && (attachment.text == nil) != (attachment.problem == nil)
      }
    }
    return store
  }

  private func open(_ link: String, in store: NotesStore) {
    if let link = URL(string: link) { store.send(.open(link)) }
  }

  @Test func `a link arrives while an answer is on its way`() async {
    let report = await explore { world in
      let store = store(world)
      world.may("link") { open("notes://note/2/attachment/1", in: store) }
      world.may("same link") { open("notes://note/1/attachment/1", in: store) }
      open("notes://note/1/attachment/1", in: store)
      await world.run()
      world.outcome(store.path.url)
    }
    #expect(report.orders == 154)
    #expect(report.isExhaustive)
  }

  @Test func `a screen is popped while it loads and its note is shared`() async {
    let report = await explore { world in
      let store = store(world)
      world.may("back") { _ = store.path.popLast() }
      world.may("back to the list") { store.path = [] }
      world.finally("the note is shared") { store.notes[0].link == "board/\(store.notes[0].text)" }
      open("notes://note/1/attachment/1", in: store)
      store.child(\.notes, id: 1, NoteFeature.self)?.send(.share)
      await world.run()
      world.outcome(store.path.map(\.noteID))
    }
    #expect(report.orders == 76)
    #expect(report.isExhaustive)
  }

  @Test func `a question is answered, dismissed and taken away by a link`() async {
    let report = await explore { world in
      let store = store(world)
      var isHarmless = true
      // The dialog sends what was chosen, and writes that it is gone when it has slid away.
      world.may("delete") { store.send(.remove(1)) }
      world.may("dismissed") {
        var before = store.state
        before.confirmation = nil
        store.confirmation = nil
        isHarmless = store.state == before
      }
      world.may("link") { open("notes://note/2/attachment/1", in: store) }
      world.always("a dismissal changes nothing else") { isHarmless }
      world.always("the other note is not touched") { store.notes.last == notes[1] }
      world.finally("no question is left over another screen") {
        store.confirmation == nil || store.path.last?.noteID != 2
      }
      open("notes://note/1/attachment/1", in: store)
      store.send(.askToRemove(1))
      await world.run()
      world.outcome(store.notes.count)
    }
    #expect(report.orders == 370)
    #expect(report.isExhaustive)
  }
}
