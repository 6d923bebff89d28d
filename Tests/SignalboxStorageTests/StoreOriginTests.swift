import ExampleTesting
import Foundation
import Signalbox
import SignalboxStorage
import SignalboxTesting
import Testing

/// What a store comes from, after several restores, and after changes of which no hook was told.
@MainActor struct StoreOriginTests {
  private typealias Window = Store<Note, BatchingEditor.Batch>

  private let storage = MemoryStorage()

  private func window(_ saved: SavedState<Note>, _ note: Note) -> Window {
    Store(state: note, interactor: BatchingEditor(saved: saved, clock: TestClock()))
  }

  /// Runs a body in a delivery, in which hooks are told of changes only afterwards.
  private func deliver(_ body: @escaping @MainActor () -> Void) {
    let signal = Emitter<Void>()
    let subscription = signal.sink(body)
    signal.send(())
    subscription.cancel()
  }

  @Test("P5 a second store that is made without another restore replaces nothing without a copy")
  func unrestored() async throws {
    storage["note"] = file(draft: "old")
    let saved = SavedState.note(in: storage)
    var note = Note()
    saved.restore(into: &note)
    var first: Window? = window(saved, note)
    first = nil
    _ = first
    let second = window(saved, Note())
    second.send(.init(text: "x"))
    try await saved.flush()
    #expect(storage.restoredDraft == "x")
    #expect(storage.drafts == ["old", "x"])
  }

  @Test("P5 a store that begins with the values of the file keeps no copy, though another read it")
  func restoredByAnother() async throws {
    do {
      let first = SavedState.note(in: storage)
      let store = window(first, Note())
      store.send(.init(text: "old"))
      try await first.flush()
      withExtendedLifetime(store) {}
    }
    for text in ["x", "xy"] {
      var note = Note()
      SavedState.note(in: storage).restore(into: &note)
      let saved = SavedState.note(in: storage)
      let store = window(saved, note)
      store.send(.init(text: text))
      try await saved.flush()
      withExtendedLifetime(store) {}
    }
    #expect(storage.restoredDraft == "xy")
    #expect(storage.names == ["note"])
  }

  @Test("P5 a store that begins with values on their way keeps no copy, though another found them")
  func foundByAnother() async throws {
    var store: Window?
    for text in ["x", "xy", "xyz"] {
      var note = Note()
      SavedState.note(in: storage).restore(into: &note)
      store = window(.note(in: storage), note)
      store?.send(.init(text: text))
    }
    try await SavedState.note(in: storage).flush()
    #expect(storage.restoredDraft == "xyz")
    #expect(storage.names == ["note"])
    _ = store
  }

  @Test("P5 a store of other values keeps a copy of the file, though another one has restored it")
  func otherThanRestored() async throws {
    storage["note"] = file(draft: "old")
    var note = Note()
    SavedState.note(in: storage).restore(into: &note)
    let saved = SavedState.note(in: storage)
    let store = window(saved, Note())
    store.send(.init(text: "x"))
    try await saved.flush()
    #expect(storage.drafts == ["old", "x"])
    withExtendedLifetime(store) {}
  }

  @Test("P5 P8 a store that continues what was restored before a hook was told keeps no copy")
  func continued() async throws {
    let saved = SavedState.note(in: storage)
    var note = Note()
    saved.restore(into: &note)
    var first: Window? = window(saved, note)
    deliver {
      first?.send(.init(text: "h"))
      saved.restore(into: &note)
      saved.restore(into: &note)
    }
    #expect(note.draft == "h")
    let second = window(saved, note)
    first = nil
    try await saved.flush()
    second.send(.init(text: "hey"))
    try await saved.flush()
    #expect(storage.restoredDraft == "hey")
    #expect(storage.names == ["note"])
  }

  @Test("P5 a store comes only from what all restores since the last store have found")
  func twoNotes() async throws {
    storage["note"] = file(draft: "one")
    let saved = SavedState.note(in: storage)
    var (one, two) = (Note(), Note())
    #expect(saved.restore(into: &one) == .restored)
    storage["note"] = file(draft: "two")
    #expect(saved.restore(into: &two) == .restored)
    let first = window(saved, one)
    first.send(.init(text: "one!"))
    try await saved.flush()
    #expect(storage.restoredDraft == "one!")
    #expect(storage.drafts == ["two", "one!"])
  }

  @Test("P5 what a restore finds after one that has failed is continued without a copy")
  func failedBefore() async throws {
    storage["note"] = file(draft: "one")
    storage.isFailing = true
    let saved = SavedState.note(in: storage)
    var note = Note()
    guard case .unavailable = saved.restore(into: &note) else { return #expect(note == Note()) }
    storage.isFailing = false
    #expect(saved.restore(into: &note) == .restored)
    #expect(saved.restore(into: &note) == .restored)
    let first = window(saved, note)
    first.send(.init(text: "one!"))
    try await saved.flush()
    #expect(storage.names == ["note"])
    #expect(storage.restoredDraft == "one!")
  }

  @Test("P5 a new store of the same SavedState is saved by a flush, and what was there is kept")
  func again() async throws {
    let saved = SavedState.note(in: storage)
    var note = Note()
    saved.restore(into: &note)
    var store = window(saved, note)
    store.send(.init(text: "old"))
    try await saved.flush()
    store = window(saved, Note(draft: "new"))
    try await saved.flush()
    #expect(storage.restoredDraft == "new")
    #expect(storage.drafts == ["old", "new"])
    withExtendedLifetime(store) {}
  }
}
