import ExampleTesting
import Foundation
import SignalboxTrace
import Testing

/// Searching and filtering, with the keyboard alone and with the mouse alone.
@Suite(
  "R6 the filters of the page",
  .enabled(if: Browser.executable != nil, Browser.isMissing),
  .serialized, .timeLimit(.minutes(60)))
struct PageFilterTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("R6 words are found in any order, and words in quotation marks together")
  func words() async throws {
    let page = try await Browser.showing(HeatedRoom.text, in: folder)
    for (query, found) in [
      ("failed .rename", [".rename failed: the name is\\u{1B}[2J taken"]),
      ("TAKEN rename", [".rename failed: the name is\\u{1B}[2J taken"]),
      ("true isheated", ["isHeated false → true"]), (#""true isheated""#, []),
      // The end of the action is found in its row.
      ("finished turn", [".turn(on: true)"]),
    ] {
      try await page.press("/")
      try await page.type(query)
      #expect(try await page.found() == found, "\(query)")
      try await page.press("Escape")
    }
  }

  @Test("R6 an end without effects is in the row of its beginning, with its duration")
  func durations() async throws {
    let page = try await Browser.showing(HeatedRoom.text, in: folder)
    let took = "row('.turn').querySelector('.took').textContent"
    #expect(try await page.evaluate(took) == "200 ms")
    #expect(try await page.rows().allSatisfy { !$0.contains("finished") })
    // Its number leads to the row.
    _ = try await page.evaluate(
      """
      new Promise((done) => {
        addEventListener("hashchange", () => setTimeout(done));
        location.hash = "#9";
      })
      """)
    #expect(try await page.selected() == ".turn(on: true)")
    #expect(try await page.status() == "12 events")
  }

  @Test("R6 chips of stores, children, kinds and errors filter, with the mouse")
  func mouse() async throws {
    let browser = try Browser()
    try await browser.show(Self.twoRooms, in: folder)
    for view in Browser.views {
      try await browser.use(view)
      try await browser.choose("kind", "hook")
      #expect(try await browser.found().count == 4, "\(view)")
      try await browser.choose("store", "hall")
      #expect(try await browser.found() == ["hook measured: 3"], "\(view)")
      #expect(try await browser.faint() == [], "\(view)")
      try await browser.choose("kind", "change")
      #expect(try await browser.found() == ["hook measured: 3", "a 1 → 2"], "\(view)")
      try await browser.click("document.querySelector('.chip[aria-label*=hall]')")
      #expect(try await browser.found().count == 9, "\(view)")
      for kind in ["hook", "change"] {
        try await browser.click("document.querySelector('.chip[aria-label*=\(kind)]')")
      }
      try await browser.choose("child", #"\.people[id: 3]"#)
      #expect(try await browser.found().count == 3, "\(view)")
      try await browser.click("$('errors')")
      #expect(try await browser.found().map { $0.prefix(14) } == [".rename failed"], "\(view)")
      try await browser.click("$('errors')")
      try await browser.click("document.querySelector('.chip')")
      #expect(try await browser.rows().count > 3, "\(view)")
    }
  }

  @Test("R6 chips are added and removed with the keyboard")
  func keyboard() async throws {
    let page = try await Browser.showing(Self.twoRooms, in: folder)
    try await page.press("/")
    // The errors, and the menus of stores, children and kinds.
    for _ in 1...2 { try await page.press("Tab") }
    try await page.press("Enter")
    _ = try await page.evaluate("new Promise((done) => setTimeout(done, 50))")
    for _ in 1...2 { try await page.press("Tab") }
    try await page.press(" ")
    #expect(try await page.found() == ["started", "hook measured: 3", "a 1 → 2"])
    try await page.press("Escape")
    #expect(try await page.evaluate("document.activeElement.tagName") == "SUMMARY")
    try await page.press("Escape")
    #expect(try await page.evaluate("document.activeElement.id") == "tree")
    try await page.press("Escape")
    #expect(try await page.status() == "15 events")
  }

  private static let twoRooms =
    HeatedRoom.text + """
      {"kind":"store","store":2,"t":0,"name":"hall","state":"S","action":"A"}
      {"kind":"started","store":2,"id":1,"t":3,"state":{"type":"S","fields":[["a",1]]}}
      {"kind":"hook","store":2,"id":2,"t":3,"name":"measured","value":3}
      {"kind":"changed","store":2,"id":3,"cause":2,"t":3,"changes":[{"at":["a"],"from":1,"to":2}]}

      """
}

extension Browser {
  /// The rows that a filter has found.
  fileprivate func found() async throws -> [String] {
    try await texts(
      "[...document.querySelectorAll('.row.match .label')].map((it) => it.textContent)")
  }
}
