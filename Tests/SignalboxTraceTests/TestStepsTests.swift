import Foundation
import Signalbox
import SignalboxInspection
import Testing

@testable import SignalboxTrace

/// Tests of what counts as coming from outside, with events that are written by hand.
struct TestStepsTests {
  private struct Secret: Identifiable {
    let id: Int
    @Redacted var name = ""
  }

  private struct Level: Hashable { let value: Int }

  private struct Named<ID: Hashable>: Identifiable { let id: ID }

  private static let textIDs = ["../a\"b", "a].b", "C:\\new", "a\"].b", "a.\\"]

  private struct State {
    var rows = [Secret(id: 1)]
    var files = textIDs.map { Named(id: $0) }
    var numbers = [Named(id: UInt64.max)]
    var levels = [Named(id: Level(value: 3))]
    var sides = [Named(id: false), Named(id: true)]
    var sizes = [1.5: Level(value: 1)]
  }

  private enum Action { case clear, share, close }

  /// The statements of the test of events.
  private func test(_ kinds: [(TraceEvent.Kind, child: String?, cause: Int?, work: Int?)])
    throws -> [String]
  {
    var events = [
      TraceEvent(store: 1, id: 0, time: 0, kind: .started(ValueTree(State())))
    ]
    for (index, (kind, child, cause, work)) in kinds.enumerated() {
      events.append(
        TraceEvent(
          store: 1, child: child, id: index + 1, cause: cause, work: work, time: 0, kind: kind))
    }
    let surroundings = Trace.Surroundings(
      state: "State()", subject: "subject",
      hooks: ["rows.heard": "radio.send($0)", "ticked": "", "row.ticked": ""],
      children: Dictionary(
        uniqueKeysWithValues: ["row", "rows", "files", "numbers", "levels", "sides", "sizes"]
          .map { ($0, "Row") }),
      withoutLiterals: ["odd"],
      secrets: ["rows.name": ["\"a\"", "\"b\""]])
    var steps = TestSteps(of: 1, in: events)
    steps.read(surroundings)
    let start = try #require(steps.start)
    var writer = TestWriter(surroundings, optionals: steps.optionals, state: "State")
    // What is in flight at the end has tests of its own.
    let source = try writer.source(
      of: steps.all, from: start, inFlight: InFlightAtEnd(), name: "test")
    let lines = source.split(separator: "\n").map { $0.drop { $0 == " " } }.map(String.init)
      .drop { $0 != "subject)" }.dropFirst().dropLast()
    return lines.last == "await store.finish()" ? lines.dropLast() : Array(lines)
  }

  private let row = #"\.rows[id: 1]"#
  private let handle = #"store.child(\.rows, id: 1, Row.self)?"#
  private var removal: TraceEvent.Kind {
    var elements = ValueEdit.Elements()
    elements.removed = [.init(index: 0, value: ValueTree(Secret(id: 1)))]
    return .changed([ValueEdit([.field("rows")], .elements(elements))])
  }

