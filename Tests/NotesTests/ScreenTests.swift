import ExampleTesting
import Testing

/// Records what a person sees of the notes.
struct ScreenTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func notes(columns: Int = 80, rows: Int = 8, opening link: String? = nil) throws
    -> Program
  {
    try .inTerminal(
      "Notes", ["--folder", folder.path] + [link].compactMap(\.self),
      screen: Screen(columns: columns, rows: rows))
  }

  @Test func `a person writes, pins and shares notes`() async throws {
    let notes = try notes()
    await notes.looks(
      like: """
        notes> ▏
        ↵ show  n new  e edit  p pin  s share  d delete  / search  o order  a author
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
        ↵ show  n new  e edit  p pin  s share  d delete  / search  o order  a author
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

  @Test func `a person goes to a note, deletes it and follows a link that leads nowhere`()
    async throws
  {
    var notes = try notes()
    await notes.shows("0 of 0")
    notes.type("nSee file:///none/list.txt\r\r")
    await notes.looks(
      like: """
        note 1> ▏
        e edit  p pin  s share  d delete  1 to 9 show a file  Escape goes back
        1 of 1 notes, newest first
          1 See file:///none/list.txt
            1 file:///none/list.txt
        """)
    notes.type("1")
    await notes.looks(
      like: """
        file 1> ▏
        Escape goes back.
        1 of 1 notes, newest first
        The file cannot be read.
        """)
    notes.type("\u{1B}")
    await notes.shows("note 1> ")
    notes.type("d")
    await notes.looks(
      like: """
        Delete the note? ▏
        y yes  n no
        1 of 1 notes, newest first
        See file:///none/list.txt
        """)
    notes.type("y")
    await notes.looks(
      like: """
        notes> ▏
        ↵ show  n new  e edit  p pin  s share  d delete  / search  o order  a author
        0 of 0 notes, newest first
        """)
    notes.type("q")
    #expect(await notes.exitCode() == 0)
    notes = try self.notes(opening: "notes://note/1")
    await notes.looks(
      like: """
        The link leads nowhere. ▏
        Return goes on.
        0 of 0 notes, newest first
        The link leads nowhere. notes://note/1
        """)
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
