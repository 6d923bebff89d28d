import ExampleTesting
import Foundation
import Signalbox
import SignalboxTrace
import Testing

@testable import Notes

/// The questions that a recording is opened for, asked of the notes after more than 500 events.
@MainActor
@Suite(
  "R6 questions to the page of a long recording",
  .enabled(if: Browser.executable != nil, Browser.isMissing),
  .serialized, .timeLimit(.minutes(60)))
struct PageNotesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("R6 why a note is there is told with the mouse alone")
  func whyMouse() async throws {
    let page = try await Browser.showing(try await recording(), in: folder)
    for view in Browser.views {
      try await page.use(view)
      try await page.last()
      try await page.unfold("notes:")
      try await page.clickPart("[11]:")
      #expect(
        try await page.history() == [
          #"text "note 12" → "pears and apples""#, "isPinned true → false",
          "isPinned false → true", Self.note12,
        ], "\(view)")
      try await page.click("[...document.querySelectorAll('#history li button')].at(-1)")
      #expect(try await page.links("why") == [".done"], "\(view)")
      try await page.click("document.querySelector('#history h3 button')")
      try await page.press("Home")
      try await page.unfold("notes:", isUnfolded: false)
    }
  }

  @Test("R6 why a note is there is told with the keyboard alone")
  func whyKeyboard() async throws {
    let page = try await Browser.showing(try await recording(), in: folder)
    // The last event belongs to no store, and shows the last state.
    for key in ["End", "s", "Home", "ArrowDown", "ArrowRight"] { try await page.press(key) }
    for _ in 1...12 { try await page.press("ArrowDown") }
    #expect(
      try await page.evaluate("$('state').querySelector('[aria-selected]').textContent")
        .hasPrefix("▸[11]: Note(id: 12"))
    try await page.press("Enter")
    #expect(try await page.history().last == Self.note12)
    // Up and down go through the links of an event.
    try await page.press("Enter")
    for _ in 1...4 { try await page.press("ArrowDown") }
    try await page.press("Enter")
    #expect(try await page.selected().hasPrefix("+ notes[11] Note(id: 12"))
    #expect(try await page.links("why") == [".done"])
  }

  @Test("R6 what an action changed is told with the mouse alone")
  func actionMouse() async throws {
    let page = try await Browser.showing(try await recording(), in: folder)
    for view in Browser.views {
      try await page.use(view)
      try await page.choose("child", #"\.notes[id: 12]"#)
      try await page.choose("kind", "action")
      try await page.click("row('.pin')")
      #expect(
        try await page.links("then") == ["notes[11, id: 12].isPinned false → true"], "\(view)")
      for _ in 1...2 { try await page.click("document.querySelector('.chip')") }
    }
  }

  @Test("R6 what an action changed is told with the keyboard alone")
  func actionKeyboard() async throws {
    let page = try await Browser.showing(try await recording(), in: folder)
    try await page.press("/")
    try await page.type(".pin 12]")
    for key in ["Enter", "Escape"] { try await page.press(key) }
    #expect(try await page.selected() == ".pin")
    #expect(try await page.links("then") == ["notes[11, id: 12].isPinned true → false"])
    // It stands below the action.
    try await page.press("ArrowDown")
    #expect(try await page.selected() == "notes[11, id: 12].isPinned true → false")
  }

  @Test("R6 when a property last had another value is told with the mouse alone")
  func propertyMouse() async throws {
    let page = try await Browser.showing(try await recording(), in: folder)
    for view in Browser.views {
      try await page.use(view)
      try await page.last()
      try await page.unfold("settings:")
      try await page.clickPart("author:")
      #expect(
        try await page.history()
          == [#""ann" → "bob""#, #""" → "ann""#, "in the first state that is known"], "\(view)")
      let when = "document.querySelector('#history .when').textContent"
      #expect(try await page.evaluate(when).hasSuffix(" s"), "\(view)")
      try await page.click("document.querySelector('#history h3 button')")
      try await page.press("Home")
      try await page.unfold("settings:", isUnfolded: false)
    }
  }

  @Test("R6 when a property last had another value is told with the keyboard alone")
  func propertyKeyboard() async throws {
    let page = try await Browser.showing(try await recording(), in: folder)
    for key in ["End", "s", "Home", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown"] {
      try await page.press(key)
    }
    for key in ["ArrowRight", "ArrowDown", "ArrowDown", "Enter"] { try await page.press(key) }
    #expect(try await page.history().first == #""ann" → "bob""#)
  }

  @Test("R6 the wheel scrolls the lanes over their names, and zooms beside them")
  func lanes() async throws {
    let page = try await Browser.showing(try await recording(), in: folder)
    let places = "`${$('bars').scrollTop > 0} ${$('range').textContent}`"
    let range = try await page.evaluate("$('range').textContent")
    try await page.wheel("$('lanes')", down: 60)
    try await page.idle()
    #expect(try await page.evaluate(places) == "true \(range)")
    try await page.wheel("$('lanes')", down: -1_000)
    try await page.wheel("$('bars')", down: -60)
    try await page.idle()
    #expect(try await page.evaluate(places).hasPrefix("false "))
    #expect(try await page.evaluate("$('range').textContent") != range)
  }

  @Test("R6 a long text is searched to its end")
  func longText() async throws {
    let page = try await Browser.showing(try await recording(), in: folder)
    try await page.press("/")
    try await page.type("needle")
    #expect(try await page.status().contains("1 of "))
    #expect(try await page.evaluate("$('about').textContent.includes('needle')") == "false")
    try await page.click("document.querySelector('#about .all')")
    #expect(try await page.evaluate("$('about').textContent.includes('needle')") == "true")
  }

  private static let note12 =
    #"+ Note(id: 12, text: "note 12", isPinned: false, link: nil, isSharing: false, problem: nil)"#

  /// The recording of somebody who takes notes.
  private func recording() async throws -> String {
    let name = "notes of the page"
    let file = try RecordedFile(of: name)
    let store = Store(
      state: Notebook(),
      interactor: NotebookFeature(service: NotesService { text, _ in "board/\(text)" }),
      name: name)
    func write(_ text: String) async {
      await store.dispatch(.write)
      let draft = store.child(\.draft, DraftFeature.self)
      draft?.binder.text.wrappedValue = String(text.prefix(4))
      draft?.binder.text.wrappedValue = text
      await draft?.dispatch(.done)
    }
    func settings() -> Store<Settings, SettingsAction> {
      store.child(\.settings, SettingsFeature.self)
    }
    func note(_ id: Int) -> Store<Note, NoteAction>? {
      store.child(\.notes, id: id, NoteFeature.self)
    }
    for number in 1...20 { await write("note \(number)") }
    settings().binder.author.wrappedValue = "ann"
    await note(12)?.dispatch(.pin)
    await write(String(repeating: "hay ", count: 500) + "needle")
    await note(21)?.dispatch(.remove)
    settings().binder.author.wrappedValue = "bob"
    for number in 1...8 { await note(number)?.dispatch(.share) }
    await note(12)?.dispatch(.pin)
    await note(12)?.dispatch(.edit)
    store.child(\.draft, DraftFeature.self)?.binder.text.wrappedValue = "pears and apples"
    await store.child(\.draft, DraftFeature.self)?.dispatch(.done)
    for number in 22...30 { await write("note \(number)") }
    let (_, events) = try file.read()
    #expect(events.count > 500)
    withExtendedLifetime(store) {}
    return try String(contentsOf: file.url, encoding: .utf8)
  }
}

extension Browser {
  /// Scrolls to the last row of the tree and clicks at it.
  fileprivate func last() async throws {
    try await wheel("$('tree')", down: 1_000_000)
    _ = try await evaluate(
      """
      new Promise((done) => {
        const tree = $("tree");
        const wait = () => tree.scrollTop + tree.clientHeight >= tree.scrollHeight - 2
          ? requestAnimationFrame(() => requestAnimationFrame(done)) : requestAnimationFrame(wait);
        wait();
      })
      """)
    try await click("[...document.querySelectorAll('[role=treeitem].row')].at(-1)")
  }

  /// Unfolds a part of the state, or folds it.
  fileprivate func unfold(_ part: String, isUnfolded: Bool = true) async throws {
    let line = "line('\(part)')"
    if try await evaluate("\(line).getAttribute('aria-expanded')") != "\(isUnfolded)" {
      try await click("\(line).querySelector('.twisty')")
    }
  }

  /// The links of a list, without their times.
  fileprivate func links(_ list: String) async throws -> [String] {
    try await texts("[...$('\(list)').querySelectorAll('button')].map((it) => it.textContent)")
  }
}