  @Test("R7 C16 what a child does to its parent by a closure follows from the child's action")
  func closure() throws {
    let lines = try test([
      (.began(.action(ValueTree(Action.close))), child: row, cause: nil, work: 1),
      (removal, child: nil, cause: nil, work: nil),
      (
        .cancelled(.action(ValueTree(Action.close)), .endedWithState), child: row, cause: 1, work: 1
      ),
    ])
    #expect(
      lines == ["await \(handle).dispatch(.close)", "store.expect(including: { $0.rows = [] })"])
  }

  @Test("R7 an action that removes a child whose work waits comes from outside")
  func removed() throws {
    let lines = try test([
      (.began(.action(ValueTree(Action.share))), child: row, cause: nil, work: 1),
      (.began(.action(ValueTree(Action.clear))), child: nil, cause: nil, work: 2),
      (removal, child: nil, cause: 2, work: 2),
      (
        .cancelled(.action(ValueTree(Action.share)), .endedWithState), child: row, cause: 1, work: 1
      ),
      (.finished(.action(ValueTree(Action.clear)), seconds: 0), child: nil, cause: 2, work: 2),
    ])
    #expect(lines.contains("\(handle).send(.share)"))
    #expect(lines.contains { $0.contains("(.clear)") })
  }

  @Test("R7 what the release of a store cancels does not end a child's action in the test")
  func released() throws {
    let lines = try test([
      (.began(.action(ValueTree(Action.share))), child: row, cause: nil, work: 1),
      (removal, child: nil, cause: nil, work: nil),
      (.cancelled(.action(ValueTree(Action.share)), .storeReleased), child: row, cause: 1, work: 1),
      (.released, child: nil, cause: nil, work: nil),
    ])
    let settle = "await store.settle()"
    #expect(lines == ["\(handle).send(.share)", settle, "store.rows = []", settle])
  }

  @Test(
    "R7 the id of a child is the literal of its text",
    arguments: textIDs)
  func textID(_ id: String) throws {
    let lines = try test([
      (.began(.action(ValueTree(Action.close))), child: place(id), cause: nil, work: 1),
      (.finished(.action(ValueTree(Action.close)), seconds: 0), child: nil, cause: 1, work: 1),
    ])
    #expect(lines.first?.contains("id: \(Quoting.quoted(id)), Row.self") == true, "\(lines)")
  }

  @Test("R7 a number is written as an id by its digits, and a test ends at an id without a literal")
  func otherIDs() throws {
    func source(_ id: String) throws -> String {
      try test([
        (.began(.action(ValueTree(Action.close))), #"\.numbers[id: \#(id)]"#, cause: nil, work: 1),
        (.finished(.action(ValueTree(Action.close)), seconds: 0), child: nil, cause: 1, work: 1),
      ]).joined(separator: " ").replacing(" // ", with: " ")
    }
    #expect(try source("\(UInt64.max)").contains("id: 18446744073709551615, Row.self"))
    #expect(try source("Key(a: 1)").hasSuffix("Its id cannot be written as Swift."))
  }

  @Test("R7 the literal of a stored id is that of the state")
  func storedIDs() throws {
    func source(_ place: String) throws -> String? {
      try test([
        (.began(.action(ValueTree(Action.close))), child: place, cause: nil, work: 1),
        (.finished(.action(ValueTree(Action.close)), seconds: 0), child: nil, cause: 1, work: 1),
      ]).first
    }
    #expect(try source(#"\.sides[id: true]"#)?.contains("id: true, Row.self") == true)
    #expect(try source(#"\.sizes[id: 1.5]"#)?.contains("id: 1.5, Row.self") == true)
    #expect(
      try source(#"\.levels[id: Level(value: 3)]"#)?
        .contains("id: TestStepsTests.Level(value: 3), Row.self") == true)
    // The text of an id that describes itself.
    #expect(try source(#"\.levels[id: 3]"#)?.contains("child(") == false)
  }

  private func place(_ id: String) -> String { "\\.files[id: \(Dump.idText(of: id))]" }

  @Test("R7 a text with line breaks stays a comment")
  func comment() throws {
    let failure = TraceEvent.Failure(error: .omitted, text: "Bad request:\nexit(1)")
    let lines = try test([
      (.called(endpoint: "club", call: 1, request: .integer(1)), nil, nil, nil),
      (.answered(endpoint: "club", call: 1, .error(failure)), nil, nil, nil),
    ])
    #expect(lines.contains { $0.contains("Bad request:") })
    #expect(lines.allSatisfy { !$0.contains("exit(1)") || $0.hasPrefix("//") }, "\(lines)")
  }

  @Test("R7 a hook of a child fires as the caller says")
  func hook() throws {
    let lines = try test([
      (.hookFired(name: "heard", .integer(5)), child: row, cause: nil, work: nil)
    ])
    #expect(lines == ["radio.send(5)"])
  }

  @Test("R7 a value that hooks of several children receive of one emitter is sent once")
  func sharedEmitter() throws {
    let heard = TraceEvent.Kind.hookFired(name: "heard", .integer(5))
    let other = TraceEvent.Kind.hookFired(name: "heard", .integer(6))
    let second = #"\.rows[id: 2]"#
    #expect(
      try test([
        (heard, child: row, cause: nil, work: nil), (removal, child: row, cause: 1, work: nil),
        (heard, child: second, cause: nil, work: nil), (heard, child: row, cause: nil, work: nil),
        (other, child: second, cause: nil, work: nil),
      ]).filter { $0.contains("radio") } == ["radio.send(5)", "radio.send(5)", "radio.send(6)"])
  }

  @Test("R7 a request that cannot be written is answered only if it is the oldest")
  func oldest() throws {
    func answers(_ calls: Int...) throws -> [String] {
      try test(
        calls.flatMap { call in
          [
            TraceEvent.Kind.called(endpoint: "club", call: call, request: .redacted),
            .answered(endpoint: "club", call: call, .response(.integer(call))),
          ].map { ($0, nil, nil, nil) }
        })
    }
    #expect(try answers(1, 2) == ["await club.reply(with: 1)", "await club.reply(with: 2)"])
    // The call of the second answer was pending, too, and older.
    let ended = try answers(2, 1)
    #expect(ended.first?.hasPrefix("// The recording goes on here") == true)
    #expect(!ended.contains { $0.contains("reply") })
  }

  @Test("R7 a request that is a tuple, or that the caller excludes, is not compared")
  func tuple() throws {
    let lines = try test([
      (.called(endpoint: "board", call: 1, request: ValueTree(("a", 1))), nil, nil, nil),
      (.answered(endpoint: "board", call: 1, .response(.bool(true))), nil, nil, nil),
    ])
    #expect(lines == ["await board.reply(with: true)"])
    let excluded = try test([
      (.called(endpoint: "odd", call: 1, request: .integer(1)), nil, nil, nil),
      (.answered(endpoint: "odd", call: 1, .response(.bool(true))), nil, nil, nil),
    ])
    #expect(excluded == ["await odd.reply(with: true)"])
  }

  @Test("R7 redacted parts of parts are written with what the caller says")
  func secrets() throws {
    let path: [ValueEdit.Step] = [.field("rows"), .index(0, id: "1"), .field("name")]
    let edit = TraceEvent.Kind.changed([ValueEdit(path, .replaced(.redacted, by: .redacted))])
    #expect(
      try test([(edit, nil, nil, nil), (edit, nil, nil, nil)])
        == [#"store.rows[0].name = "a""#, #"store.rows[0].name = "b""#])
    let lines = try test([(edit, nil, nil, nil), (edit, nil, nil, nil), (edit, nil, nil, nil)])
    #expect(lines[2].hasPrefix("// The recording goes on here"))
  }

  @Test("R7 a redacted part that its own commit removes ends the test")
  func removedSecret() throws {
    let path: [ValueEdit.Step] = [.field("rows"), .index(0, id: "1"), .field("name")]
    guard case .changed(let removal) = removal else { return }
    let edits = [ValueEdit(path, .replaced(.redacted, by: .redacted))] + removal
    let lines = try test([(.changed(edits), nil, nil, nil)])
    #expect(lines.first?.hasSuffix("rows.name was written, and its place is not") == true)
  }

  @Test("R7 all work of a child is cancelled while that of one with a longer name goes on")
  func similarNames() throws {
    let (share, child) = (ValueTree(Action.share), #"\.row"#)
    let lines = try test([
      (.hookFired(name: "ticked", .integer(3)), child, nil, nil),
      (.began(.action(share)), child, 1, 2), (.began(.action(share)), row, 1, 3),
      (.cancelled(.action(share), .requested(by: nil)), child, nil, 2),
    ])
    #expect(lines.contains(#"store.child(\.row, Row.self).cancelAll()"#), "\(lines)")
  }

  @Test("R7 a child's run is cancelled in the child")
  func childRun() throws {
    let poll = TraceEvent.Work.run(.string("poll"))
    let lines = try test([
      (.began(.action(ValueTree(Action.share))), child: row, cause: nil, work: 1),
      (.began(poll), child: row, cause: 1, work: 2),
      (.finished(.action(ValueTree(Action.share)), seconds: 0), child: row, cause: 1, work: 1),
      (.cancelled(poll, .requested(by: nil)), child: row, cause: nil, work: 2),
    ])
    #expect(lines.last == "\(handle).cancel(id: \"poll\")")
  }

  @Test("R7 C8 cancelAll() cancels the work of one child after that of another")
  func cancelChildren() throws {
    let (share, radio) = (ValueTree(Action.share), #"\.numbers[id: 18446744073709551615]"#)
    let cancel = TraceEvent.Kind.cancelled(.action(share), .requested(by: nil))
    func lines(_ works: [(child: String?, work: Int)]) throws -> [String] {
      try test(
        [
          (.began(.action(share)), nil, nil, 1), (.began(.action(share)), radio, nil, 2),
          (.hookFired(name: "heard", .integer(3)), row, nil, nil),
          (.began(.action(share)), row, 3, 4), (.began(.action(share)), row, 3, 5),
        ]
          + works.enumerated().flatMap { index, cancelled in
            [
              (cancel, cancelled.child, nil, cancelled.work),
              (.changed([]), cancelled.child, 6 + 2 * index, nil),
            ]
          })
    }
    let all = try lines([(nil, 1), (row, 4), (row, 5), (radio, 2)])
    #expect(all.last { !$0.hasPrefix("await") } == "store.cancelAll()", "\(all)")
    // Whether the action has a name by which a child could cancel it is not known.
    for other in [[(nil, 1), (row, 5), (row, 4), (radio, 2)], [(nil, 1), (row, 4)]] {
      let lines = try lines(other)
      #expect(lines.contains { $0.hasPrefix("// The recording goes on here") }, "\(lines)")
      #expect(!lines.contains { $0.contains("cancel") && !$0.hasPrefix("//") }, "\(lines)")
    }
  }

  @Test("R7 the stores settle after cancelAll() if an action that was cancelled begins work")
  func cancelAll() throws {
    let (share, clear) = (ValueTree(Action.share), ValueTree(Action.clear))
    let lines = try test([
      (.began(.action(share)), nil, nil, 1), (.began(.action(share)), nil, 1, 2),
      (.cancelled(.action(share), .requested(by: nil)), nil, nil, 1),
      (.began(.action(clear)), nil, 3, 4),
      (.cancelled(.action(share), .requested(by: nil)), nil, nil, 2),
      (removal, nil, 4, 4), (.finished(.action(clear), seconds: 0), nil, 4, 4),
    ])
    let place = try #require(lines.firstIndex(of: "store.cancelAll()"))
    #expect(lines[(place + 1)...].first == "await store.settle()", "\(lines)")
  }

  @Test("R7 an action is not awaited if a hook fires after its end")
  func late() throws {
    let lines = try test([
      (.began(.action(ValueTree(Action.share))), nil, nil, 1),
      (.finished(.action(ValueTree(Action.share)), seconds: 0), nil, 1, 1),
      (.hookFired(name: "ticked", .integer(3)), nil, nil, nil), (removal, nil, 3, nil),
    ])
    #expect(lines.first == "store.send(.share)", "\(lines)")
    #expect(lines.dropFirst().first == "await store.settle()")
  }

  @Test("R7 a handle is named only where the test comes to its cancel")
  func handles() throws {
    let share = TraceEvent.Kind.began(.action(ValueTree(Action.share)))
    let cancel = TraceEvent.Kind.cancelled(.action(ValueTree(Action.share)), .requested(by: nil))
    let unknown = TraceEvent.Kind.hookFired(name: "unknown", .integer(1))
    #expect(
      try test([(share, nil, nil, 1), (cancel, nil, 1, 1)])
        == ["let shareTask = store.send(.share)", "await store.settle()", "shareTask.cancel()"])
    let ended = try test([(share, nil, nil, 1), (unknown, nil, nil, nil), (cancel, nil, 1, 1)])
    #expect(ended.first == "store.send(.share)")
  }
}
