import ExampleTesting
import Foundation
import Signalbox
import SignalboxStorage
import SignalboxTesting
import Testing

@MainActor struct DamageTests {
  private let storage = MemoryStorage()
  private let original = file(draft: "dear 🙂", to: #"["ann", "bob"]"#)

  /// Saves another draft in a process of its own.
  private func save(_ draft: String) async throws {
    let saved = SavedState.note(in: storage)
    var note = Note()
    saved.restore(into: &note)
    let store = Store(state: Note(draft: draft), hookable: Editor(saved: saved, clock: TestClock()))
    try await saved.flush()
    withExtendedLifetime(store) {}
  }

  @Test(
    "P5 what cannot be decoded is set aside, reported and never overwritten",
    arguments: [
      "", "{}", "no", "// signalbox 1, version 2", "// signalbox 1, version 2\n",
      "// signalbox 1, version 2\n[]", "// signalbox 1, version 2\n{\"draft\": 3}",
      "// signalbox 1, version 2\n{\"draft\": \"a\"", "// signalbox 1, version 0\n{}",
      "// signalbox 1, version 2\n{\"to\": [1]}", "// signalbox 1, version 2\n\u{0}",
    ])
  func damaged(_ text: String) async throws {
    storage["note"] = Data(text.utf8)
    storage["note.damaged-1"] = Data("older".utf8)
    let saved = SavedState.note(in: storage)
    var note = Note(draft: "default")
    #expect(saved.restore(into: &note) == .setAside(as: "note.damaged-2"))
    #expect(saved.damage != nil)
    #expect(note == Note(draft: "default"))
    let store = Store(state: Note(draft: "new"), hookable: Editor(saved: saved, clock: TestClock()))
    try await saved.flush()
    #expect(storage["note.damaged-1"] == Data("older".utf8))
    #expect(storage["note.damaged-2"] == Data(text.utf8))
    #expect(storage["note"] == file(draft: "new", to: "[\n\n  ]"))
    withExtendedLifetime(store) {}
  }

  @Test("P5 a file cut at any byte is restored or set aside, and its bytes are kept")
  func cut() async throws {
    for count in original.indices { try await check(original[..<count]) }
  }

  @Test("P5 a file with any bit flipped is restored, set aside or left alone")
  func flipped() async throws {
    for index in original.indices {
      for bit in 0..<8 {
        var bytes = original
        bytes[index] ^= 1 << bit
        try await check(bytes)
      }
    }
  }

  private func check(_ bytes: Data) async throws {
    let storage = MemoryStorage()
    storage["note"] = bytes
    let saved = SavedState.note(in: storage)
    var note = Note()
    let outcome = saved.restore(into: &note)
    func isKept() -> Bool { storage.names.contains { storage[$0] == bytes } }
    #expect(isKept())
    let store = Store(state: Note(draft: "new"), hookable: Editor(saved: saved, clock: TestClock()))
    switch outcome {
    case .restored, .migrated: break
    case .setAside(let name):
      #expect(storage[name] == bytes)
      #expect(note == Note())
      try await saved.flush()
      #expect(isKept())
    case .newer(let version):
      #expect(version >= 2)
      await #expect(throws: SaveError.newer(version)) { try await saved.flush() }
      #expect(storage["note"] == bytes)
    case .nothing, .unavailable, .busy: Issue.record("\(outcome)")
    }
    withExtendedLifetime(store) {}
  }

  @Test("P5 what cannot be read is not taken for nothing, and nothing is written")
  func unavailable() async throws {
    storage["note"] = original
    storage.isFailing = true
    let saved = SavedState.note(in: storage)
    var note = Note()
    #expect(saved.restore(into: &note) == .unavailable("The storage in memory was told to fail."))
    storage.isFailing = false
    let store = Store(state: note, hookable: Editor(saved: saved, clock: TestClock()))
    store.binder.draft.wrappedValue = "x"
    // It can be read by now, but the state does not have its values.
    await #expect(throws: SaveError.self) { try await saved.flush() }
    #expect(storage["note"] == original)
    #expect(saved.restore(into: &note) == .restored)
    #expect(note.draft == "dear 🙂")
    try await saved.flush()
    #expect(storage["note.damaged-1"] == original)
    withExtendedLifetime(store) {}
  }

  @Test("P5 a store that is made of what a second restore found sets nothing aside")
  func secondStore() async throws {
    storage["note"] = original
    storage.isFailing = true
    let saved = SavedState.note(in: storage)
    var note = Note()
    saved.restore(into: &note)
    storage.isFailing = false
    var store = Store(state: note, hookable: Editor(saved: saved, clock: TestClock()))
    #expect(saved.restore(into: &note) == .restored)
    store = Store(state: note, hookable: Editor(saved: saved, clock: TestClock()))
    store.binder.recipients.wrappedValue = []
    try await saved.flush()
    #expect(storage.names == ["note"])
    #expect(storage["note"] == file(draft: "dear 🙂", to: "[\n\n  ]"))
  }

  @Test(
    "P5 a store that is made after a restore that failed does not overwrite what was saved before")
  func failedLater() async throws {
    try await save("saved")
    let stored = try #require(storage["note"])
    let saved = SavedState.note(in: storage)
    var note = Note()
    #expect(saved.restore(into: &note) == .restored)
    storage.isFailing = true
    note = Note()
    guard case .unavailable = saved.restore(into: &note) else { return #expect(note == Note()) }
    storage.isFailing = false
    let store = Store(state: note, hookable: Editor(saved: saved, clock: TestClock()))
    store.binder.draft.wrappedValue = "x"
    #expect(saved.restore(into: &note) == .restored)
    #expect(note.draft == "saved")
    try await saved.flush()
    #expect(storage.restoredDraft == "x")
    #expect(storage["note.damaged-1"] == stored)
  }

  @Test("P5 a file that is set aside while values are pending is reported")
  func damagedWhilePending() async throws {
    let saved = SavedState.note(in: storage)
    var note = Note()
    saved.restore(into: &note)
    let store = Store(state: note, hookable: Editor(saved: saved, clock: TestClock()))
    store.binder.draft.wrappedValue = "typed"
    storage["note"] = Data("no".utf8)
    #expect(saved.restore(into: &note) == .restored)
    #expect(note.draft == "typed")
    #expect(saved.damage?.contains("first line") == true)
    #expect(storage["note.damaged-1"] == Data("no".utf8))
  }

  /// A store whose draft is saved, after which another program changes the file.
  private func edited(_ saved: SavedState<Note>, _ text: String) async throws -> Store<Note, Never>
  {
    var note = Note()
    saved.restore(into: &note)
    let store = Store(state: note, hookable: Editor(saved: saved, clock: TestClock()))
    store.binder.draft.wrappedValue = "my novel"
    try await saved.flush()
    storage["note"] = Data(text.utf8)
    return store
  }

  @Test(
    "P3 P5 P8 a flush without anything new replaces a file that was damaged meanwhile",
    arguments: [
      "", "<<<<<<< mine\n", "// signalbox 1, version 2\n{\n  \"draft\" : \"my no",
      "// signalbox 1, version 1\n{\n  \"text\" : \"my no",
    ])
  func damagedMeanwhile(_ text: String) async throws {
    let saved = SavedState.note(in: storage)
    let store = try await edited(saved, text)
    try await saved.flush()
    #expect(storage.restoredDraft == "my novel")
    #expect(storage["note.damaged-1"] == Data(text.utf8))
    withExtendedLifetime(store) {}
  }

  @Test("P5 a flush without anything new leaves a file of an older version")
  func olderMeanwhile() async throws {
    let text = "// signalbox 1, version 1\n{\"text\": \"edited\"}"
    let saved = SavedState.note(in: storage)
    let store = try await edited(saved, text)
    try await saved.flush()
    #expect(storage["note"] == Data(text.utf8))
    #expect(storage.names == ["note"])
    withExtendedLifetime(store) {}
  }

  @Test("P7 a restore finds the values of an open store whose file was damaged after their save")
  func damagedUnderStore() async throws {
    let saved = SavedState.note(in: storage)
    var store: Store<Note, Never>? = try await edited(saved, "no")
    var note = Note()
    #expect(saved.restore(into: &note) == .restored)
    #expect(note.draft == "my novel")
    #expect(saved.damage?.contains("first line") == true)
    store = nil
    _ = store
    try await saved.flush()
    #expect(storage.restoredDraft == "my novel")
    #expect(storage["note.damaged-1"] == Data("no".utf8))
  }

  @Test("P5 what another program writes meanwhile is set aside, not overwritten")
  func writtenMeanwhile() async throws {
    let saved = SavedState.note(in: storage)
    let store = Store(
      state: Note(draft: "mine"), hookable: Editor(saved: saved, clock: TestClock()))
    try await saved.flush()
    storage["note"] = original
    store.binder.draft.wrappedValue = "mine, too"
    try await saved.flush()
    #expect(storage["note.damaged-1"] == original)
    #expect(storage.names == ["note", "note.damaged-1"])
  }

  @Test("P5 a program that does not restore overwrites nothing")
  func notRestored() async throws {
    storage["note"] = original
    try await {
      let saved = SavedState.note(in: storage)
      let store = Store(
        state: Note(draft: "new"), hookable: Editor(saved: saved, clock: TestClock()))
      try await saved.flush()
      withExtendedLifetime(store) {}
    }()
    #expect(storage["note.damaged-1"] == original)
  }

  @Test("P5 a person's mended file is restored")
  func mended() {
    let text =
      "\u{FEFF}// signalbox 1, version 2 \r\n{ // mine\r\n draft: 'a', \"to\": [\"b\",], }\r\n"
    storage["note"] = Data(text.utf8)
    let (outcome, note) = storage.restored()
    #expect(outcome == .restored)
    #expect(note == Note(draft: "a", recipients: ["b"]))
  }

  @Test("P5 a value that could not be decoded again does not replace one that can")
  func asymmetric() async throws {
    struct Odd: Codable, Equatable, Sendable {
      var text = ""
      init(_ text: String) { self.text = text }
      init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
        if text == "odd" {
          throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "It is odd."))
        }
      }
      func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
    }
    struct State: Sendable { var odd = Odd("even") }
    enum Hook: CaseIterable { case changed }
    struct Saving: Hookable {
      let saved: SavedState<State>
      func subscription(for hook: Hook, store: MutatingStore<State, Never>) -> Subscription {
        saved.autosave(store)
      }
    }
    let saved = SavedState<State>("odd", in: storage).property("odd", \.odd)
    let store = Store(state: State(), hookable: Saving(saved: saved))
    try await saved.flush()
    let stored = storage["odd"]
    store.binder.odd.wrappedValue = Odd("odd")
    await #expect(throws: SaveError.self) { try await saved.flush() }
    #expect(storage["odd"] == stored)
  }

  @Test(
    "P5 a file with a name twice in an object is kept",
    arguments: [
      #"{"draft": "old", "draft": "mended"}"#, #"{"draft": "a", "z": [{"b": 1, "\u0062": 2}]}"#,
      #"{"z": {a: {"b": 1}, "b": {"c": 2}, 'a': 3}}"#,
      "{\"z\": [[{\"\u{E9}\": 1, \"b\": {}, \"e\u{301}\": 2}]]}",
      "{\"z\": {\((0..<1_000).map { "\"\($0)\": {\"7\": [] }, " }.joined())\"\\u0037\": 0}}",
    ])
  func twice(_ json: String) {
    let bytes = Data("// signalbox 1, version 2\n\(json)".utf8)
    storage["note"] = bytes
    let saved = SavedState.note(in: storage)
    var note = Note()
    #expect(saved.restore(into: &note) == .setAside(as: "note.damaged-1"))
    #expect(saved.damage?.hasSuffix("occurs twice in an object.") == true)
    #expect(storage["note.damaged-1"] == bytes)
  }

  @Test("P5 a name in several objects does not occur twice")
  func several() {
    let values = #"[{"a": 1}, {"a": "a", "b": {"a": {"b": "a"}, "\\u0061": 2}}, {"draft": {}}]"#
    storage["note"] = Data("// signalbox 1, version 2\n{\"a\": \(values), \"draft\": \"b\"}".utf8)
    let (outcome, note) = storage.restored()
    #expect(outcome == .restored && note.draft == "b")
  }
}
