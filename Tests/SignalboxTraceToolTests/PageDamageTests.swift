import ExampleTesting
import Foundation
import SignalboxTrace
import Testing

@testable import SignalboxTraceTool

/// Pages of recordings that are damaged, empty or strange.
@Suite(
  "R6 the page of what is damaged",
  .enabled(if: Browser.executable != nil, Browser.isMissing),
  .serialized, .timeLimit(.minutes(60)))
struct PageDamageTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let start = """
    \(HeatedRoom.header.line){"kind":"store","store":1,"t":0,"name":"app","state":"S","action":"A"}
    {"kind":"started","store":1,"id":1,"t":0,"state":{"type":"S","fields":[["a",1]]}}

    """
  private static let end =
    #"{"kind":"changed","store":1,"id":9,"t":1,"changes":[{"at":["a"],"from":1,"to":2}]}"# + "\n"

  /// Lines, and whether a reader skips them.
  private static let lines: [(text: String, isSkipped: Bool)] = [
    ("nonsense", true), ("null", true), ("5", true), ("[1]", true), (#""text""#, true),
    (#"{"kind":"future","store":1,"id":2,"t":1}"#, true),
    (#"{"kind":"toString","store":1,"id":2,"t":1}"#, true),
    (#"{"kind":"hook","store":1,"id":2,"name":"x","value":1}"#, true),
    (#"{"kind":"hook","store":1,"id":2,"t":"1","name":"x","value":1}"#, true),
    (#"{"kind":"hook","store":1,"id":2,"t":1,"value":1}"#, true),
    (#"{"kind":"hook","store":1,"id":2,"t":1,"name":"x"}"#, false),
    (#"{"kind":"hook","store":1,"id":2,"t":-5,"name":"x","value":{"newthing":3}}"#, false),
    (#"{"kind":"hook","store":1,"id":2,"t":1e300,"name":"x","value":{"fields":[5,[]]}}"#, false),
    (#"{"kind":"hook","store":"1","id":2,"t":1,"name":"x","value":{"dictionary":[5]}}"#, false),
    (#"{"kind":"changed","store":1,"id":2,"t":1}"#, false),
    (#"{"kind":"changed","store":1,"id":2,"t":1,"changes":5}"#, false),
    (#"{"kind":"changed","store":1,"id":2,"t":1,"changes":[{"from":1,"to":2}]}"#, true),
    (#"{"kind":"changed","store":1,"id":2,"t":1,"changes":[{"at":["a"]}]}"#, true),
    (#"{"kind":"changed","store":1,"id":2,"t":1,"changes":[{"at":[null],"to":2}]}"#, true),
    (#"{"kind":"changed","store":1,"id":2,"t":1,"changes":[{"at":[],"moved":[1]}]}"#, true),
    (#"{"kind":"changed","store":1,"id":2,"t":1,"changes":[{"at":["a"],"moved":null}]}"#, false),
    (#"{"kind":"lost","store":1,"t":1}"#, false),
    (#"{"kind":"loop","store":1,"id":2,"t":1}"#, false),
    (#"{"kind":"dispatched","store":1,"id":2,"t":1}"#, false),
    (#"{"kind":"finished","store":1,"id":2,"t":1}"#, false),
    (#"{"kind":"failed","store":1,"id":2,"t":1}"#, false),
    (#"{"kind":"duplicate","store":1,"id":2,"t":1}"#, false),
    (#"{"kind":"dropped","store":1,"id":2,"t":1}"#, true),
    (#"{"kind":"dropped","store":1,"id":2,"t":1,"what":"change","changes":[1]}"#, false),
    (#"{"kind":"answered","t":1}"#, false), (#"{"kind":"advanced","t":1,"by":3}"#, true),
    (#"{"kind":"testFailed","t":1}"#, false), (#"{"kind":"started","store":1,"id":2,"t":1}"#, true),
  ]

  @Test("R1 R6 the page skips the lines that the command skips, says so, and shows the others")
  func damaged() async throws {
    let browser = try Browser()
    for (line, isSkipped) in Self.lines {
      let text = Self.start + line + "\n" + Self.end
      let (reader, events) = try TraceReader.read(Array(text.utf8))
      #expect(reader.skipped == (isSkipped ? 1 : 0), "\(line)")
      try await browser.show(text, in: folder)
      let count = events.count - 1
      let skipped = isSkipped ? "; 1 line skipped, which this page does not know" : ""
      #expect(try await browser.status() == "\(count) events\(skipped)", "\(line)")
      // Each event can be selected.
      for _ in 1..<count { try await browser.press("ArrowDown") }
      let last = "a 1 → 2"
      #expect(try await browser.evaluate("$('event').textContent") == last, "\(line)")
    }
  }

  @Test("R6 a state is not shown if changes before it could not be read")
  func unknownState() async throws {
    let page = try await Browser.showing(
      Self.start + #"{"kind":"changed","store":1,"id":2,"t":1,"changes":[{"at":["a"]}]}"# + "\n"
        + Self.end, in: folder)
    #expect(try await page.evaluate("$('state').textContent").contains("a: 1"))
    try await page.press("End")
    #expect(try await page.evaluate("$('state') === null") == "true")
  }

  @Test("R6 an empty recording says so")
  func empty() async throws {
    let page = try await Browser.showing(HeatedRoom.header.line, in: folder)
    #expect(try await page.status() == "0 events")
    #expect(
      try await page.evaluate("$('details').textContent") == "This recording has no events.")
  }

  @Test("R6 hidden characters are escaped as in the command, and values without text have one")
  func hidden() async throws {
    let text =
      Self.start
      + #"{"kind":"hook","store":1,"id":2,"t":1,"name":"a\u202eb","value":"c\u2066d\u0085\u0000e"}"#
      + "\n"
      + #"{"kind":"changed","store":1,"id":3,"t":1,"changes":[{"at":["opt"],"from":{"some":null},"#
      + #""to":null},{"at":["data"],"from":{"type":"Data","text":""},"to":{"type":"Data","text":"#
      + #""00"}}]}"# + "\n"
    let page = try await Browser.showing(text, in: folder)
    let (_, events) = try TraceReader.read(Array(text.utf8))
    let rows = try await page.rows()
    #expect(
      rows[1...] == [
        #"1 hook a\u{202E}b: "c\u{2066}d\u{0085}\0e""#,
        "1 opt .some(nil) → nil, data Data() → 00",
      ])
    #expect(events.suffix(2).map { "1 \($0.text)" } == Array(rows[1...]))
  }

  @Test("R6 an event has one number everywhere, and the address of an open page can be changed")
  func numbers() async throws {
    let page = try await Browser.showing(HeatedRoom.text, in: folder)
    try await page.click("row('isHeated')")
    #expect(try await page.evaluate("location.hash") == "#8")
    #expect(try await page.evaluate("document.querySelector('dd').textContent") == "#8")
    _ = try await page.evaluate(
      """
      new Promise((done) => {
        addEventListener("hashchange", () => setTimeout(done));
        location.hash = "#4";
      })
      """)
    #expect(try await page.selected() == "hook cold: true")
    #expect(try await page.evaluate("document.querySelector('dd').textContent") == "#4")
    // A number that no event has changes nothing.
    _ = try await page.evaluate(
      """
      new Promise((done) => {
        addEventListener("hashchange", () => setTimeout(done));
        location.hash = "#400";
      })
      """)
    #expect(try await page.selected() == "hook cold: true")
  }
}
