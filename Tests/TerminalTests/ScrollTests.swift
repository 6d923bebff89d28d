import ExampleTesting
import Testing

@testable import Terminal

struct ScrollTests {
  private var screen = Screen(columns: 30, rows: 6)
  private var scroll = Scroll()

  private mutating func show(_ lines: String..., draft: String = "") {
    let editor = LineEditor(draft)
    let prompt = Prompt(label: "a> ", editor: editor, columns: screen.columns)
    let bytes = scroll.bytes(
      printing: lines, above: prompt, columns: screen.columns, rows: screen.rows)
    screen.show(bytes.replacing("\n", with: "\r\n").utf8)
  }

  private mutating func resize(columns: Int, rows: Int = 6, draft: String = "") {
    screen.resize(columns: columns, rows: rows)
    show(draft: draft)
  }

  @Test mutating func `a line is printed above the draft`() {
    show(draft: "dra")
    show("b: hello", draft: "dra")
    #expect(screen.text == "b: hello\na> dra▏")
  }

  @Test mutating func `after a resize, the lines are wrapped again and nothing is left over`() {
    screen.show("$ chat\r\n".utf8)
    show("b: one two three four", "c: five", draft: "a long long draft")
    resize(columns: 13, draft: "a long long draft")
    #expect(screen.text == "$ chat\nb: one two\n  three four\nc: five\na> ong draft▏")
    resize(columns: 8, rows: 9, draft: "a long long draft")
    #expect(
      screen.text == "$ chat\nb: one\ntwo\nthree\nfour\nc: five\na> raft▏")
    resize(columns: 30, rows: 9, draft: "a long long draft")
    #expect(screen.text == "$ chat\nb: one two three four\nc: five\na> a long long draft▏")
  }

  @Test mutating func `a terminal that cuts lines shows all of them, too`() {
    screen.show("$ one\r\n$ two\r\n".utf8)
    show("b: one two three four", "c: five", draft: "a long long draft")
    screen.cut(columns: 13)
    show(draft: "a long long draft")
    #expect(screen.text == "b: one two\n  three four\nc: five\na> ong draft▏")
  }

  @Test mutating func `lines that have left the window stay where they are`() {
    for number in 1...9 { show("b: \(number) and more") }
    resize(columns: 12)
    #expect(screen.text == "  more\nb: 8 and\n  more\nb: 9 and\n  more\na> ▏")
  }
}
