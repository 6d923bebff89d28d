import Signalbox
import SignalboxStorage
import SignalboxTesting
import Testing

@testable import Notes

/// Writes and removes notes while the disk, the board and the process fail at every step.
@MainActor
@Suite(.timeLimit(.minutes(60)))
struct NotebookFaultTests {
  /// A person who writes notes, in one process after another.
  @MainActor
  private final class Writer {
    private let disk: any Storage
    private let clock: TestClock
    private let service: NotesService
    private(set) var store: TestStore<Notebook, NotebookAction>?
    /// What the status has called saved last.
    private(set) var acknowledged: [String] = []

    init(
      _ world: Exploration, withdraw: @escaping @MainActor (String) async throws -> Void = { _ in }
    ) {
      disk = world.storage("notes")
      clock = world.clock
      service = NotesService(share: { _, _ in "" }, withdraw: withdraw)
    }

    /// Starts the program with what the disk has.
    func start() {
      hasCrashed = true
      let saved = SavedState<Notebook>.notebook(in: disk)
      var notebook = Notebook()
      saved.restore(into: &notebook)
      store = TestStore(
        state: notebook, interactor: NotebookFeature(service: service, saved: saved, clock: clock))
    }

    /// Writes notes before anything may fail.
    func start(with notes: [Note]) async throws {
      start()
      store?.notes = notes
      try await SavedState<Notebook>.notebook(in: disk).flush()
    }

    var draft: TestStore<Draft, DraftAction>? { store?.child(\.draft, DraftFeature.self) }
    func note(_ id: Note.ID) -> TestStore<Note, NoteAction>? {
      store?.child(\.notes, id: id, NoteFeature.self)
    }

    /// The texts of the notes and of the draft.
    var texts: [String] { store.map { Self.texts($0.state) } ?? [] }

    /// The texts on the disk, as another process would restore them.
    var saved: [String] {
      let copy = MemoryStorage()
      copy["notebook"] = (try? disk.read("notebook")).flatMap(\.self)
      var notebook = Notebook()
      SavedState<Notebook>.notebook(in: copy).restore(into: &notebook)
      return Self.texts(notebook)
    }

    private static func texts(_ notebook: Notebook) -> [String] {
      notebook.notes.map(\.text) + [notebook.draft?.text].compactMap(\.self)
    }

    /// Whether the process of the store has not reached its end.
    private(set) var hasCrashed = true

    /// States what a writer may rely on in every process.
    func rely(on world: Exploration) {
      world.always("what is called saved is on the disk") { [self] in
        guard store?.saving == .saved else { return true }
        acknowledged = saved
        return texts.allSatisfy(acknowledged.contains)
      }
      world.always("no text is there twice") { [self] in Set(texts).count == texts.count }
      world.finally("what is shown is saved, whatever has failed before") { [self] in
        hasCrashed = false
        return store?.saving == .saved && acknowledged == texts
      }
    }
  }

  @Test func `a draft becomes one note, whatever fails or crashes`() async {
    let report = await explore(faults: 1) { world in
      let writer = Writer(world)
      try await writer.start(with: [Note(id: 1, text: "milk")])
      writer.rely(on: world)
      writer.note(1)?.send(.edit)
      writer.draft?.binder.text.wrappedValue = "oat milk"
      world.may("done") { writer.draft?.send(.done) }
      await world.run()
      guard writer.hasCrashed else { return }

      let acknowledged = writer.acknowledged
      writer.start()
      writer.rely(on: world)
      world.always("no text that was called saved is lost") {
        !acknowledged.contains("oat milk") || writer.texts.contains("oat milk")
      }
      writer.draft?.send(.done)
      await world.run()
    }
    #expect(report.isExhaustive)
  }

  @Test func `a note that is gone was withdrawn, whatever fails or crashes`() async {
    let report = await explore(faults: 1) { world in
      var board: Set = ["board/1"]
      let withdraw = world.endpoint("board", failing: SharingError.alreadyShared) {
        (link: String) in
        board.remove(link)
        return
      }
      let writer = Writer(world) { try await withdraw($0) }
      try await writer.start(with: [
        Note(id: 1, text: "milk", link: "board/1"), Note(id: 2, text: "bread"),
      ])
      @MainActor func isInTheListOrWithdrawn() -> Bool {
        writer.texts.contains("milk") || !board.contains("board/1")
      }
      writer.rely(on: world)
      world.finally("what the board has is in the list") { isInTheListOrWithdrawn() }
      writer.note(1)?.send(.remove)
      writer.note(2)?.send(.pin)
      await world.run()
      guard writer.hasCrashed else { return }

      writer.start()
      writer.rely(on: world)
      world.always("what the board has is in the list") { isInTheListOrWithdrawn() }
      await world.run()
    }
    #expect(report.isExhaustive)
  }
}
