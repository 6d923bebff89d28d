import ExampleTesting
import Foundation
import SignalboxTrace

extension Browser {
  /// The sizes and color schemes in which pages are tested.
  static let views: [View] = [(1440, 900), (800, 800), (390, 844)].flatMap { width, height in
    [false, true].map { View(width: width, height: height, isDark: $0) }
  }

  struct View { let width, height: Int, isDark: Bool }

  /// A browser with the page of a recording.
  static func showing(_ text: String, in folder: TemporaryFolder) async throws -> Browser {
    let browser = try Browser()
    try await browser.show(text, in: folder)
    return browser
  }

  /// Opens the page of a recording.
  func show(_ text: String, in folder: TemporaryFolder) async throws {
    let recording = folder.url.appending(path: "run.jsonl")
    let html = folder.url.appending(path: "run.html")
    try Data(text.utf8).write(to: recording)
    try Recording.page(of: recording, to: html)
    try await open(html)
    _ = try await evaluate(
      """
      window.line = (text) => [...document.querySelectorAll("#state .line")]
        .find((it) => it.lastChild.textContent.startsWith(text)),
      window.row = (text) => [...document.querySelectorAll("[role=treeitem].row")]
        .find((it) => it.querySelector(".label").textContent.startsWith(text))
      """)
  }

  /// Gives the window a size and a color scheme.
  func use(_ view: View) async throws {
    let _: Nothing = try await call(
      "Emulation.setDeviceMetricsOverride",
      ["width": view.width, "height": view.height, "deviceScaleFactor": 1, "mobile": false])
    let _: Nothing = try await call(
      "Emulation.setEmulatedMedia",
      ["features": [["name": "prefers-color-scheme", "value": view.isDark ? "dark" : "light"]]])
  }

  /// The rows of the tree in view, with their levels.
  func rows() async throws -> [String] {
    try await texts(
      """
      [...document.querySelectorAll("[role=treeitem].row")].map((it) =>
        `${it.getAttribute("aria-level")} ${it.querySelector(".label").textContent}`)
      """)
  }

  /// The lines of the state that are unfolded.
  func lines() async throws -> [String] {
    try await texts(
      """
      [...document.querySelectorAll("#state .line")].map((it) => it.lastChild.textContent)
      """)
  }

  /// The texts of an array.
  func texts(_ expression: String) async throws -> [String] {
    let json = try await evaluate("JSON.stringify(\(expression))")
    return try JSONDecoder().decode([String].self, from: Data(json.utf8))
  }

  /// The text of the row that is selected.
  func selected() async throws -> String {
    try await evaluate("document.querySelector('.row[aria-selected=true] .label')?.textContent")
  }

  /// Clicks at the name of a part of the state.
  func clickPart(_ text: String) async throws {
    try await click("line('\(text)').lastChild.firstChild")
  }

  /// The changes of a part that are listed.
  func history() async throws -> [String] {
    try await texts(
      "[...document.querySelectorAll('#history li button')].map((it) => it.textContent)")
  }

  /// Clicks at a check box of a menu.
  func choose(_ menu: String, _ value: String) async throws {
    try await click("$('menu-\(menu)').firstChild")
    _ = try await evaluate("new Promise((done) => setTimeout(done, 50))")
    try await click(
      """
      [...$('menu-\(menu)').querySelectorAll('label')]
        .find((it) => it.textContent.trim() === String.raw`\(value)`).firstChild
      """)
    try await click("$('menu-\(menu)').firstChild")
  }

  /// Waits for what the browser does later.
  func idle() async throws {
    _ = try await evaluate(
      "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
  }

  /// The text that tells what was found.
  func status() async throws -> String { try await evaluate("$('status').textContent") }

  /// What has less contrast than 4.5 for texts and 3 for the edges of controls.
  func faint() async throws -> [String] {
    try await texts(
      """
      (() => {
        const parse = (color) => { const parts = color.match(/[\\d.]+/g).map(Number);
          return parts.length < 4 ? [...parts, 1] : parts; };
        const light = (color) => color.slice(0, 3).map((it) => it / 255)
          .map((it) => it <= 0.03928 ? it / 12.92 : ((it + 0.055) / 1.055) ** 2.4)
          .reduce((sum, it, index) => sum + it * [0.2126, 0.7152, 0.0722][index], 0);
        const ratio = (...colors) => { const [low, high] = colors.map(light).sort((a, b) => a - b);
          return (high + 0.05) / (low + 0.05); };
        const behind = (element) => {
          for (let it = element; it; it = it.parentElement) {
            const color = parse(getComputedStyle(it).backgroundColor);
            if (color[3] > 0) return color;
          }
          return [255, 255, 255, 1];
        };
        const faint = [];
        for (const element of document.body.querySelectorAll("*")) {
          const { width, height } = element.getBoundingClientRect();
          const style = getComputedStyle(element);
          if (!width || !height || style.visibility === "hidden") continue;
          const hasText = [...element.childNodes].some((it) =>
            it.nodeType === Node.TEXT_NODE && it.textContent.trim());
          if (hasText && ratio(parse(style.color), behind(element)) < 4.5) {
            faint.push(`${element.tagName} ${element.className} ${element.textContent}`);
          }
          if (["BUTTON", "INPUT", "SELECT"].includes(element.tagName)
            && style.borderTopWidth !== "0px"
            && ratio(parse(style.borderTopColor), behind(element.parentElement)) < 3) {
            faint.push(`the edge of ${element.tagName} ${element.id}`);
          }
        }
        return faint;
      })()
      """)
  }
}
