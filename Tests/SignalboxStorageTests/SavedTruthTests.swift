import Signalbox
import SignalboxStorage
import SignalboxTesting
import Testing

/// Tests that pending changes are not saved (O6).
@MainActor struct SavedTruthTests {
  private enum Edit: Equatable { case wait, write, replace }

  /// The store of the last action.
  @MainActor private final class Handle { var store: MutatingStore<Note, Edit>? }

  private struct Writer: Interactor {
    let saved: SavedState<Note>
    let clock: TestClock
    let send: TestEndpoint<String, String>
    let handle: Handle

    func onAction(_ edit: Edit, store: MutatingStore<Note, Edit>) async throws {
      handle.store = store
      if edit == .wait {
        _ = try await send("")
        return
      }
      let pending = store.optimistic { $0.draft = "shown" }
      let answer = try await send(store.draft)
      if edit == .replace { pending.confirm { $0.draft = answer } }
    }

    func onError(_ error: any Error, action: Edit, store: MutatingStore<Note, Edit>) {}

    func subscription(for hook: NoteHook, store: MutatingStore<Note, Edit>) -> Subscription {
      saved.autosave(store, status: \.saving, clock: clock)
    }
  }

  private let storage = MemoryStorage()
  private let clock = TestClock()
  private let send = TestEndpoint<String, String>("send")
  private let handle = Handle()

  private func makeStore() -> TestStore<Note, Edit> {
    TestStore(
      state: Note(),
      interactor: Writer(saved: .note(in: storage), clock: clock, send: send, handle: handle))
  }

  private var saved: String { storage["note"].map { String(decoding: $0, as: UTF8.self) } ?? "" }

  @Test("O6 P4 what is pending is not saved, and what is written below it is")
  func pending() async {
    let store = makeStore()
    store.send(.write)
    await clock.advance(by: .seconds(3))
    #expect(!saved.contains("shown"))
    store.draft = "written"
    #expect(store.draft == "shown")
    await clock.advance(by: .seconds(3))
    #expect(saved.contains("written"))
    await send.fail(with: CancellationError())
    #expect(store.draft == "written")
  }

  @Test("O6 P4 a store that is released with a pending change saves the truth")
  func released() async {
    var store: TestStore<Note, Edit>? = makeStore()
    store?.send(.write)
    store?.draft = "written"
    store = nil
    await clock.advance(by: .seconds(3))
    #expect(saved.contains("written") && !saved.contains("shown"))
  }

  @Test("O6 P8 a store that is released in a batch saves the truth at the end of the batch")
  func releasedInBatch() async {
    var store: TestStore<Note, Edit>? = makeStore()
    store?.send(.write)
    handle.store?.batch {
      handle.store?.draft = "written"
      store = nil
    }
    await clock.advance(by: .seconds(3))
    #expect(saved.contains("written") && !saved.contains("shown"))
  }

  @Test("O6 P4 what is written in a batch is saved, also if a change of the same batch hides it")
  func hiddenInBatch() async {
    let store = makeStore()
    store.send(.wait)
    handle.store?.batch {
      handle.store?.draft = "written"
      handle.store?.optimistic { $0.draft = "" }
    }
    await clock.advance(by: .seconds(3))
    #expect(saved.contains("written") && store.draft == "")
    await send.reply(with: "")
  }

  @Test("O6 P4 a confirmed change is saved although nothing that is shown has changed")
  func confirmed() async {
    let store = makeStore()
    store.send(.write)
    await clock.advance(by: .seconds(3))
    await send.reply(with: "shown")
    await clock.advance(by: .seconds(3))
    #expect(saved.contains("shown"))
    #expect(store.saving == .saved)
  }

  /// The state of a parent whose child saves itself.
  private struct Pad: Equatable, Sendable { var note: Note? = Note() }

  private struct PadFeature: Interactor {
    let writer: Writer

    func children(of store: MutatingStore<Pad, Never>) -> Children<Pad> { Child(\.note) { writer } }
    func onAction(_ action: Never, store: MutatingStore<Pad, Never>) {}
  }

  enum End: CaseIterable { case removed, released }

  @Test(
    "O6 P8 C6 a child that ends in a batch with a pending change saves its truth",
    arguments: End.allCases)
  func childEndsInBatch(_ end: End) async {
    let writer = Writer(saved: .note(in: storage), clock: clock, send: send, handle: handle)
    var store: TestStore<Pad, Never>? = TestStore(
      state: Pad(), interactor: PadFeature(writer: writer))
    store?.child(\.note, Writer.self)?.send(.write)
    handle.store?.batch {
      handle.store?.draft = "written"
      if end == .removed { store?.note = nil } else { store = nil }
    }
    await clock.advance(by: .seconds(3))
    #expect(saved.contains("written") && !saved.contains("shown"))
  }
}
