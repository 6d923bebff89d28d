import Foundation
import Signalbox
import SignalboxStorage
import SignalboxTesting
import Testing

@MainActor struct RestoreTests {
  private let storage = MemoryStorage()

  @Test("P1 nothing stored leaves the state as it is")
  func nothing() {
    let (outcome, note) = storage.restored(Note(draft: "new"))
    #expect(outcome == .nothing)
    #expect(note == Note(draft: "new"))
  }

  @Test("P1 what was saved is in the first state of the store, and no commit tells of it")
  func firstState() async throws {
    storage["note"] = file(draft: "dear all", to: #"["ann"]"#)
    let saved = SavedState.note(in: storage)
    var note = Note(cursor: 3)
    #expect(saved.restore(into: &note) == .restored)
    #expect(note == Note(draft: "dear all", recipients: ["ann"], cursor: 3))
    let store = TestStore(state: note, hookable: Editor(saved: saved), exhaustive: true)
    #expect(store.stateUpdates.isEmpty)
    #expect(store.state == note)
    await store.finish()
  }

  @Test("P1 a property that is not stored keeps its value")
  func missingProperty() {
    storage["note"] = Data("// signalbox 1, version 2\n{\"draft\": \"a\"}".utf8)
    let (outcome, note) = storage.restored(Note(recipients: ["default"]))
    #expect(outcome == .restored)
    #expect(note == Note(draft: "a", recipients: ["default"]))
  }

  @Test("P1 a program that saves and one that restores see the same values")
  func roundTrip() async throws {
    struct Values: Equatable, Sendable {
      var text = "", optional: Int?, none: String? = "there"
      var number = 0.0, big: UInt64 = 0, date = Date.distantPast, bytes = Data()
      var dictionary: [String: [Int]] = [:], set: Set<String> = [], url: URL?, decimal = Decimal(0)
    }
    enum Hook: CaseIterable { case changed }
    struct Saving: Hookable {
      let saved: SavedState<Values>
      func subscription(for hook: Hook, store: MutatingStore<Values, Never>) -> Subscription {
        saved.autosave(store)
      }
    }
    func saved() -> SavedState<Values> {
      SavedState<Values>("values", in: storage).property("text", \.text)
        .property("optional", \.optional).property("none", \.none).property("number", \.number)
        .property("big", \.big).property("date", \.date).property("bytes", \.bytes)
        .property("dictionary", \.dictionary).property("set", \.set).property("url", \.url)
        .property("decimal", \.decimal)
    }
    let values = Values(
      text: "\u{0}\n\"\\ 🙂\u{301}\u{2028}", optional: 3, none: nil, number: -.infinity, big: .max,
      date: Date(timeIntervalSinceReferenceDate: 0.1), bytes: Data([0, 255]),
      dictionary: ["": [1, 2], "🙂": []], set: ["a", "b"], url: URL(string: "https://a.b/c?d"),
      decimal: Decimal(string: "12345678901234567890.123456789")!)  // A number.
    do {
      let saved = saved()
      let store = Store(state: values, hookable: Saving(saved: saved))
      try await saved.flush()
      withExtendedLifetime(store) {}
    }
    var restored = Values()
    #expect(saved().restore(into: &restored) == .restored)
    #expect(restored == values)
  }

  @Test("P1 P8 a restore finds what an earlier store has left, before and while it is saved")
  func pendingValues() async throws {
    let storage = SlowStorage()
    let saved = SavedState.note(in: storage)
    var store: Store<Note, Never>? = Store(state: Note(), hookable: Editor(saved: saved))
    store?.binder.draft.wrappedValue = "typed"
    var note = Note()
    #expect(saved.restore(into: &note) == .restored)
    #expect(note.draft == "typed")
    store = nil
    _ = store
    note = Note()
    #expect(saved.restore(into: &note) == .restored)
    #expect(note.draft == "typed")
    // It is encoded now, and is being written.
    await storage.writes.next(timeout: .seconds(60))
    note = Note()
    #expect(saved.restore(into: &note) == .restored)
    #expect(note.draft == "typed")
    await storage.writes.reply(with: ())
    try await saved.flush()
    #expect(storage.draft == "typed")
  }

  @Test("P1 P8 a restore during a save finds what is saved, and does not use the file")
  func duringSave() async throws {
    let storage = SlowStorage()
    let saved = SavedState.note(in: storage)
    var store: Store<Note, Never>? = Store(state: Note(), hookable: Editor(saved: saved))
    store?.binder.draft.wrappedValue = "typed"
    store = nil
    _ = store
    await storage.writes.next(timeout: .seconds(60))
    storage.memory.isFailing = true
    var note = Note()
    #expect(saved.restore(into: &note) == .restored)
    #expect(note.draft == "typed")
    storage.memory.isFailing = false
    await storage.writes.reply(with: ())
    try await saved.flush()
    #expect(storage.draft == "typed")
  }

  @Test("P1 P8 a restore in a delivery finds what the hook was not told of yet")
  func inDelivery() async throws {
    let saved = SavedState.note(in: storage)
    var note = Note()
    saved.restore(into: &note)
    var store = Store<Note, Never>(state: note, hookable: Editor(saved: saved))
    let emitter = Emitter<String>()
    let subscription = emitter.sink { text in
      store.binder.draft.wrappedValue = text
      #expect(saved.restore(into: &note) == .restored)
      #expect(note.draft == text)
      store = Store(state: note, hookable: Editor(saved: saved))
    }
    emitter.send("x")
    store.binder.recipients.wrappedValue = ["ann"]
    try await saved.flush()
    #expect(storage["note"] == file(draft: "x", to: "[\n    \"ann\"\n  ]"))
    #expect(storage.names == ["note"])
    subscription.cancel()
  }

  @Test("P5 P7 a restore during a save that may not be allowed changes nothing")
  func duringRefusedSave() async throws {
    let storage = SlowStorage()
    let taken = try storage.memory.lock("note")
    let saved = SavedState.note(in: storage)
    var note = Note()
    #expect(saved.restore(into: &note) == .busy)
    let store = Store(state: note, hookable: Editor(saved: saved))
    store.binder.draft.wrappedValue = "x"
    withExtendedLifetime(taken) {}
    storage.memory["note"] = file(draft: "first")
    _ = consume taken
    let flush = Task { try await saved.flush() }
    await storage.writes.next(timeout: .seconds(60))
    #expect(saved.restore(into: &note) == .busy)
    await storage.writes.reply(with: ())
    try await flush.value
    #expect(storage.memory["note.damaged-1"] == file(draft: "first"))
    #expect(saved.restore(into: &note) == .restored)
    #expect(note.draft == "x")
  }

  @Test("P1 P6 a second restore before the first save keeps what is unknown")
  func secondRestore() async throws {
    let old = "// signalbox 1, version 1\n{\"text\": \"a\", \"z\": 1}"
    storage["note"] = Data(old.utf8)
    let saved = SavedState.note(in: storage)
    var note = Note()
    #expect(saved.restore(into: &note) == .migrated(from: 1))
    let store = Store(state: note, hookable: Editor(saved: saved))
    store.binder.draft.wrappedValue = "b"
    #expect(saved.restore(into: &note) == .restored)
    #expect(note.draft == "b")
    try await saved.flush()
    #expect(String(decoding: try #require(storage["note"]), as: UTF8.self).contains("\"z\" : 1"))
  }

  @Test("P2 only the named properties are saved")
  func onlyNamed() async throws {
    let saved = SavedState.note(in: storage)
    let store = Store(state: Note(draft: "a", cursor: 7), hookable: Editor(saved: saved))
    try await saved.flush()
    let stored = try #require(storage["note"])
    #expect(
      String(decoding: stored, as: UTF8.self) == """
        // signalbox 1, version 2
        {
          "draft" : "a",
          "to" : [

          ]
        }

        """)
    withExtendedLifetime(store) {}
  }
}
