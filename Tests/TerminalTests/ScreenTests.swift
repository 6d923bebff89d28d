import ExampleTesting
import Testing

/// Tests the terminal that the recordings of the examples use.
struct ScreenTests {
  private func screen(_ text: String, columns: Int = 10, rows: Int = 4) -> Screen {
    var screen = Screen(columns: columns, rows: rows)
    screen.show(text.utf8)
    return screen
  }

  @Test func `text overwrites text, and the cursor is shown`() {
    #expect(screen("").text == "▏")
    #expect(screen("one\r\ntwo\rT").text == "one\nT▏wo")
    #expect(screen("one\r\u{1B}[5C").text == "one  ▏")
    #expect(screen("one\r\ntwo\u{1B}[Ax").text == "onex▏\ntwo")
  }

  @Test func `clearing removes what is behind the cursor`() {
    #expect(screen("one\r\ntwo\r\u{1B}[A\u{1B}[C\u{1B}[K").text == "o▏\ntwo")
    #expect(screen("one\r\ntwo\r\u{1B}[A\u{1B}[C\u{1B}[J").text == "o▏")
  }

  @Test func `a line at the edge goes on in the next row, and the window scrolls`() {
    #expect(screen("0123456789").text == "0123456789▏")
    #expect(screen("0123456789ab").text == "0123456789\nab▏")
    #expect(screen("1\r\n2\r\n3\r\n4\r\n5").text == "2\n3\n4\n5▏")
    #expect(screen("1\r\n2\r\n3\r\n4\r\n5\u{1B}[9A").text == "2▏\n3\n4\n5")
  }

  @Test func `characters have their width, and their parts are joined`() {
    #expect(screen("日本\r\u{1B}[2Cx").text == "日x▏")
    #expect(screen("e\u{301}👩‍👩‍👧‍👦x").text == "e\u{301}👩‍👩‍👧‍👦x▏")
    #expect(screen("01234567日本").text == "01234567日\n本▏")
    #expect(screen("012345678日").text == "012345678\n日▏")
  }

  @Test func `inverse text is marked`() {
    #expect(screen("a\u{1B}[7mb\u{1B}[27mc\u{1B}[7md").text == "a«b»c«d»▏")
  }

  @Test func `what is unknown is shown`() {
    #expect(screen("\u{7}\u{1B}[2K", columns: 30).text == "\\u{7}\\e[2K▏")
  }

  @Test func `a window of another width wraps the lines again`() {
    var narrow = screen("a line\r\n0123456789ab\r\nc")
    narrow.resize(columns: 5, rows: 9)
    #expect(narrow.text == "a lin\ne\n01234\n56789\nab\nc▏")
    narrow.resize(columns: 20, rows: 9)
    #expect(narrow.text == "a line\n0123456789ab\nc▏")
    var cursor = screen("0123456789ab\r\u{1B}[A\u{1B}[7C")
    cursor.resize(columns: 5, rows: 9)
    #expect(cursor.text == "01234\n56▏789\nab")
  }

  @Test func `a window that does not wrap lines cuts them`() {
    var narrow = screen("0123456\r\nabcdefg")
    narrow.cut(columns: 5)
    #expect(narrow.text == "01234\nabcd▏e")
  }

  @Test func `a window of fewer rows shows the last ones`() {
    var low = screen("1\r\n2\r\n3\r\n4")
    low.resize(columns: 10, rows: 2)
    #expect(low.text == "3\n4▏")
    low.resize(columns: 10, rows: 4)
    #expect(low.text == "3\n4▏")
  }
}
