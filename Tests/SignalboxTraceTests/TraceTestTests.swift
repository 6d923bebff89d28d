import ExampleTesting
import Foundation
import Signalbox
import SignalboxTesting
import Testing

@testable import SignalboxTrace

/// Tests that are written from recordings.
///
/// The files in `Generated` are such tests. They are compiled and run with the others, and the tests
/// here check that recordings still lead to them. `SIGNALBOX_WRITE_GENERATED=1` writes them again.
@MainActor struct TraceTestTests {
  private func check(_ source: String, is name: String) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Generated")
    let url = folder.appending(path: "\(name).swift")
    if ProcessInfo.processInfo.environment["SIGNALBOX_WRITE_GENERATED"] != nil {
      try Data(source.utf8).write(to: url)
    }
    let known = try String(decoding: Data(contentsOf: url), as: UTF8.self)
    #expect(source == known)
  }

  private static let imports = ["@testable import SignalboxTraceTests"]

  @Test("R7 a recording of hooks becomes a test that passes")
  func hooks() throws {
    let file = try RecordedFile()
    let sensor = Emitter<Double>()
    let store = Store(state: RoomState(), hookable: Heating(sensor: sensor.signal), name: "rooms")
    sensor.send(17)
    sensor.send(19.5)
    store.binder.celsius.wrappedValue = 21
    file.recording.stop()
    let source = try Trace.test(
      of: file.url, store: "rooms", named: "recordedHeating",
      Trace.Surroundings(
        setup: ["let sensor = Emitter<Double>()"],
        subject: "hookable: Heating(sensor: sensor.signal)",
        hooks: ["measured": "sensor.send($0)", "cold": ""]))
    try check(source, is: "RecordedHeating")
  }

  @Test("R7 endpoints, a clock, children and errors of a recording are in its test, which passes")
  func finder() async throws {
    let file = try RecordedFile()
    let search = TestEndpoint<String, [FinderState.Hit]>("search")
    let remote = Emitter<FinderState.Hit>()
    let clock = TestClock()
    let store = TestStore(
      state: FinderState(),
      interactor: Finder(search: search, remote: remote.signal, clock: clock), name: "finder")
    store.query = "a \"quoted\" \\ text\n"
    await clock.advance(by: .milliseconds(300))
    await search.reply(with: [FinderState.Hit(id: 1, title: "one", score: 0.5)])
    store.send(.search("a"))
    store.send(.search("ab"))
    await search.reply(to: "ab", with: [])
    store.send(.search("abc"))
    await search.fail(with: FinderError.busy(seconds: 3))
    remote.send(FinderState.Hit(id: 2, title: "two", score: nil))
    await store.dispatch(.add(row: 3))
    store.child(\.rows, id: 3, Row.self)?.send(.rename("x"))
    await store.finish()
    file.recording.stop()
    let source = try Trace.test(
      of: file.url, store: "finder", named: "recordedFinder",
      Trace.Surroundings(
        setup: [
          "let search = TestEndpoint<String, [FinderState.Hit]>(\"search\")",
          "let remote = Emitter<FinderState.Hit>()", "let clock = TestClock()",
        ],
        subject: "interactor: Finder(search: search, remote: remote.signal, clock: clock)",
        hooks: ["remote": "remote.send($0)"], children: ["rows": "Row"]))
    try check(source, is: "RecordedFinder")
  }

  @Test("R7 a test ends where something cannot be written, and says so")
  func ends() throws {
    let file = try RecordedFile()
    let sensor = Emitter<Double>()
    let store = Store(state: RoomState(), hookable: Heating(sensor: sensor.signal), name: "ends")
    store.binder.celsius.wrappedValue = 30
    sensor.send(17)
    store.binder.celsius.wrappedValue = 40
    file.recording.stop()
    let surroundings = Trace.Surroundings(
      setup: ["let sensor = Emitter<Double>()"],
      subject: "hookable: Heating(sensor: sensor.signal)", hooks: ["cold": ""])
    let source = try Trace.test(
      of: file.url, store: "ends", named: "recordedEnd", surroundings)
    try check(source, is: "RecordedEnd")
    #expect(!source.contains("40"))
    #expect(throws: TraceTestError.noStore("no", candidates: [])) {
      try Trace.test(of: file.url, store: "no", surroundings)
    }
  }

  @Test("R7 the literals of all kinds of values are Swift, and others have none")
  func literals() {
    #expect(
      ValueTree(Zoo.Shape.box(width: 1, height: nil)).literal() == ".box(width: 1, height: nil)")
    #expect(ValueTree(Zoo.Point(x: -1e300, y: 1.5)).literal() == "Zoo.Point(x: -1e+300, y: 1.5)")
    #expect(ValueTree("a\u{0}\"\\\n").literal() == #""a\0\"\\\n""#)
    #expect(
      ValueTree(Duration.milliseconds(1_500)).literal()
        == "Duration(secondsComponent: 1, attosecondsComponent: 500000000000000000)")
    #expect(ValueTree(Duration.seconds(-2)).literal() == ".seconds(-2)")
    #expect(ValueTree(["b": [1], "a": []]).literal() == #"["a": [], "b": [1]]"#)
    #expect(
      ValueTree([Double.nan, .infinity, -.infinity]).literal() == "[.nan, .infinity, -.infinity]")
    #expect(ValueTree(UInt64.max).literal() == "18446744073709551615")
    #expect(ValueTree((x: 1, 2)).literal() == "(x: 1, 2)")
    #expect(ValueTree(Date.now).literal() == nil)
    #expect(ValueTree(Zoo()).literal() == nil)
    #expect(ValueTree(HiddenTests.Holder(HiddenTests.Safe(id: 1))).literal() == nil)
  }
}
