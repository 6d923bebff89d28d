import ExampleTesting
import Foundation
import RandomPrograms
import Signalbox
import SignalboxTrace
import Testing

/// Moving, zooming and choosing time.
@Suite(
  "R6 the time line of the page",
  .enabled(if: Browser.executable != nil, Browser.isMissing),
  .serialized, .timeLimit(.minutes(60)))
struct PageTimeLineTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("R6 the time line is dragged, zoomed with the wheel, and has lanes for children")
  func moves() async throws {
    let browser = try Browser()
    for view in Browser.views {
      try await browser.show(HeatedRoom.text, in: folder)
      try await browser.use(view)
      try await browser.idle()
      #expect(try await browser.range() == "0.000 s to 2.200 s")
      try await browser.wheel("$('bars')", down: -100)
      try await browser.idle()
      let zoomed = try await browser.times()
      #expect(abs(zoomed[1] - zoomed[0] - 1.76) < 0.01, "\(view)")
      try await browser.drag("$('bars')", right: -60)
      let moved = try await browser.times()
      #expect(moved[0] > zoomed[0], "\(view)")
      #expect(abs(moved[1] - moved[0] - 1.76) < 0.01, "\(view)")
      try await browser.drag("$('bars')", right: 500)
      #expect(try await browser.times()[0] == 0, "\(view)")
      try await browser.wheel("$('bars')", right: 50)
      try await browser.idle()
      #expect(try await browser.times()[0] > 0, "\(view)")
      try await browser.click("$('whole')")
      // One lane for the store and one for the child.
      #expect(
        try await browser.texts("[...$('lanes').children].map((it) => it.textContent)")
          == ["room", #"\.people[id: 3]"#], "\(view)")
      let tops = try await browser.texts(
        "[...document.querySelectorAll('.work')].map((it) => it.style.top)")
      #expect(tops == ["0px", "18px"], "\(view)")
      let areAligned = """
        [...$("lanes").children].every((it, lane) => Math.abs(it.getBoundingClientRect().top
          - document.querySelectorAll(".work")[lane].getBoundingClientRect().top) < 2)
        """
      #expect(try await browser.evaluate(areAligned) == "true", "\(view)")
      #expect(try await browser.faint() == [], "\(view)")
    }
  }

  @Test("R6 a range that is dragged on the scale filters the tree, as does a button")
  func ranges() async throws {
    let browser = try Browser()
    for view in Browser.views {
      try await browser.show(HeatedRoom.text, in: folder)
      try await browser.use(view)
      try await browser.idle()
      try await browser.drag("$('scale')", right: 2_000)
      #expect(try await browser.status().hasSuffix("10 found in 12 events"), "\(view)")
      #expect(try await browser.rows().contains("1 started") == false, "\(view)")
      #expect(
        try await browser.evaluate("document.querySelector('#axis i').offsetWidth > 20") == "true")
      // A click beside it shows everything again.
      try await browser.click("$('scale')")
      #expect(try await browser.status() == "12 events")
      // With the keyboard.
      _ = try await browser.evaluate("$('bars').focus()")
      try await browser.press("+")
      _ = try await browser.evaluate("$('only').focus()")
      try await browser.press("Enter")
      #expect(try await browser.status().contains(" found in 12 events"), "\(view)")
      _ = try await browser.evaluate("document.querySelector('.chip').focus()")
      try await browser.press("Enter")
      #expect(try await browser.status() == "12 events", "\(view)")
    }
  }
}

extension Browser {
  fileprivate func range() async throws -> String {
    try await evaluate("$('range').textContent")
  }

  /// The times at which the time line begins and ends.
  fileprivate func times() async throws -> [Double] {
    try await range().split(separator: " ").compactMap { Double($0) }
  }
}
