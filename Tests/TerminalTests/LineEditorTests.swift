import Testing

@testable import Terminal

struct LineEditorTests {
  private func edited(_ text: String, _ keys: Key...) -> (String, String) {
    var editor = LineEditor(text)
    for key in keys { editor.apply(key) }
    return (String(editor.text[..<editor.cursor]), String(editor.text[editor.cursor...]))
  }

  @Test func `text is inserted at the cursor`() {
    #expect(edited("ac", .left, .text("b")) == ("ab", "c"))
    #expect(edited("bc", .home, .text("a"), .end, .text("d")) == ("abcd", ""))
    #expect(edited("ab", .left, .left, .left, .right, .right, .right, .text("c")) == ("abc", ""))
  }

  @Test func `backspace deletes one visible character`() {
    #expect(edited("a👩‍👩‍👧‍👦", .backspace) == ("a", ""))
    #expect(edited("ae\u{301}", .backspace) == ("a", ""))
    #expect(edited("🇩🇪🇫🇷", .backspace) == ("🇩🇪", ""))
    #expect(edited("", .backspace) == ("", ""))
  }

  @Test func `delete removes the character behind the cursor`() {
    #expect(edited("abc", .home, .delete) == ("", "bc"))
    #expect(edited("abc", .delete) == ("abc", ""))
  }

  @Test func `words and parts of lines are deleted at once`() {
    #expect(edited("one two", .deleteToStart) == ("", ""))
    #expect(edited("one two", .left, .deleteToStart) == ("", "o"))
    #expect(edited("one two", .home, .right, .deleteToEnd) == ("o", ""))
    #expect(edited("one two  ", .deleteWord) == ("one ", ""))
    #expect(edited("one", .deleteWord, .deleteWord) == ("", ""))
  }

  @Test func `the cursor keeps its place when the start of the text is removed`() {
    let editor = LineEditor("hello, and more", charactersBehindCursor: 4)
    let rest = LineEditor(" and more", charactersBehindCursor: editor.charactersBehindCursor)
    #expect(rest.text[rest.cursor...] == "more")
    let nothing = LineEditor("", charactersBehindCursor: 4)
    #expect(nothing.cursor == nothing.text.startIndex)
  }

  @Test func `a cursor outside a shortened text still works`() {
    var editor = LineEditor("ab", charactersBehindCursor: 9)
    editor.apply(.text("x"))
    #expect(editor.text == "xab")
    editor.apply(.backspace)
    #expect(editor.text == "ab")
  }

  @Test func `a paste that is too large is cut between characters`() {
    var editor = LineEditor("")
    editor.apply(.text(String(repeating: "🙂", count: LineEditor.limit)))
    #expect(editor.text.utf8.count == LineEditor.limit)
    let hasChanged = editor.apply(.text("more"))
    #expect(!hasChanged)
  }
}
