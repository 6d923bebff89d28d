import SignalboxInspection
import Testing

@testable import SignalboxTrace
@testable import SignalboxTraceTool

/// What `signalbox-trace --follow` prints.
@Suite("R8 a tree that grows")
struct GrowingTreeTests {
  @Test("R8 lines come in the order of time, and name a cause that is not above them")
  func order() {
    #expect(
      printed() == """
           0.000  started with RoomState(celsius: 20.0, isHeated: false, people: [])
           1.500  hook measured: 17.0
           1.500    celsius 20.0 → 17.0
           1.500      hook cold: true
           1.500        .turn(on: true)
           1.600  hook entered: "ann"
           1.600    people + [0] Person(id: 3, name: "ann")
           1.700          isHeated false → true  ← .turn(on: true)
           1.700          .turn(on: true) finished after 200 ms
           2.000  \\.people[id: 3]: .rename
           2.100    \\.people[id: 3]: people[0, id: 3].name "ann" → "<b>ann</b></script>"
           2.200    \\.people[id: 3]: .rename failed: the name is\\u{1B}[2J taken
        """)
  }

  @Test("R8 causes of what is selected are printed once, before it")
  func selection() throws {
    var selection = Selection()
    selection.paths = [try PathPattern("isHeated")]
    selection.actions = ["rename"]
    #expect(
      printed(selection) == """
           1.500  hook measured: 17.0
           1.500    celsius 20.0 → 17.0
           1.500      hook cold: true
           1.500        .turn(on: true)
           1.700          isHeated false → true
           2.000  \\.people[id: 3]: .rename
           2.100    \\.people[id: 3]: people[0, id: 3].name "ann" → "<b>ann</b></script>"
           2.200    \\.people[id: 3]: .rename failed: the name is\\u{1B}[2J taken
        """)
  }

  @Test("R8 as few events as are allowed are remembered, and others stand by themselves")
  func forgotten() {
    #expect(printed(limit: 2).contains("\n   1.700  isHeated false → true\n"))
  }

  @Test("R8 a cause that does not come before its effect is not followed")
  func circle() {
    var tree = GrowingTree(Selection())
    let causes = [(1, nil), (1, 1), (2, nil), (3, 1), (4, 9)]
    let lines = causes.flatMap { id, cause in
      tree.add(
        TraceEvent(
          store: 1, id: id, cause: cause, time: 0, kind: .hookFired(name: "h", .integer(id))),
        stores: [:])
    }
    #expect(
      lines == [
        "   0.000  hook h: 1", "   0.000  hook h: 1", "   0.000  hook h: 2",
        "   0.000    hook h: 3  ← hook h: 1", "   0.000  hook h: 4",
      ])
  }

  private func printed(_ selection: Selection = Selection(), limit: Int = 1_000) -> String {
    var tree = GrowingTree(selection, limit: limit)
    return HeatedRoom.events.flatMap { tree.add($0, stores: [:]) }.joined(separator: "\n")
  }
}
