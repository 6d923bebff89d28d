import Foundation
import Signalbox
import SignalboxTesting
import Testing

@testable import Notes

/// Tests the screens over the list, and what the user is asked or told.
@MainActor
@Suite(.timeLimit(.minutes(60)))
struct PathTests {
  private let files = TestEndpoint<String, String>("files", heedsCancellation: false)
  private let board = TestEndpoint<String, String>("board")
  private let store: TestStore<Notebook, NotebookAction>

  init() {
    let (files, board) = (files, board)
    let notes = [
      Note(id: 1, text: "milk file:///milk file:///oats"), Note(id: 2, text: "bread file:///bread"),
    ]
    store = TestStore(
      state: Notebook(notes: notes),
      interactor: NotebookFeature(
        service: NotesService(
          share: { text, _ in try await board(text) },
          load: { try await files($0.lastPathComponent) })))
  }

  private func open(_ link: String) throws {
    store.send(.open(try #require(URL(string: link))))
  }

  private func attachment(_ index: Int) -> TestStore<AttachedFile, AttachmentAction>? {
    store.child(\.path, at: index, AttachmentFeature.self)
  }

  // MARK: Links

  @Test func `a link shows two screens in one change, and loads what they show`() async throws {
    var paths: [[Screen]] = []
    let subscription = store.publisher.path.sink { paths.append($0) }
    try open("notes://note/1/attachment/2")
    #expect(paths.map(\.count).first == 2)
    #expect(attachment(1)?.isLoading == true)
    await files.reply(to: "oats", with: "rolled oats")
    #expect(attachment(1)?.text == "rolled oats")
    withExtendedLifetime(subscription) {}
  }

  @Test func `a link to what is shown keeps what was loaded`() async throws {
    try open("notes://note/1/attachment/1")
    await files.reply(to: "milk", with: "milk")
    let shown = store.path
    try open("notes://note/1/attachment/1")
    #expect(store.path == shown)
    #expect(attachment(1)?.isLoading == false)
  }

  @Test(arguments: ["notes://note/1/attachment/2", "notes://note/2/attachment/1"])
  func `a link to another file shows that one, whatever answers first`(link: String) async throws {
    try open("notes://note/1/attachment/1")
    let first = attachment(1)
    try open(link)
    #expect(attachment(1)?.text == nil)
    let second = try #require(attachment(1)?.id.note) == 1 ? "oats" : "bread"
    await files.reply(to: second, with: second)
    await files.reply(to: "milk", with: "milk")
    await store.settle(includingCancelled: true)
    #expect(attachment(1)?.text == second)
    #expect(first?.text == nil)
    store.expectDropped(1)
  }

  @Test(arguments: [
    "notes://note/3", "notes://note/1/attachment/3", "notes://note/1/attachment/0",
    "notes://note/3/attachment/1", "notes://note/1/attachment/-9223372036854775808",
    "https://note/1",
  ])
  func `a link that leads nowhere changes no screen`(link: String) throws {
    store.path = [.note(2)]
    try open(link)
    #expect(store.path == [.note(2)])
    #expect(store.alert == AlertState("The link leads nowhere.", message: link))
  }

  // MARK: Back

  @Test func `a screen that is popped ends its work and keeps its last content`() async throws {
    try open("notes://note/1/attachment/1")
    let milk = attachment(1)
    store.path.removeLast()
    await files.reply(to: "milk", with: "milk")
    await store.settle(includingCancelled: true)
    store.expectDropped(1)
    #expect(store.path == [.note(1)])
    #expect(milk?.text == nil)
    #expect(milk?.isLoading == true)
  }

  @Test func `a note is shared although its screen is popped`() async throws {
    try open("notes://note/1")
    store.child(\.notes, id: 1, NoteFeature.self)?.send(.share)
    store.path = []
    await board.reply(with: "board/1")
    #expect(store.notes[0].link == "board/1")
  }

  // MARK: Questions

  @Test func `the user is asked before a note is removed`() async {
    let notes = store.notes
    await store.dispatch(.askToRemove(1))
    #expect(
      store.confirmation
        == ConfirmationState(
          "Delete the note?", message: notes[0].text,
          buttons: [
            DialogButton("Delete", role: .destructive, action: .remove(1)),
            DialogButton("Cancel", role: .cancel),
          ]))
    store.confirmation = nil
    #expect(store.notes == notes)
  }

  @Test func `a note that is removed takes its screens with it`() async throws {
    store.path = [.note(2), .note(1), .attachment(note: 1, 1)]
    await store.dispatch(.remove(1))
    #expect(store.path == [.note(2)])
    #expect(store.notes.map(\.id) == [2])
    await files.reply(to: "milk", with: "milk")
    await store.settle(includingCancelled: true)
    store.expectDropped(1)
  }

  @Test func `a link takes a question away that is not about its screens`() async throws {
    await store.dispatch(.askToRemove(1))
    try open("notes://note/2")
    #expect(store.confirmation == nil)
  }
}
