import Signalbox
import SignalboxUI
import SwiftUI
import Testing

@testable import NotesUI

/// Drives the views of the notes as a user does.
@MainActor struct NotebookViewTests {
  private let store: Store<Notebook, NotebookAction>
  private let host: Host

  init() {
    let store = Store(
      state: Notebook(notes: [
        Note(id: 1, text: "milk file:///list.txt"), Note(id: 2, text: "oats"),
      ]),
      interactor: NotebookFeature(
        service: NotesService(
          share: { text, _ in "board/\(text)" }, load: { "the text of \($0.lastPathComponent)" })))
    self.store = store
    host = Host(NotebookView(store: store))
  }

  private func open(_ link: String) throws {
    let link = try #require(URL(string: link))
    #expect(host.open(link))
    host.update()
  }

  @Test("a link shows a file, and going back shows its note")
  func link() async throws {
    try open("notes://note/1/attachment/1")
    #expect(host.texts.contains("File 1"))
    await store.child(\.path, at: 1, AttachmentFeature.self)?.dispatch(.load)
    host.update()
    #expect(host.texts.contains("the text of list.txt"))
    host.goBack()
    host.update()
    #expect(store.path == [.note(1)])
    #expect(host.texts.contains("Note 1"))
    #expect(!host.texts.contains("File 1"))
    #expect(host.faults == [])
  }

  @Test("a user goes to a file")
  func file() {
    host.tap("milk file:///list.txt")
    host.update()
    #expect(host.texts.contains("Note 1"))
    host.tap("list.txt")
    host.update()
    #expect(host.texts.contains("File 1"))
    #expect(store.path.url?.absoluteString == "notes://note/1/attachment/1")
    #expect(host.faults == [])
  }

  @Test("a user writes a note in a sheet")
  func sheet() {
    host.tap("New note")
    host.update()
    host.field("Editor")?.wrappedValue = "call ann"
    host.update()
    #expect(host.texts.contains("2 words"))
    host.tap("Done")
    host.update()
    #expect(store.notes.map(\.text) == ["milk file:///list.txt", "oats", "call ann"])
    #expect(host.field("Editor") == nil)
    #expect(host.tap("call ann"))
    #expect(host.faults == [])
  }

  @Test("a user is asked before a note and its screen go")
  func confirmation() {
    host.tap("oats")
    host.update()
    host.tap("Delete…")
    host.update()
    #expect(host.dialog == "Delete the note?")
    host.answer("Delete")
    host.update()
    #expect(host.dialog == nil)
    #expect(store.notes.map(\.id) == [1])
    #expect(store.path.isEmpty)
    #expect(host.faults == [])
  }

  @Test("a link that leads nowhere is an alert")
  func alert() throws {
    try open("notes://note/9")
    #expect(host.dialog == "The link leads nowhere.")
    host.answer(nil)
    host.update()
    #expect(host.dialog == nil)
    #expect(store.alert == nil)
    #expect(host.faults == [])
  }

  @Test("a user searches and changes the order")
  func search() {
    host.field("Search")?.wrappedValue = "milk"
    host.update()
    #expect(!host.tap("oats"))
    host.field("Search")?.wrappedValue = ""
    host.tap("A to Z")
    host.update()
    #expect(store.search.found == [1, 2])
    #expect(host.faults == [])
  }
}
