import Testing

@testable import Terminal

struct PromptTests {
  private func prompt(_ text: String, behind: Int = 0, columns: Int = 12) -> Prompt {
    Prompt(
      label: "a> ", editor: LineEditor(text, charactersBehindCursor: behind), columns: columns)
  }

  @Test func `a draft that fits is shown completely`() {
    #expect(prompt("hello").text == "a> hello")
    #expect(prompt("hello").cursorColumn == 8)
    #expect(prompt("hello", behind: 2).cursorColumn == 6)
  }

  @Test func `a draft that does not fit shows the part around the cursor`() {
    #expect(prompt("0123456789").text == "a> 23456789")
    #expect(prompt("0123456789", behind: 10).text == "a> 01234567")
    #expect(prompt("0123456789", behind: 10).cursorColumn == 3)
    #expect(prompt("0123456789", behind: 1).text == "a> 12345678")
  }

  @Test func `wide characters take two columns, and are not cut`() {
    #expect(prompt("日本語日本語").text == "a> 語日本語")
    #expect(prompt("x日本語日").text == "a> 日本語日")
    #expect(prompt("🙂").cursorColumn == 5)
    #expect(prompt("👩‍👩‍👧‍👦e\u{301}").cursorColumn == 6)
  }

  @Test func `a line never fills the last column, however narrow the terminal`() {
    for columns in 8...30 {
      for behind in 0...12 {
        let prompt = prompt("a日b本c語🙂defgh", behind: behind, columns: columns)
        #expect(prompt.text.columns < columns)
        #expect((3..<columns).contains(prompt.cursorColumn))
      }
    }
  }

  @Test func `control characters in a draft are escaped`() {
    #expect(!prompt("\u{1B}[2J").text.contains("\u{1B}"))
  }

  @Test func `lines below replace the earlier ones, and the cursor returns`() {
    #expect(prompt("hi").bytes() == "\ra> hi\u{1B}[J\r\u{1B}[5C")
    #expect(
      prompt("hi", behind: 1).bytes(above: ["one", "two"])
        == "\ra> hi\u{1B}[K\none\u{1B}[K\ntwo\u{1B}[J\r\u{1B}[2A\u{1B}[4C")
  }
}

struct ColumnsTests {
  @Test func `a text is cut between characters, at either end`() {
    #expect("a日b".columns == 4)
    #expect((0...5).map { "a日b".prefix(columns: $0) } == ["", "a", "a", "a日", "a日b", "a日b"])
    #expect((0...5).map { "a日b".suffix(columns: $0) } == ["", "b", "b", "日b", "a日b", "a日b"])
    #expect("abc".prefix(columns: -1).isEmpty && "abc".suffix(columns: -1).isEmpty)
  }
}
