import ExampleTesting
import Foundation
import Signalbox
import SignalboxTrace
import Testing

/// The page of a recording in a browser, with clicks and keys.
@Suite(
  "R6 the page",
  .enabled(if: Browser.executable != nil, Browser.isMissing),
  .serialized, .timeLimit(.minutes(60)))
struct PageTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("R6 shows the causes as a tree, and state and difference at an event")
  func tree() async throws {
    let page = try await open(HeatedRoom.text)
    #expect(try await page.evaluate("document.title") == "run.jsonl")
    #expect(try await page.evaluate("$('status').textContent") == "12 events")
    #expect(
      try await page.rows() == [
        "1 started", "1 hook measured: 17.0", "2 celsius 20.0 → 17.0", "3 hook cold: true",
        "4 .turn(on: true)", "5 isHeated false → true",
        #"1 hook entered: "ann""#, #"2 + people[0] Person(id: 3, name: "ann")"#, "1 .rename",
        #"2 people[0, id: 3].name "ann" → "<b>ann</b></script>""#,
        #"2 .rename failed: the name is\u{1B}[2J taken"#,
      ])
    try await page.click("row('isHeated false')")
    #expect(try await page.evaluate("$('event').textContent") == "isHeated false → true")
    #expect(
      try await page.evaluate("[...$('why').children].map((it) => it.textContent).join('; ')")
        == ".turn(on: true) 1.500 s; hook cold: true 1.500 s; celsius 20.0 → 17.0 1.500 s; "
        + "hook measured: 17.0 1.500 s")
    #expect(
      try await page.evaluate("[...document.querySelectorAll('td')].map((it) => it.textContent)")
        == "isHeated,false,true")
    #expect(
      try await page.lines() == [
        "RoomState", "celsius: 17.0", "isHeated: true", "people: 1 element",
      ])
    #expect(
      try await page.evaluate("$('state').querySelector('mark').textContent") == "isHeated: true")
    // A cause leads back.
    try await page.click("$('why').lastChild.firstChild")
    #expect(try await page.selected() == "hook measured: 17.0")
    #expect(try await page.evaluate("$('state').textContent").contains("celsius: 20.0"))
    // A part folds.
    try await page.click("row('hook measured').querySelector('.twisty')")
    #expect(try await page.rows().count == 7)
  }

  @Test("R6 keys move, fold, search and go back")
  func keys() async throws {
    let page = try await open(HeatedRoom.text)
    for key in ["ArrowDown", "ArrowDown", "ArrowRight"] { try await page.press(key) }
    #expect(try await page.selected() == "hook cold: true")
    try await page.press("ArrowLeft")
    #expect(try await page.rows().count == 9)
    try await page.press("ArrowLeft")
    #expect(try await page.selected() == "celsius 20.0 → 17.0")
    try await page.press("End")
    #expect(try await page.selected().hasPrefix(".rename failed"))
    try await page.press("Home")
    #expect(try await page.selected() == "started")

    try await page.press("/")
    try await page.type("ANN")
    #expect(try await page.evaluate("$('status').textContent") == "1 of 3 found in 12 events")
    #expect(
      try await page.rows() == [
        #"1 hook entered: "ann""#, #"2 + people[0] Person(id: 3, name: "ann")"#, "1 .rename",
        #"2 people[0, id: 3].name "ann" → "<b>ann</b></script>""#,
      ])
    try await page.press("Enter")
    try await page.press("Enter")
    #expect(try await page.evaluate("$('status').textContent") == "3 of 3 found in 12 events")
    try await page.press("Enter", shift: true)
    #expect(try await page.selected().hasPrefix("+ people"))
    try await page.press("Escape")
    // Everything is shown again, and what was selected stays.
    #expect(try await page.rows().count == 9)
    #expect(try await page.selected().hasPrefix("+ people"))
    #expect(try await page.evaluate("document.activeElement.id") == "tree")
    try await page.press("Enter")
    #expect(try await page.evaluate("document.activeElement.id") == "about")
    try await page.press("Escape")
    #expect(try await page.evaluate("document.activeElement.id") == "tree")

    try await page.press("/")
    try await page.type("nothing like it")
    #expect(try await page.evaluate("$('status').textContent") == "Not found in 12 events")
    #expect(try await page.rows().isEmpty)
    // A folded part unfolds for what is found in it.
    try await page.press("Escape")
    try await page.press("/")
    try await page.type("isHeated")
    try await page.press("Escape")
    #expect(try await page.selected() == "isHeated false → true")
    #expect(try await page.rows().count == 11)
  }

  @Test("R6 work is on a time line, and a bar leads to its event")
  func timeLine() async throws {
    let page = try await open(HeatedRoom.text)
    let bars = "[...document.querySelectorAll('.work')].map((it) => it.ariaLabel).join('; ')"
    #expect(
      try await page.evaluate(bars)
        == ".turn(on: true), 1.500 s, finished after 200 ms; .rename, 2.000 s, failed after 200 ms")
    try await page.click("document.querySelector('.work.bad')")
    #expect(try await page.selected() == ".rename")
    #expect(try await page.evaluate("$('range').textContent") == "0.000 s to 2.200 s")
    try await page.click("$('closer')")
    #expect(try await page.evaluate("$('range').textContent") == "1.000 s to 2.100 s")
    _ = try await page.evaluate("$('bars').focus()")
    try await page.press("ArrowLeft")
    #expect(try await page.selected() == ".turn(on: true)")
    try await page.click("$('whole')")
    #expect(try await page.evaluate("$('range').textContent") == "0.000 s to 2.200 s")
  }

  @Test("R6 a screen reader finds a tree with levels, positions and texts, and is told of matches")
  func accessibility() async throws {
    let page = try await open(HeatedRoom.text)
    struct Nodes: Decodable { let nodes: [Node] }
    struct Node: Decodable {
      struct Value: Decodable {
        let value: String?
        init(from decoder: any Decoder) throws {
          let container = try decoder.container(keyedBy: Keys.self)
          value = try? container.decode(String.self, forKey: .value)
        }
        enum Keys: CodingKey { case value }
      }
      let role: Value?
      let name: Value?
    }
    let answer: Nodes = try await page.call("Accessibility.getFullAXTree")
    let named = answer.nodes.map { "\($0.role?.value ?? "") \($0.name?.value ?? "")" }
    #expect(named.contains("tree Causes"))
    #expect(named.contains { $0.hasPrefix("treeitem") && $0.hasSuffix("celsius 20.0 → 17.0") })
    #expect(named.contains("listbox Work on a time line"))
    #expect(named.contains { $0.hasPrefix("option .turn(on: true), 1.500 s") })
    #expect(named.contains("searchbox Search"))
    #expect(named.contains { $0.hasPrefix("status") })
    let item = "row('isHeated').getAttribute"
    for (attribute, value) in [
      ("aria-level", "5"), ("aria-posinset", "1"), ("aria-setsize", "1"),
    ] {
      #expect(try await page.evaluate("\(item)('\(attribute)')") == value)
    }
    #expect(try await page.evaluate("row('hook cold').getAttribute('aria-expanded')") == "true")
    #expect(
      try await page.evaluate("$($('tree').getAttribute('aria-activedescendant')).ariaSelected")
        == "true")
  }

  @Test("R6 needs no network, and is dark where the system is")
  func surroundings() async throws {
    let page = try await open(HeatedRoom.text)
    #expect(try await page.evaluate("performance.getEntriesByType('resource').length") == "0")
    let refused = try await page.evaluate(
      """
      new Promise((done) => {
        addEventListener("securitypolicyviolation", (event) => done(event.effectiveDirective));
        fetch("http://127.0.0.1:9/").catch(() => setTimeout(() => done("allowed"), 1000));
      })
      """)
    #expect(refused == "connect-src")
    let color = "getComputedStyle(document.body).backgroundColor"
    let light = try await page.evaluate(color)
    let _: Browser.Nothing = try await page.call(
      "Emulation.setEmulatedMedia",
      ["features": [["name": "prefers-color-scheme", "value": "dark"]]])
    #expect(try await page.evaluate(color) != light)
  }

  @Test("R6 of 100,000 events, only those in view are in the page, and all can be found")
  func large() async throws {
    var lines = HeatedRoom.header.line + HeatedRoom.events[0...1].map(\.line).joined()
    for id in 2...100_000 {
      // Chains of ten.
      let cause = id % 10 == 0 ? "" : #""cause":\#(id - 1),"#
      lines +=
        #"{"kind":"changed","store":1,"id":\#(id),\#(cause)"t":\#(id / 1_000),"changes":"#
        + #"[{"at":["celsius"],"from":\#(id - 1),"to":\#(id)}]}"# + "\n"
    }
    let page = try await open(lines)
    #expect(try await page.evaluate("$('status').textContent") == "100,000 events")
    let count = "document.querySelectorAll('[role=treeitem]').length"
    #expect(try await page.evaluate("\(count) < 100") == "true")
    try await page.press("End")
    #expect(try await page.selected() == "celsius 99999 → 100000")
    #expect(try await page.evaluate("\(count) < 100") == "true")
    // Every change is applied to the first state, because there is no other one.
    #expect(try await page.evaluate("$('state').textContent").contains("celsius: 100000"))
    try await page.press("/")
    try await page.type("\"→ 5\"")
    #expect(
      try await page.evaluate("$('status').textContent") == "1 of 11,111 found in 100,000 events")
  }

  private func open(_ text: String) async throws -> Browser {
    try await Browser.showing(text, in: folder)
  }
}
