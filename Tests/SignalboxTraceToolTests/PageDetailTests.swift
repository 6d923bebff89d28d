import ExampleTesting
import Foundation
import RandomPrograms
import Signalbox
import SignalboxTrace
import Testing

/// What the page says of one event.
@Suite(
  "R6 the details of the page",
  .enabled(if: Browser.executable != nil, Browser.isMissing),
  .serialized, .timeLimit(.minutes(60)))
struct PageDetailTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("R6 values are shown whole on demand, and the characters that differ are marked")
  func values() async throws {
    let same = String(repeating: "x", count: 500)
    let text =
      HeatedRoom.header.line + """
        {"kind":"store","store":1,"t":0,"name":"app","state":"S","action":"A"}
        {"kind":"started","store":1,"id":1,"t":0,"state":{"type":"S","fields":[["a","\(same)b\(same)"]]}}
        {"kind":"changed","store":1,"id":2,"t":1,"changes":[{"at":["a"],"from":"\(same)b\(same)","to":"\(same)cd\(same)"}]}
        {"kind":"hook","store":1,"id":3,"t":2,"name":"long","value":"\(same)end"}
        {"kind":"changed","store":1,"id":4,"t":3,"changes":[{"at":["b"],"from":true,"to":false}]}
        {"kind":"changed","store":1,"id":5,"t":3,"changes":[{"at":["b"],"from":20.5,"to":21.5}]}

        """
    let page = try await Browser.showing(text, in: folder)
    try await page.press("ArrowDown")
    let marks = "[...document.querySelectorAll('td mark')].map((it) => it.textContent)"
    #expect(try await page.texts(marks) == ["b", "cd"])
    let cell = "document.querySelectorAll('td')[1].textContent"
    #expect(try await page.evaluate("\(cell).length < 120") == "true")
    try await page.click("document.querySelector('td .all')")
    #expect(try await page.evaluate("\(cell) === '\"\(same)b\(same)\"'") == "true")
    #expect(try await page.texts(marks) == ["b", "cd"])

    try await page.press("Escape")
    try await page.press("ArrowDown")
    #expect(try await page.evaluate("$('about').textContent.includes('xend')") == "false")
    try await page.click("document.querySelector('dd .all')")
    #expect(try await page.evaluate("$('about').textContent.includes('xend')") == "true")

    try await page.press("Escape")
    try await page.press("ArrowDown")
    #expect(try await page.texts(marks) == [])
    try await page.press("ArrowDown")
    #expect(try await page.texts(marks) == ["0", "1"])
  }

  @Test("R6 causes and effects stand beside each other with their times")
  func links() async throws {
    let page = try await Browser.showing(HeatedRoom.text, in: folder)
    try await page.click("row('hook cold')")
    let texts = "[...$('%').children].map((it) => it.textContent)"
    #expect(
      try await page.texts(texts.replacing("%", with: "why"))
        == ["celsius 20.0 → 17.0 1.500 s", "hook measured: 17.0 1.500 s"])
    #expect(try await page.texts(texts.replacing("%", with: "then")) == [".turn(on: true) 1.500 s"])
    try await page.click("$('then').querySelector('button')")
    #expect(try await page.selected() == ".turn(on: true)")
    // A link that was followed can be gone back from.
    _ = try await page.evaluate(
      """
      new Promise((done) => {
        addEventListener("hashchange", () => setTimeout(done));
        history.back();
      })
      """)
    #expect(try await page.selected() == "hook cold: true")
  }

  @Test("R6 the link, the value, the chain and the test of an event are copied")
  func copies() async throws {
    let page = try await Browser.showing(HeatedRoom.text, in: folder)
    _ = try await page.evaluate(
      """
      Object.defineProperty(navigator, "clipboard", { value: {
        writeText: async (text) => { window.copied = text; },
      } })
      """)
    try await page.click("row('isHeated')")
    for (name, text) in [
      ("link", "run.html#8"), ("value", "true"),
      (
        "chain",
        "isHeated false → true ← .turn(on: true) ← hook cold: true ← celsius 20.0 → 17.0 "
          + "← hook measured: 17.0 ← outside"
      ),
      ("test", #"of: URL(filePath: "run.jsonl"), store: "room", named: "recorded","#),
    ] {
      try await page.click("document.querySelector('[aria-label=\"Copy \(name)\"]')")
      try await page.idle()
      #expect(try await page.evaluate("window.copied").contains(text), "\(name)")
      #expect(
        try await page.evaluate("document.querySelector('#copies [role=status]').textContent")
          == "The \(name) is copied.")
    }
  }
}
