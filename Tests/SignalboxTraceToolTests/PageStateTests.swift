import ExampleTesting
import Foundation
import RandomPrograms
import Signalbox
import SignalboxInspection
import Testing

@testable import SignalboxTrace

/// The way from the state to what changed it.
@Suite(
  "R6 the state in the page",
  .enabled(if: Browser.executable != nil, Browser.isMissing),
  .serialized, .timeLimit(.minutes(60)))
struct PageStateTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("R6 a click on a part of the state goes to its last change and lists the earlier ones")
  func mouse() async throws {
    let browser = try Browser()
    for view in Browser.views {
      try await browser.show(Self.house, in: folder)
      try await browser.use(view)
      try await browser.press("End")
      #expect(
        try await browser.lines().prefix(4) == ["S", "a: 3", "rooms: 3 elements", "[0]: Room"])
      try await browser.clickPart("a:")
      #expect(try await browser.selected() == "a 2 → 3")
      #expect(
        try await browser.history() == ["2 → 3", "1 → 2", "in the first state that is known"])
      #expect(try await browser.faint() == [], "\(view)")
      // An earlier change leads to its state, and the list stays.
      try await browser.click("document.querySelectorAll('#history li button')[1]")
      #expect(try await browser.selected() == "a 1 → 2")
      #expect(try await browser.lines()[1] == "a: 2")
      #expect(try await browser.history().count == 3)
      try await browser.click("document.querySelector('#history h3 button')")
      #expect(try await browser.history() == [])
    }
  }

  @Test("R6 the history of an element follows it through moves, with the keyboard")
  func keyboard() async throws {
    let page = try await Browser.showing(Self.house, in: folder)
    try await page.press("End")
    try await page.press("s")
    #expect(try await page.evaluate("document.activeElement.id") == "state")
    // The line that has changed is selected: the name of the first room.
    #expect(
      try await page.evaluate("document.querySelector('.line[aria-selected]').textContent")
        == #"name: "cellar""#)
    try await page.press("Enter")
    #expect(
      try await page.history() == [#""hall" → "cellar""#, #"+ "hall""#])
    try await page.press("s")
    try await page.press("ArrowLeft")
    try await page.press("Enter")
    // The room has entered as the third element.
    #expect(
      try await page.history() == [#"name "hall" → "cellar""#, #"+ Room(id: 3, name: "hall")"#])
    try await page.click("document.querySelectorAll('#history li button')[1]")
    #expect(try await page.selected() == #"+ rooms[2] Room(id: 3, name: "hall")"#)
  }

  @Test("R6 unchanged branches are folded, and the line that has changed is in view")
  func folded() async throws {
    let long = String(repeating: "x", count: 3_000)
    let fields = (0..<300).map { #"["f\#($0)",[\#($0),2]]"# }.joined(separator: ",")
    let text =
      HeatedRoom.header.line + """
        {"kind":"store","store":1,"t":0,"name":"app","state":"S","action":"A"}
        {"kind":"started","store":1,"id":1,"t":0,"state":{"type":"S","fields":[["long","\(long)"],\(fields)]}}
        {"kind":"changed","store":1,"id":2,"t":1,"changes":[{"at":["f290",1],"from":2,"to":3}]}

        """
    let browser = try Browser()
    try await browser.show(text, in: folder)
    for view in Browser.views {
      try await browser.use(view)
      try await browser.press("Home")
      try await browser.press("End")
      let isInView = """
        (() => {
          const line = document.querySelector("#state mark").getBoundingClientRect();
          const around = $("state").getBoundingClientRect();
          return line.top >= around.top && line.bottom <= around.bottom
            && line.bottom <= innerHeight;
        })()
        """
      #expect(try await browser.evaluate(isInView) == "true", "\(view)")
      let lines = try await browser.lines()
      #expect(lines.contains("f289: 2 elements") == false)
      #expect(lines.contains { $0.hasPrefix("… 2") })
      #expect(lines.suffix(4) == ["f290: 2 elements", "[0]: 290", "[1]: 3", "… 9 more"])
    }
    try await browser.click("line('… 9 more').lastChild")
    #expect(try await browser.lines().last == "f299: 2 elements")
  }

  @Test("R6 an event of a child opens the state at that child")
  func child() async throws {
    let page = try await Browser.showing(HeatedRoom.text, in: folder)
    try await page.click("row('.rename failed')")
    #expect(
      try await page.evaluate("document.querySelector('.line.here').textContent")
        == "▾[0]: Person")
    #expect(try await page.lines().last == #"name: "<b>ann</b></script>""#)
    // A state that an event of the store shows is folded there.
    try await page.click("row('isHeated')")
    #expect(try await page.lines().last == "people: 1 element")
  }

  @Test("R6 the history of each part of random states names the event that changed it last")
  func random() async throws {
    for seed in LawPrograms.seeds(5) {
      var random = SeededRandom(seed: seed)
      let guests = (0..<3).map { _ in Kiosk.Guest() }
      var state = Kiosk()
      var events = [
        TraceEvent(
          store: 1, time: 0, kind: .store(.init(name: nil, state: "Kiosk", action: "Never"))),
        TraceEvent(store: 1, id: 1, time: 0, kind: .started(ValueTree(state))),
      ]
      for id in 2...40 {
        let before = state
        state.change(&random, guests)
        let edits = ValueDifference.changes(from: before, to: state).edits
        events.append(TraceEvent(store: 1, id: id, time: 0, kind: .changed(edits)))
      }
      let page = try await Browser.showing(HeatedRoom.text(of: events), in: folder)
      // The last event before which the value of a property was another.
      let wrong = try await page.texts(
        """
        (() => {
          const recording = new Recording($("recording").textContent);
          const wrong = [];
          const last = recording.count - 1;
          for (const name of ["text", "items", "slice", "byName", "tags", "door", "maybe"]) {
            const value = (event) => JSON.stringify(partOf(recording.state(event), [name]));
            let expected = last;
            while (expected > 0 && value(expected - 1) === value(last)) expected -= 1;
            const found = changesOf(recording, last, [name], 1)[0]?.[0] ?? 0;
            // A change back and forth is a change, too.
            if (found < expected) wrong.push(`${name}: ${found}, not ${expected}`);
            if (found > 0 && value(found) === value(found - 1)) wrong.push(`${name}: ${found}`);
          }
          return wrong;
        })()
        """)
      #expect(wrong == [], "seed \(seed)")
    }
  }

  private static let house =
    HeatedRoom.header.line + """
      {"kind":"store","store":1,"t":0,"name":"house","state":"S","action":"A"}
      {"kind":"started","store":1,"id":1,"t":0,"state":{"type":"S","fields":[["a",1],["rooms",[\(room(1)),\(room(2))]]]}}
      {"kind":"changed","store":1,"id":2,"t":1,"changes":[{"at":["a"],"from":1,"to":2}]}
      {"kind":"changed","store":1,"id":3,"t":2,"changes":[{"at":["rooms"],"inserted":[[2,\(room(3))]]}]}
      {"kind":"changed","store":1,"id":4,"t":3,"changes":[{"at":["rooms"],"moved":[[2,0]]}]}
      {"kind":"changed","store":1,"id":5,"t":4,"changes":[{"at":["a"],"from":2,"to":3}]}
      {"kind":"changed","store":1,"id":6,"t":5,"changes":[{"at":["rooms",{"index":0,"id":"3"},"name"],"from":"hall","to":"cellar"}]}

      """

  private static func room(_ id: Int) -> String {
    #"{"type":"Room","fields":[["id",\#(id)],["name","hall"]]}"#
  }
}
