import ExampleTesting
import Foundation
import Signalbox
import SignalboxInspection
import SignalboxTesting
import Testing

@testable import SignalboxTrace

/// What is in the file of a recording.
@MainActor struct RecordingTests {
  @Test("R1 R2 each event is a line with its cause, from the first event of the store to its end")
  func lines() throws {
    let file = try RecordedFile()
    let sensor = Emitter<Double>()
    var store: Store<RoomState, Never>? = Store(
      state: RoomState(), hookable: Heating(sensor: sensor.signal), name: "lines")
    sensor.send(17)
    _ = store
    store = nil
    let events = try file.events(of: "lines")
    #expect(
      events.texts == [
        "store", "started RoomState(celsius: 20.0, isHeated: false)",
        "hook measured 17.0", "celsius 20.0 → 17.0 ← hook measured 17.0",
        "hook cold true ← celsius 20.0 → 17.0",
        "isHeated false → true ← hook cold true", "released",
      ])
    #expect(zip(events, events.dropFirst()).allSatisfy { $0.time <= $1.time })
  }

  @Test("R2 a store that existed before is recorded from the next thing that happens in it")
  func existing() throws {
    let sensor = Emitter<Double>()
    let store = Store(
      state: RoomState(), hookable: Heating(sensor: sensor.signal), name: "existing")
    sensor.send(10)
    let file = try RecordedFile()
    sensor.send(11)
    file.recording.stop()
    sensor.send(12)
    let events = try file.events(of: "existing")
    #expect(
      events.texts == [
        "store", "started RoomState(celsius: 10.0, isHeated: true)", "hook measured 11.0",
        "celsius 10.0 → 11.0 ← hook measured 11.0", "hook cold true ← celsius 10.0 → 11.0",
      ])
    withExtendedLifetime(store) {}
  }

  @Test("R2 what late work tries, and what happens in children, has its work, cause and place")
  func work() async throws {
    let file = try RecordedFile()
    let search = TestEndpoint<String, String>("search", heedsCancellation: false)
    let store = TestStore(
      state: DeskState(rows: [RowState(id: 3)]), interactor: Desk(search: search), name: "work")
    store.send(.find("a"))
    store.send(.find("ab"))
    await search.reply(to: "ab", with: "AB")
    await search.reply(to: "a", with: "A")
    await store.child(\.rows, id: 3, Row.self)?.dispatch(.rename("x"))
    await store.finish()
    let events = try file.events(of: "work")
    let texts = events.texts
    #expect(texts.contains(#"dropped found "" → "A" ← dispatched .find("a")"#), "\(texts)")
    #expect(texts.contains(#"found "" → "AB" ← dispatched .find("ab")"#))
    #expect(
      texts.contains(#"\.rows[id: 3]: dispatched .rename("x")"#)
        && texts.contains(#"rows[0, id: 3].name "" → "x" ← dispatched .rename("x")"#))
    let superseded = try #require(
      events.first {
        if case .cancelled(_, .superseded?) = $0.kind { true } else { false }
      })
    #expect(superseded.work == events.first { $0.kind.name == "dispatched" }?.id)
  }

  @Test("R1 a file that is no recording is left alone, and an earlier recording is replaced")
  func existingFile() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appending(path: "notes.txt")
    try Data("my notes".utf8).write(to: url)
    #expect(throws: RecordingError.self) { try Recording.start(to: url) }
    #expect(try Data(contentsOf: url) == Data("my notes".utf8))
    for _ in 0..<2 {
      let url = folder.url.appending(path: "run.jsonl")
      let recording = try Recording.start(to: url)
      #expect(throws: RecordingError.self) { try Recording.start(to: url) }
      recording.stop()
      recording.stop()
    }
    let missing = folder.url.appending(path: "no/run.jsonl")
    let error = #expect(throws: RecordingError.self) { try Recording.start(to: missing) }
    #expect(error?.description.contains("no/run.jsonl cannot be written") == true)
  }

  @Test("R1 a file that was cut at any byte is read up to its last whole line")
  func cut() throws {
    let file = try RecordedFile()
    let sensor = Emitter<Double>()
    let store = Store(state: RoomState(), hookable: Heating(sensor: sensor.signal), name: "cut")
    sensor.send(1)
    file.recording.stop()
    let bytes = try Data(contentsOf: file.url)
    let lines = bytes.split(separator: 0x0A).count
    #expect(lines > 5)
    for count in 0...bytes.count {
      let part = bytes.prefix(count)
      let whole = part.count { $0 == 0x0A }
      if whole == 0 {
        #expect(throws: TraceError.empty) { try TraceReader.read(part) }
      } else {
        let (reader, events) = try TraceReader.read(part)
        #expect(events.count == whole - 1 && reader.problems.isEmpty, "cut at \(count)")
      }
    }
    withExtendedLifetime(store) {}
  }

  @Test("R1 a reader skips what it does not know, and says what is wrong with a first line")
  func unknown() throws {
    let header = TraceHeader(started: "now", program: "p", process: 1).line
    let lines = """
      {"kind":"dispatched","store":1,"t":1,"id":2,"action":5,"colour":{"a":[1]}}
      {"kind":"dance","store":1,"t":1}
      not json
      {"kind":"hook","store":1,"t":2,"name":"h","value":{"new":1}}

      """
    let (reader, events) = try TraceReader.read(Array((header + lines).utf8))
    #expect(events.texts == ["dispatched 5", "hook h …"])
    #expect(reader.skipped == 2)
    #expect(throws: TraceError.noRecording) { try TraceReader.read(Array("hello\n".utf8)) }
    let newer = header.replacing("\"version\":1", with: "\"version\":2")
    #expect(throws: TraceError.newer(2)) { try TraceReader.read(Array(newer.utf8)) }
  }

  @Test("R1 R3 a state after changes that cannot be read is that of its next line")
  func unreadableChanges() throws {
    let start = TraceEvent(store: 1, id: 0, time: 0, kind: .started(.integer(1))).line
    let change = #"{"kind":"dance","store":1,"t":1,"id":1,"changes":[]}"# + "\n"
    let state = TraceEvent(store: 1, time: 2, kind: .state(.integer(2))).line
    let header = TraceHeader(started: "now", program: "p", process: 1).line
    let (reader, _) = try TraceReader.read(Array((header + start + change + state).utf8))
    #expect(reader.skipped == 1)
    #expect(reader.problems.isEmpty, "\(reader.problems)")
  }

  @Test("R3 a text that begins with a byte order mark is read as it was recorded")
  func byteOrderMark() throws {
    let (old, new) = (ValueTree.string("\u{FEFF}ab\u{FEFF}"), ValueTree.string("\u{FEFF}a"))
    let edit = ValueEdit([], .text(offset: 0, "\u{FEFF}a", by: "\u{FEFF}"))
    let events = [
      TraceEvent(store: 1, id: 0, time: 0, kind: .started(old)),
      TraceEvent(store: 1, id: 1, time: 1, kind: .changed([edit])),
      TraceEvent(store: 1, time: 2, kind: .state(.string("\u{FEFF}b\u{FEFF}"))),
      TraceEvent(store: 1, id: 2, time: 3, kind: .started(new)),
    ]
    let header = TraceHeader(started: "now", program: "p", process: 1).line
    let lines = header + events.map(\.line).joined()
    let (reader, _) = try TraceReader.read(Array(lines.utf8))
    #expect(reader.problems.isEmpty, "\(reader.problems)")
    #expect(reader.states[1] == new)
  }

  @Test("R1 a line with a negative duration or a place outside of a text does no harm")
  func damaged() throws {
    let header = TraceHeader(started: "now", program: "p", process: 1).line
    let lines = """
      {"kind":"started","store":1,"t":1,"id":1,"state":"text"}
      {"kind":"finished","store":1,"t":1,"id":2,"cause":1,"action":1,"seconds":-1e30}
      {"kind":"changed","store":1,"t":2,"id":3,"changes":[\
      {"at":[],"offset":9223372036854775807,"from":"a","to":"b"}]}

      """
    let (reader, events) = try TraceReader.read(Array((header + lines).utf8))
    #expect(reader.skipped == 1 && events.count == 2)
    #expect(reader.problems == ["Line 4: a change of store 1 does not fit its state."])
  }
}
