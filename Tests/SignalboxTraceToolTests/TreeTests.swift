import Foundation
import Signalbox
import SignalboxInspection
import Testing

@testable import SignalboxTrace
@testable import SignalboxTraceTool

/// What `signalbox-trace` prints.
@Suite("R8 the tree of causes")
struct TreeTests {
  @Test("R8 each event stands below its cause, with its time")
  func tree() {
    #expect(
      printed() == """
           0.000  started with RoomState(celsius: 20.0, isHeated: false, people: [])
           1.500  hook measured: 17.0
           1.500    celsius 20.0 → 17.0
           1.500      hook cold: true
           1.500        .turn(on: true)
           1.700          isHeated false → true
           1.700          .turn(on: true) finished after 200 ms
           1.600  hook entered: "ann"
           1.600    people + [0] Person(id: 3, name: "ann")
           2.000  \\.people[id: 3]: .rename
           2.100    \\.people[id: 3]: people[0, id: 3].name "ann" → "<b>ann</b></script>"
           2.200    \\.people[id: 3]: .rename failed: the name is\\u{1B}[2J taken
        """)
  }

  @Test(
    "R8 --state prints the changes of a part and their causes",
    arguments: [
      "people[id: 3].name", "people[0].name", "people.name", "\\.people[id: 3]",
    ])
  func state(path: String) throws {
    var selection = Selection()
    selection.paths = [try PathPattern(path)]
    // The list itself contains what the path names.
    #expect(
      printed(selection) == """
           1.600  hook entered: "ann"
           1.600    people + [0] Person(id: 3, name: "ann")
           2.000  \\.people[id: 3]: .rename
           2.100    \\.people[id: 3]: people[0, id: 3].name "ann" → "<b>ann</b></script>"
        """)
  }

  @Test(
    "R8 --state leaves out other elements and other properties",
    arguments: [
      "people[id: 4].name", "people[1].name", "people.age", "people[\"3\"].name",
    ])
  func otherState(path: String) throws {
    let pattern = try PathPattern(path)
    #expect(!pattern.fits([.field("people"), .index(0, id: "3"), .field("name")]))
    #expect(pattern.fits([.field("people")]))
    #expect(!pattern.fits([.field("celsius")]))
  }

  @Test("R8 --action prints an action with its causes and effects")
  func action() {
    var selection = Selection()
    selection.actions = ["turn"]
    #expect(
      printed(selection) == """
           1.500  hook measured: 17.0
           1.500    celsius 20.0 → 17.0
           1.500      hook cold: true
           1.500        .turn(on: true)
           1.700          isHeated false → true
           1.700          .turn(on: true) finished after 200 ms
        """)
  }

  @Test("R8 --hook prints a hook with its causes and effects, and --since leaves out the rest")
  func hookSince() {
    var selection = Selection()
    selection.hooks = ["cold"]
    selection.since = 1.7001
    #expect(
      printed(selection) == """
           1.500  hook measured: 17.0
           1.500    celsius 20.0 → 17.0
           1.500      hook cold: true
           1.500        .turn(on: true)
           1.700          .turn(on: true) finished after 200 ms
        """)
  }

  @Test("R8 --since prints an event of exactly that time")
  func sinceItself() {
    var selection = Selection()
    selection.since = 2.1
    #expect(printed(selection).contains(#"people[0, id: 3].name "ann" →"#))
    selection.since = 2.1001
    #expect(!printed(selection).contains(#"people[0, id: 3].name "ann" →"#))
  }

  @Test("R8 stores are named if there are several")
  func stores() {
    var second = HeatedRoom.events[0]
    second.store = 2
    second.kind = .store(.init(name: "lamp\u{7}", state: "Lamp", action: "Never"))
    let released = TraceEvent(store: 2, time: 3, kind: .released)
    let lines = printed(events: HeatedRoom.events + [second, released]).split(separator: "\n")
    #expect(lines[1] == "   1.500  room: hook measured: 17.0")
    #expect(lines[2] == "   1.500    celsius 20.0 → 17.0")
    #expect(lines.last == "   3.000  lamp\\u{07}: store released")
  }

  @Test("R8 a chain of 100,000 causes is printed, and its lines stay short")
  func longChain() {
    let events = (1...100_000).map {
      TraceEvent(
        store: 1, id: $0, cause: $0 - 1, time: 0, kind: .hookFired(name: "echo", .integer($0)))
    }
    let lines = printed(events: events).split(separator: "\n")
    #expect(lines.count == 100_000)
    #expect(lines.last?.hasSuffix("  hook echo: 100000") == true)
    #expect(lines.allSatisfy { $0.utf8.count < 200 })
  }

  @Test("R8 an event whose cause the file has no more is printed by itself")
  func lostCause() {
    let events = HeatedRoom.events.filter { $0.id != 2 }
    #expect(printed(events: events).contains("\n   1.500  celsius 20.0 → 17.0\n"))
  }

  private func printed(
    _ selection: Selection = Selection(), events: [TraceEvent] = HeatedRoom.events
  ) -> String {
    var lines: [String] = []
    var stores: [Int: TraceEvent.StoreInfo] = [:]
    for event in events {
      if case .store(let info) = event.kind { stores[event.store ?? 0] = info }
    }
    EventTree(events, stores: stores).print(selection) { lines.append($0) }
    return lines.joined(separator: "\n")
  }
}
