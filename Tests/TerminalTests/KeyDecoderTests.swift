import Testing

@testable import Terminal

struct KeyDecoderTests {
  private func keys(_ text: String) -> [Key] {
    var decoder = KeyDecoder()
    return decoder.decode(text.utf8)
  }

  @Test func `text and control keys are told apart`() {
    #expect(
      keys("ab\u{7F}\u{8}\r\n\u{3}\u{4}\u{15}\u{17}\u{C}\tc") == [
        .text("ab"), .backspace, .backspace, .enter, .enter, .interrupt, .endOfInput,
        .deleteToStart, .deleteWord, .redraw, .tab, .text("c"),
      ])
    #expect(keys("\u{1B}[A\u{1B}OB\u{1B}[1;5A\u{1B}[Z") == [.up, .down, .up, .backTab])
    #expect(keys("\u{1B}[5~\u{1B}[6~") == [.pageUp, .pageDown])
  }

  @Test func `keys are decoded wherever a read splits them`() {
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

  @Test func `unknown keys are ignored`() {
    #expect(keys("\u{1B}[2~\u{1B}OP\u{0}\u{1B}[<0;1;1M").isEmpty)
  }

  @Test func `an Escape without a sequence is the Escape key`() {
    #expect(keys("\u{1B}a") == [.escape, .text("a")])
    #expect(keys("\u{1B}\u{1B}[D") == [.escape, .left])
  }

  @Test func `an Escape at the end of the input is pending until it is resolved`() {
    var decoder = KeyDecoder()
    #expect(decoder.decode("a\u{1B}".utf8) == [.text("a")])
    #expect(decoder.isUndecided)
    #expect(decoder.decide() == .escape)
    #expect(!decoder.isUndecided)
    #expect(decoder.decide() == nil)
    #expect(decoder.decode("[".utf8) == [.text("[")])
  }

  @Test(arguments: ["\u{1B}[", "\u{1B}O", "\u{1B}[200~x\u{1B}"])
  func `an incomplete sequence is not resolved early`(typed: String) {
    var decoder = KeyDecoder()
    _ = decoder.decode(typed.utf8)
    #expect(!decoder.isUndecided)
    #expect(decoder.decide() == nil)
  }

  @Test func `a sequence without an end does not swallow all later input`() {
    #expect(keys("\u{1B}[" + String(repeating: "1", count: 40)).isEmpty)
    var decoder = KeyDecoder()
    _ = decoder.decode(("\u{1B}[" + String(repeating: "1", count: 40)).utf8)
    #expect(decoder.decode("a".utf8) == [.text("a")])
  }

  @Test func `bytes that are not UTF-8 are dropped`() {
    var decoder = KeyDecoder()
    #expect(Self.joined(decoder.decode([0x61, 0xFF, 0xC0, 0x62, 0x80, 0x63])) == [.text("abc")])
  }

  @Test func `a large paste arrives complete`() {
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
