import ExampleTesting
import Foundation
import Signalbox
import SignalboxInspection
import SignalboxTesting
import Testing

@testable import SignalboxTrace

/// Tests that are written from recordings.
///
/// The files in `Generated` are such tests. They are compiled and run with the others, and the tests
/// here check that recordings still lead to them. `SIGNALBOX_WRITE_GENERATED=1` writes them again.
@MainActor struct TraceTestTests {
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
    try expectGenerated(source, is: "RecordedHeating")
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
    try expectGenerated(source, is: "RecordedFinder")
  }

  private static let library = Trace.Surroundings(
    setup: ["let counting = TestEndpoint<String, Int>(\"counting\")"],
    state: "LibraryState()", subject: "interactor: Library(counting: counting)",
    children: ["racks": "Rack", "volumes": "Volume"], withoutLiterals: ["visitors"],
    compared: ["visitors.names", "visitors.isCrowded"],
    defaults: [
      "RackState.volumes": "[]", "VolumeState.title": "\"\"", "VolumeState.isLent": "false",
      "LibraryState.Label.size": "1",
    ],
    secrets: ["code": ["\"please\"", "\"sesame\""]])

  @Test("R7 parts of parts, cancels, secrets and errors of a recording are in its test")
  func library() async throws {
    let file = try RecordedFile(of: "library")
    let counting = TestEndpoint<String, Int>("counting")
    let store = TestStore(
      state: LibraryState(), interactor: Library(counting: counting), name: "library")
    store.code = "please"
    store.code = "sesame"
    store.state.events = ["opened"]
    let page = try #require(URL(string: "https://example.org/library"))
    await store.dispatch(.open(Date(timeIntervalSinceReferenceDate: 0.5), page))
    await store.dispatch(.visit("ann"))
    await store.dispatch(.visit("bob"))
    // Children of children, and parts that are written from outside.
    await store.dispatch(.add(rack: "a"))
    let rack = store.child(\.racks, id: "a", Rack.self)
    await rack?.dispatch(.add(1))
    await rack?.dispatch(.add(2))
    await rack?.child(\.volumes, id: 1, Volume.self)?.dispatch(.lend)
    store.racks[0].volumes[1].title = "Two"
    store.label = LibraryState.Label(text: "Open")
    store.label?.size = 2
    store.fees["ann"] = LibraryState.Label(text: "One")
    store.fees["bob"] = LibraryState.Label(text: "Two")
    store.fees["ann"]?.size = 3
    store.fees["bob"] = nil
    // This child changes its parent and sends it an action, by a closure.
    await store.dispatch(.add(rack: "b"))
    await rack?.dispatch(.empty)
    // An action, a run, an action of a hook and all work are cancelled.
    let count = store.send(.count)
    await store.settle()
    count.cancel()
    store.send(.countLater)
    await store.settle()
    store.cancel(id: "later")
    store.label?.text = "Count!"
    await store.settle()
    store.cancel(.count)
    store.send(.count)
    store.send(.countLater)
    await store.settle()
    store.cancelAll()
    await store.dispatch(.fail)
    store.expectError()
    await store.finish()
    file.recording.stop()
    let source = try Trace.test(of: file.url, named: "recordedLibrary", Self.library)
    try expectGenerated(source, is: "RecordedLibrary")
    var others = Self.library
    (others.secrets, others.wholes) = (["code": ["\"1\"", "\"2\""]], ["racks", "label"])
    let wholes = try Trace.test(of: file.url, others)
    #expect(wholes.contains("store.code = \"1\"\n"))
    #expect(wholes.contains("$0.racks = [RackState(id: \"a\", volumes: [VolumeState(id: 1)])]"))
    #expect(wholes.contains("store.label = LibraryState.Label(text: \"Open\", size: 2)"))
    others.secrets = ["code": ["\"1\""]]
    let short = try Trace.test(of: file.url, others)
    #expect(
      short.hasSuffix(
        """
          store.code = "1"
          // The recording goes on here, and the test does not: code was written, and is redacted. Say in
          // `secrets` what to write.
        }

        """))
  }

  @Test("R7 work that the release of its store cancels is in flight at the end of the test")
  func released() async throws {
    let file = try RecordedFile(of: "released library")
    let counting = TestEndpoint<String, Int>("counting")
    var store: TestStore<LibraryState, LibraryAction>? = TestStore(
      state: LibraryState(), interactor: Library(counting: counting), name: "released library")
    store?.send(.count)
    store?.send(.countLater)
    await counting.reply(to: "volumes", with: 1)
    store?.send(.count)
    await store?.settle()
    store = nil
    file.recording.stop()
    let source = try Trace.test(of: file.url, Self.library)
    #expect(
      source.hasSuffix(
        """
          store.send(.count)
          await store.settle()
          #expect(store.isRunning(id: "later"))
          await store.finish()
        }

        """))
  }

  @Test("R7 an endpoint that stores share answers each call in the test of the store that made it")
  func shared() async throws {
    let names = ["left library", "right library"]
    let file = try RecordedFile { names.contains($1 ?? "") }
    let counting = TestEndpoint<String, Int>("counting")
    let stores = names.map {
      TestStore(state: LibraryState(), interactor: Library(counting: counting), name: $0)
    }
    stores[0].send(.count)
    stores[1].send(.countLater)
    await counting.reply(to: "later", with: 2)
    await counting.reply(to: "volumes", with: 1)
    file.recording.stop()
    let tests = try names.map { try Trace.test(of: file.url, store: $0, Self.library) }
    let answers = [#"reply(to: "volumes", with: 1)"#, #"reply(to: "later", with: 2)"#]
    #expect(tests.map { test in answers.map(test.contains) } == [[true, false], [false, true]])
    withExtendedLifetime(stores) {}
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
    try expectGenerated(source, is: "RecordedEnd")
    #expect(!source.contains("40"))
    #expect(throws: TraceTestError.noStore("no", candidates: [])) {
      try Trace.test(of: file.url, store: "no", surroundings)
    }
  }

  private enum Loading { case failed(any Error) }

  private enum Step { case done(Void) }

  private struct Pages<Page> { var all: [Page] = [] }

  private enum Side: Hashable { case left }

  @Test("R7 the literals of all kinds of values are Swift, and others have none")
  func literals() {
    #expect(
      ValueTree(Zoo.Shape.box(width: 1, height: nil)).literal() == ".box(width: 1, height: nil)")
    #expect(ValueTree(Zoo.Point(x: -1e300, y: 1.5)).literal() == "Zoo.Point(x: -1e+300, y: 1.5)")
    #expect(ValueTree("a\u{0}\"\\\n").literal() == #""a\0\"\\\n""#)
    #expect(ValueTree(["b": [1], "a": []]).literal() == #"["a": [], "b": [1]]"#)
    #expect(
      ValueTree([Double.nan, .infinity, -.infinity]).literal() == "[.nan, .infinity, -.infinity]")
    #expect(ValueTree(UInt64.max).literal() == "18446744073709551615")
    #expect(ValueTree((x: 1, 2)).literal() == "(x: 1, 2)")
    #expect(ValueTree([CGFloat(2.5), .nan]).literal() == "[2.5, .nan]")
    #expect(ValueTree(URL(filePath: "notes.txt")).literal() == nil)
    #expect(ValueTree(Result<Int, FinderError>.success(3)).literal() == ".success(3)")
    #expect(
      ValueTree(Result<Int, FinderError>.failure(.busy(seconds: 3))).literal()
        == ".failure(FinderError.busy(seconds: 3))")
    #expect(
      ValueTree(Result<Int, any Error>.failure(FinderError.busy(seconds: 3))).literal()
        == ".failure(FinderError.busy(seconds: 3))")
    #expect(
      ValueTree(Result<[Int], any Error>.success([1])).literal(isTyped: true)
        == "Result<Array<Int>, any Error>.success([1])")
    #expect(
      ValueTree(Loading.failed(FinderError.busy(seconds: 3))).literal()
        == ".failed(FinderError.busy(seconds: 3))")
    // With or without a layout.
    #expect(ValueTree(Step.done(())).literal() == ".done(())")
    #expect(ValueTree(Result<Void, any Error>.success(())).literal() == ".success(())")
    #expect(
      ValueTree(Pages<Pages<Loading>>()).literal()
        == "TraceTestTests.Pages<TraceTestTests.Pages<TraceTestTests.Loading>>(all: [])")
    #expect(ValueTree([AnyHashable(Side.left)]).literal() == "[TraceTestTests.Side.left]")
    let names = [("inout", 1), ("`a\u{A0}b`", 2)].map {
      ValueTree.Field(label: $0, value: .integer($1))
    }
    #expect(
      ValueTree.record(.init(type: "Names", fields: names)).literal()
        == "Names(`inout`: 1, `a b`: 2)")
    #expect(TestChanges.Place(root: "$0").property("`a\u{A0}b`").text == "$0.`a b`")
    #expect(ValueTree(Zoo()).literal() == nil)
    #expect(ValueTree(HiddenTests.Holder(HiddenTests.Safe(id: 1))).literal() == nil)
  }

  @Test("R7 T11 a range that ends below zero has spaces around its operator")
  func ranges() {
    #expect(ValueTree(-5..<2).literal() == "(-5..<2)")
    #expect(ValueTree(-5 ..< -2).literal() == "(-5 ..< -2)")
    #expect(SourceFormatter.code(of: -5 ... -2) == "(-5 ... -2)")
  }

  @Test("R7 durations are written in the largest unit that is exact")
  func durations() {
    #expect(ValueTree(Duration.seconds(-2)).literal() == ".seconds(-2)")
    #expect(ValueTree(Duration.milliseconds(1_500)).literal() == ".milliseconds(1500)")
    #expect(ValueTree(Duration.milliseconds(-50)).literal() == ".milliseconds(-50)")
    #expect(ValueTree(Duration.microseconds(30)).literal() == ".microseconds(30)")
    #expect(ValueTree(Duration.nanoseconds(1)).literal() == ".nanoseconds(1)")
    #expect(
      ValueTree(Duration(secondsComponent: 1, attosecondsComponent: 5)).literal()
        == "Duration(secondsComponent: 1, attosecondsComponent: 5)")
    // As a number, 0.15 is a little less, and a timer would not fire.
    #expect(SourceLiterals.duration("0.15") == ".milliseconds(150)")
  }

  @Test("R7 a clock is advanced by exactly what it was, not by the nearest number")
  func advance() {
    let kinds = TraceEvent.Kind.of(.advanced(by: .seconds(1) / 30))
    #expect(kinds == [.advanced(seconds: "0.033333333333333333")])
    #expect(
      SourceLiterals.duration("0.033333333333333333")
        == "Duration(secondsComponent: 0, attosecondsComponent: 33333333333333333)")
  }

  @Test("R7 what Foundation shows as a text has a literal, from which the same value comes")
  func foundation() throws {
    #expect(
      ValueTree(try #require(URL(string: "https://swift.org/?a=\"b\""))).literal()
        == #"URL(string: "https://swift.org/?a=%22b%22")!"#)
    #expect(ValueTree(Data([0, 255])).literal() == "Data([0x00, 0xff])")
    #expect(ValueTree(Data()).literal() == "Data()")
    #expect(ValueTree(Data(count: 2_000)).literal() == nil)
    #expect(ValueTree(Decimal(1.5)).literal() == #"Decimal(string: "1.5")!"#)
    for seconds in [0, 0.1, -1.5, 817_137_842.914_008, 817_137_842.123_456_7, 1e15, .pi] {
      let literal = try #require(ValueTree(Date(timeIntervalSinceReferenceDate: seconds)).literal())
      let number = literal.dropFirst("Date(timeIntervalSinceReferenceDate: ".count).dropLast()
      #expect(Double(number) == seconds, "\(literal)")
    }
  }
}
