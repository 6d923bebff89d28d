import Testing

@testable import Chat

struct KeyDecoderTests {
  private func keys(_ text: String) -> [Key] {
    var decoder = KeyDecoder()
    return decoder.decode(text.utf8)
  }

  @Test func `text and control keys are told apart`() {
    #expect(
      keys("ab\u{7F}\u{8}\r\n\u{3}\u{4}\u{15}\u{17}\u{C}\tc") == [
        .text("ab"), .backspace, .backspace, .enter, .enter, .interrupt, .endOfInput,
        .deleteToStart, .deleteWord, .redraw, .text(" "), .text("c"),
      ])
  }

  @Test func `keys mean the same wherever a read has cut them`() {
    let typed = Array("aé🙂日\u{1B}[D\u{1B}[3~\u{1B}OH\u{1B}[200~x\ny🙂\u{1B}[201~z".utf8)
    let whole: [Key] = [
      .text("aé🙂日"), .left, .delete, .home, .text("x y🙂"), .text("z"),
    ]
    for cut in 0...typed.count {
      var decoder = KeyDecoder()
      let keys = decoder.decode(typed[..<cut]) + decoder.decode(typed[cut...])
      #expect(Self.joined(keys) == Self.joined(whole), "cut at \(cut)")
    }
    var decoder = KeyDecoder()
    #expect(Self.joined(typed.flatMap { decoder.decode([$0]) }) == Self.joined(whole))
  }

  private static func joined(_ keys: [Key]) -> [Key] {
    keys.reduce(into: []) { keys, key in
      if case .text(let text) = key, case .text(let before) = keys.last {
        keys[keys.count - 1] = .text(before + text)
      } else {
        keys.append(key)
      }
    }
  }

  @Test func `a pasted line end does not send, and a pasted command does nothing`() {
    #expect(keys("\u{1B}[200~rm -rf\r\n\u{3}\u{1B}[2J\u{1B}[201~") == [.text("rm -rf  [2J")])
  }

  @Test func `keys that mean nothing here leave no trace`() {
    #expect(keys("\u{1B}[A\u{1B}[B\u{1B}[5~\u{1B}OP\u{1B}[1;5A\u{0}\u{1B}[<0;1;1M").isEmpty)
    #expect(keys("\u{1B}a") == [.text("a")])
    #expect(keys("\u{1B}\u{1B}[D") == [.left])
  }

  @Test func `a sequence without an end does not swallow what follows for ever`() {
    #expect(keys("\u{1B}[" + String(repeating: "1", count: 40)).isEmpty)
    var decoder = KeyDecoder()
    _ = decoder.decode(("\u{1B}[" + String(repeating: "1", count: 40)).utf8)
    #expect(decoder.decode("a".utf8) == [.text("a")])
  }

  @Test func `bytes that are no UTF-8 are dropped`() {
    var decoder = KeyDecoder()
    #expect(Self.joined(decoder.decode([0x61, 0xFF, 0xC0, 0x62, 0x80, 0x63])) == [.text("abc")])
  }

  @Test func `a big paste arrives whole`() {
    let text = String(repeating: "0123456789🙂", count: 3_000)
    var decoder = KeyDecoder()
    var pasted = ""
    let bytes = Array("\u{1B}[200~\(text)\u{1B}[201~".utf8)
    for start in stride(from: 0, to: bytes.count, by: 4_095) {
      for case .text(let part) in decoder.decode(bytes[start..<min(start + 4_095, bytes.count)]) {
        pasted += part
      }
    }
    #expect(pasted == text)
  }
}

struct LineEditorTests {
  private func edited(_ text: String, _ keys: Key...) -> (String, String) {
    var editor = LineEditor(text)
    for key in keys { editor.apply(key) }
    return (String(editor.text[..<editor.cursor]), String(editor.text[editor.cursor...]))
  }

  @Test func `text goes where the cursor is`() {
    #expect(edited("ac", .left, .text("b")) == ("ab", "c"))
    #expect(edited("bc", .home, .text("a"), .end, .text("d")) == ("abcd", ""))
    #expect(edited("ab", .left, .left, .left, .right, .right, .right, .text("c")) == ("abc", ""))
  }

  @Test func `backspace takes what is seen as one character`() {
    #expect(edited("a👩‍👩‍👧‍👦", .backspace) == ("a", ""))
    #expect(edited("ae\u{301}", .backspace) == ("a", ""))
    #expect(edited("🇩🇪🇫🇷", .backspace) == ("🇩🇪", ""))
    #expect(edited("", .backspace) == ("", ""))
  }

  @Test func `delete takes what is behind the cursor`() {
    #expect(edited("abc", .home, .delete) == ("", "bc"))
    #expect(edited("abc", .delete) == ("abc", ""))
  }

  @Test func `whole parts go at once`() {
    #expect(edited("one two", .deleteToStart) == ("", ""))
    #expect(edited("one two", .left, .deleteToStart) == ("", "o"))
    #expect(edited("one two", .home, .right, .deleteToEnd) == ("o", ""))
    #expect(edited("one two  ", .deleteWord) == ("one ", ""))
    #expect(edited("one", .deleteWord, .deleteWord) == ("", ""))
  }

  @Test func `the cursor keeps its place when the front is taken away`() {
    let editor = LineEditor("hello, and more", charactersBehindCursor: 4)
    let rest = LineEditor(" and more", charactersBehindCursor: editor.charactersBehindCursor)
    #expect(rest.text[rest.cursor...] == "more")
    let nothing = LineEditor("", charactersBehindCursor: 4)
    #expect(nothing.cursor == nothing.text.startIndex)
  }

  @Test func `a cursor that was left behind a shorter text still works`() {
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

struct PromptTests {
  private func prompt(_ text: String, behind: Int = 0, columns: Int = 12) -> Prompt {
    Prompt(
      label: "a> ", editor: LineEditor(text, charactersBehindCursor: behind), columns: columns)
  }

  @Test func `a draft that fits is shown whole`() {
    #expect(prompt("hello").text == "a> hello")
    #expect(prompt("hello").cursorColumn == 8)
    #expect(prompt("hello", behind: 2).cursorColumn == 6)
  }

  @Test func `of a draft that does not fit the part with the cursor is shown`() {
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

  @Test func `what is in the draft cannot command the terminal`() {
    #expect(!prompt("\u{1B}[2J").text.contains("\u{1B}"))
  }
}
