import Foundation
import Signalbox
import SignalboxStorage
import Testing

@MainActor struct MigrationTests {
  private let storage = MemoryStorage()

  @Test("P6 an older version is migrated, and the original stays until the next save")
  func migrated() async throws {
    let old = Data("// signalbox 1, version 1\n{\"text\": \"a\", \"to\": []}".utf8)
    storage["note"] = old
    let saved = SavedState.note(in: storage)
    var note = Note()
    #expect(saved.restore(into: &note) == .migrated(from: 1))
    #expect(note == Note(draft: "a"))
    #expect(storage["note"] == old)
    let store = Store(state: note, hookable: Editor(saved: saved))
    #expect(storage["note"] == old)
    try await saved.flush()
    #expect(storage["note"] == file(draft: "a", to: "[\n\n  ]"))
    withExtendedLifetime(store) {}
  }

  @Test("P6 migrations run step by step, from any version")
  func steps() throws {
    struct State: Equatable, Sendable { var words: [String] = [], size = 0 }
    func saved() -> SavedState<State> {
      SavedState<State>("words", version: 4, in: storage)
        .property("words", \.words).property("size", \.size)
        .migration(from: 3) { values in
          try values.change("size", from: Int.self) { $0 + 1 }
        }
        .migration(from: 1) { values in values.rename("text", to: "line") }
        .migration(from: 2) { values in
          let line = try values.value("line", as: String.self) ?? ""
          values.remove("line")
          try values.set("words", to: line.split(separator: " ").map(String.init))
          if !values.contains("size") { try values.set("size", to: line.count) }
        }
    }
    for (version, fields) in [(1, #""text": "a b""#), (2, #""line": "a b""#)] {
      storage["words"] = Data("// signalbox 1, version \(version)\n{\(fields)}".utf8)
      var state = State()
      #expect(saved().restore(into: &state) == .migrated(from: version))
      #expect(state == State(words: ["a", "b"], size: 4))
    }
    storage["words"] = Data("// signalbox 1, version 3\n{\"size\": 1}".utf8)
    var state = State()
    #expect(saved().restore(into: &state) == .migrated(from: 3))
    #expect(state == State(size: 2))
  }

  @Test("P6 a missing step or one that throws sets the file aside")
  func missing() {
    let old = Data("// signalbox 1, version 1\n{\"text\": 3}".utf8)
    storage["note"] = old
    var note = Note()
    let missing = SavedState<Note>("note", version: 3, in: storage).property("draft", \.draft)
      .migration(from: 1) { _ in }
    #expect(missing.restore(into: &note) == .setAside(as: "note.damaged-1"))
    #expect(missing.damage == "There is no migration from version 2.")
    #expect(storage["note.damaged-1"] == old)
    storage["other"] = old
    let throwing = SavedState<Note>("other", version: 2, in: storage).property("draft", \.draft)
      .migration(from: 1) { values in try values.change("text", from: String.self) { $0 + "!" } }
    #expect(throwing.restore(into: &note) == .setAside(as: "other.damaged-1"))
    #expect(storage["other.damaged-1"] == old)
    #expect(note == Note())
  }

  @Test(
    "P6 a newer version is left alone, and nothing is written",
    arguments: [
      ("// signalbox 1, version 3\n{}", 3), ("// signalbox 2, version 2\nwhatever", 2),
      ("// signalbox 1, version 2.1\n{}", Int.max), ("// signalbox 1, version b\n{}", Int.max),
      ("// signalbox 1, version 2 beta\n{}", Int.max), ("// signalbox 1, version \n{}", Int.max),
      ("// signalbox 1, version 2\(String(repeating: "é", count: 99))\n{}", Int.max),
      ("// signalbox 1, version \(String(repeating: "9", count: 99))\n{}", Int.max),
    ])
  func newer(_ text: String, _ version: Int) async throws {
    storage["note"] = Data(text.utf8)
    let saved = SavedState.note(in: storage)
    var note = Note()
    #expect(saved.restore(into: &note) == .newer(version))
    #expect(note == Note())
    let store = Store(state: note, hookable: Editor(saved: saved))
    store.binder.draft.wrappedValue = "new"
    await #expect(throws: SaveError.newer(version)) { try await saved.flush() }
    #expect(storage["note"] == Data(text.utf8))
    #expect(storage.names == ["note"])
    #expect(store.saving == .failed(SaveError.newer(version).description))
  }

  @Test("P6 a newer version that was not restored is left alone, too")
  func newerNotRestored() async throws {
    let newer = file(draft: "a", version: 3)
    storage["note"] = newer
    let saved = SavedState.note(in: storage)
    let store = Store(state: Note(), hookable: Editor(saved: saved))
    await #expect(throws: SaveError.newer(3)) { try await saved.flush() }
    #expect(storage["note"] == newer)
    withExtendedLifetime(store) {}
  }

  @Test("P6 fields that this version does not know are kept, with all their digits")
  func unknown() async throws {
    let numbers =
      "1.4142135623730950488, 12345678901234567890123.5, 18446744073709551615, -9223372036854775808, 1e300, 0.1"
    let unknown = "\"z\": {\"a\": [null, true, \"\\u0001\", \(numbers), {}]}"
    storage["note"] = Data("// signalbox 1, version 2\n{\"draft\": \"a\", \(unknown)}".utf8)
    do {
      let saved = SavedState.note(in: storage)
      var note = Note()
      saved.restore(into: &note)
      note.draft = "b"
      let store = Store(state: note, hookable: Editor(saved: saved))
      try await saved.flush()
      withExtendedLifetime(store) {}
    }
    let text = String(decoding: try #require(storage["note"]), as: UTF8.self)
    let packed = text.filter { !$0.isWhitespace }
    #expect(packed.contains(#""draft":"b""#))
    for number in numbers.split(separator: ", ") where number != "1e300" {
      #expect(packed.contains(number))
    }
    #expect(packed.contains(#""z":{"a":[null,true,"\u0001","#))
    #expect(packed.contains("1e+300") || packed.contains("1e300"))
  }

  @Test(
    "P2 P6 the unknown fields of a file that is gone or set aside are not in the next one",
    arguments: [nil, "no"] as [String?])
  func unknownOfFormerFile(_ text: String?) async throws {
    storage["note"] = Data("// signalbox 1, version 2\n{\"draft\": \"a\", \"z\": 1}".utf8)
    let saved = SavedState.note(in: storage)
    var note = Note()
    #expect(saved.restore(into: &note) == .restored)
    storage["note"] = text.map { Data($0.utf8) }
    note = Note()
    let expected: Restored = text == nil ? .nothing : .setAside(as: "note.damaged-1")
    #expect(saved.restore(into: &note) == expected)
    let store = Store(state: note, hookable: Editor(saved: saved))
    store.binder.draft.wrappedValue = "b"
    try await saved.flush()
    #expect(storage["note"] == file(draft: "b", to: "[\n\n  ]"))
  }

  @Test("P6 migrated files keep unknown fields, too")
  func unknownMigrated() async throws {
    storage["note"] = Data("// signalbox 1, version 1\n{\"text\": \"a\", \"z\": 1}".utf8)
    let saved = SavedState.note(in: storage)
    var note = Note()
    saved.restore(into: &note)
    let store = Store(state: note, hookable: Editor(saved: saved))
    try await saved.flush()
    #expect(String(decoding: try #require(storage["note"]), as: UTF8.self).contains("\"z\" : 1"))
    withExtendedLifetime(store) {}
  }

  @Test(
    "P6 every version that a program can name is read again, and a longer number is newer",
    arguments: [999_999_999, 2_026_112_301, Int.max])
  func versions(_ version: Int) async throws {
    let saved = SavedState<Note>("note", version: version, in: storage).property("draft", \.draft)
    var note = Note()
    saved.restore(into: &note)
    let store = Store(state: Note(draft: "a"), hookable: Editor(saved: saved))
    try await saved.flush()
    #expect(saved.restore(into: &note) == .restored)
    #expect(note.draft == "a")
    let next = MemoryStorage()
    next["note"] = Data("// signalbox 1, version \(version)0\n{}".utf8)
    guard case .newer = next.restored().outcome else { return #expect(version == 0, "newer") }
    withExtendedLifetime(store) {}
  }

  @Test(
    "P6 a version that is no number or does not fit is newer than the highest one, too",
    arguments: ["9223372036854775808", String(repeating: "9", count: 99), "two"])
  func aboveHighest(_ version: String) {
    storage["note"] = Data("// signalbox 1, version \(version)\n{\"draft\": \"a\"}".utf8)
    let saved = SavedState<Note>("note", version: .max, in: storage).property("draft", \.draft)
    var note = Note()
    #expect(saved.restore(into: &note) == .newer(.max))
    #expect(note == Note())
  }

  @Test("P6 numbers, and whatever a program does not know, come through byte for byte")
  func verbatim() async throws {
    let numbers = "[-0.0,1.2345678901234567e-120, 340282366920938463463374607431768211455]"
    let unknown = #"{"a": [ 1e300,"\u00e9 \/", {"b" :[[]]} ], "c":\t-0}"#
    storage["note"] = Data(
      "// signalbox 1, version 1\n{\"numbers\": \(numbers), \"z\": \(unknown), \"draft\": \"a\"}"
        .utf8)
    let saved = SavedState<Note>("note", version: 2, in: storage).property("draft", \.draft)
      .migration(from: 1) { values in values.rename("numbers", to: "other numbers") }
    var note = Note()
    #expect(saved.restore(into: &note) == .migrated(from: 1))
    let store = Store(state: note, hookable: Editor(saved: saved))
    try await saved.flush()
    let text = String(decoding: try #require(storage["note"]), as: UTF8.self)
    #expect(text.contains("\"other numbers\" : \(numbers)") && text.contains("\"z\" : \(unknown)"))
    withExtendedLifetime(store) {}
  }
}
