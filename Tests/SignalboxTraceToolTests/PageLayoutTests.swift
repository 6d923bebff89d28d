import ExampleTesting
import Foundation
import SignalboxTrace
import Testing

/// What can be seen of a page on a desk, a tablet and a phone, light and dark.
@Suite(
  "R6 the layout of the page",
  .enabled(if: Browser.executable != nil, Browser.isMissing),
  .serialized, .timeLimit(.minutes(60)))
struct PageLayoutTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("R6 texts have a contrast of 4.5 and controls of 3, and nothing is wider than the window")
  func contrast() async throws {
    let browser = try Browser()
    try await browser.show(HeatedRoom.text, in: folder)
    for view in Browser.views {
      try await browser.use(view)
      for row in ["hook cold", ".turn", "isHeated", ".rename failed"] {
        try await browser.click("row('\(row)')")
        #expect(try await browser.faint() == [], "\(row) \(view)")
        let isWide = "$('about').scrollWidth > $('about').clientWidth"
        #expect(try await browser.evaluate(isWide) == "false", "\(row) \(view)")
      }
      #expect(
        try await browser.evaluate("document.documentElement.scrollWidth <= innerWidth") == "true")
      try await browser.press("/")
      try await browser.type("ann")
      #expect(try await browser.faint() == [], "found \(view)")
      try await browser.press("Escape")
    }
  }

  @Test("R6 a row shows its text before its place, whose beginning is left out first")
  func places() async throws {
    let place =
      #"\\.workspaces[id: 3F2504E0-4F89-11D3-9A0C-0305E82C3301]"#
      + ".projects[id: 6BA7B810-9DAD-11D1-80B4-00C04FD430C8]"
      + ".tasks[id: 7D444840-9DC0-11D1-B245-5FFDCE74FAD2]"
    let text =
      HeatedRoom.text
      + #"{"kind":"dispatched","store":1,"child":"\#(place)","id":20,"work":20,"t":3,"action":"#
      + #"{"type":"TaskAction","case":"rename","fields":[["title","Buy milk"]]}}"# + "\n"
    let browser = try Browser()
    try await browser.show(text, in: folder)
    let label = #"row('.rename(title: "Buy milk")').querySelector(".label")"#
    for view in Browser.views {
      try await browser.use(view)
      try await browser.press("End")
      let isWhole = try await browser.evaluate("\(label).scrollWidth <= \(label).clientWidth")
      #expect(isWhole == "true" || view.width < 400, "\(view)")
      #expect(try await browser.evaluate("\(label).clientWidth > 120") == "true", "\(view)")
      // The end of the place is in view.
      #expect(
        try await browser.evaluate(
          """
          (() => {
            const place = row(".rename(title").querySelector(".place");
            return place.firstChild.getBoundingClientRect().right
              <= place.getBoundingClientRect().right + 1 && place.clientWidth > 40;
          })()
          """) == "true", "\(view)")
    }
  }

  @Test("R6 narrow bars have names, and paths break at their dots")
  func names() async throws {
    var text = HeatedRoom.text
    for id in 20..<60 {
      text +=
        #"{"kind":"dispatched","store":1,"id":\#(id),"work":\#(id),"t":\#(Double(id) / 10),"#
        + #""action":{"case":"tick","fields":[[\#(id)]]}}"# + "\n"
        + #"{"kind":"finished","store":1,"id":\#(id + 100),"work":\#(id),"cause":\#(id),"#
        + #""t":\#(Double(id) / 10),"seconds":0,"action":{"case":"tick"}}"# + "\n"
    }
    let page = try await Browser.showing(text, in: folder)
    let names = try await page.texts(
      "[...document.querySelectorAll('.work')].map((it) => it.ariaLabel)")
    let titles = try await page.texts(
      "[...document.querySelectorAll('.work')].map((it) => it.title)")
    #expect(names.count > 20)
    #expect(names.allSatisfy { $0.hasPrefix(".") } && titles.allSatisfy { $0.hasPrefix(".") })
    try await page.click("row('people[0')")
    #expect(
      try await page.evaluate("document.querySelector('td.where').innerHTML")
        == "people<wbr>[0, id: 3]<wbr>.name")
  }
}
