import ExampleTesting
import Testing

/// Records what a person sees of the notes.
struct ScreenTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func notes(columns: Int = 80, rows: Int = 8) throws -> Program {
    try .inTerminal(
      "Notes", ["--folder", folder.path], screen: Screen(columns: columns, rows: rows))
  }

  @Test func `a person writes, pins and shares notes`() async throws {
    let notes = try notes()
    await notes.looks(
      like: """
        notes> ▏
        n new  e edit  p pin  s share  d delete  / search  o order  a author  q quit
        0 of 0 notes, newest first
        """)
    notes.type("nBuy milk")
    await notes.looks(
      like: """
        note> Buy milk▏
        Return keeps the note. Escape discards the draft.
        2 words
        """)
    // What a key changes counts for the next one, also if both arrive at once.
    notes.type("\rnCall ann\r\u{1B}[Bps")
    await notes.looks(
      like: """
        notes> ▏
        n new  e edit  p pin  s share  d delete  / search  o order  a author  q quit
        2 of 2 notes, newest first
        > * 1 Buy milk (board/anyone/1)
            2 Call ann
        """)
    notes.type("/ann")
    await notes.looks(
      like: """
        search> ann▏
        Return shows what was found. Escape shows all notes.
        1 of 2 notes, newest first
        >   2 Call ann
        """)
    notes.type("\u{3}")
    #expect(await notes.exitCode() == 0)
    await notes.looks(like: "▏")
  }

  @Test func `a narrower window leaves no stale line`() async throws {
    let notes = try notes()
    await notes.shows("0 of 0")
    notes.type("nCall ann before she leaves, or write to her")
    await notes.looks(
      like: """
        note> Call ann before she leaves, or write to her▏
        Return keeps the note. Escape discards the draft.
        9 words
        """)
    notes.resize(columns: 24, rows: 8)
    await notes.looks(
      like: """
        note> , or write to her▏
        Return keeps the note.
        9 words
        """)
  }
}
