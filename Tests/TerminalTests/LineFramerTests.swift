import Testing

@testable import Terminal

struct LineFramerTests {
  private func items(_ chunks: [UInt8]..., limit: Int = 8) -> [LineFramer.Item] {
    var framer = LineFramer(limit: limit)
    var items: [LineFramer.Item] = []
    for chunk in chunks {
      framer.append(chunk)
      while let item = framer.next() { items.append(item) }
    }
    if let item = framer.finish() { items.append(item) }
    return items
  }

  @Test func `lines are split at line ends, not at the ends of reads`() {
    #expect(
      items(Array("on".utf8), Array("e\ntwo\nth".utf8), Array("ree\n".utf8))
        == [.line("one"), .line("two"), .line("three")])
  }

  @Test func `a character that is split across two reads is complete`() {
    let bytes = Array("é🙂\n".utf8)
    for cut in 1..<bytes.count {
      #expect(items(Array(bytes[..<cut]), Array(bytes[cut...])) == [.line("é🙂")])
    }
  }

  @Test func `a carriage return before the end is not part of the line`() {
    #expect(items(Array("a\r\nb\rc\n".utf8)) == [.line("a"), .line("b\rc")])
  }

  @Test func `the last line needs no line end`() {
    #expect(items(Array("a\n\nb".utf8)) == [.line("a"), .line(""), .line("b")])
  }

  @Test func `a line within the limit is read, and a longer one is skipped`() {
    #expect(
      items(Array("12345678\n123456789\nnext\n".utf8)) == [
        .line("12345678"), .tooLong, .line("next"),
      ])
  }

  @Test func `a line without an end is reported once, and not kept`() {
    let flood = [UInt8](repeating: UInt8(ascii: "x"), count: 100)
    #expect(items(flood, flood, flood, Array("\nnext\n".utf8)) == [.tooLong, .line("next")])
    #expect(items(flood, flood) == [.tooLong])
  }

  @Test func `a line that is not UTF-8 is reported, and the next one is read`() {
    #expect(items([0xFF, 0x0A, 0x61, 0x0A]) == [.notUTF8, .line("a")])
    // A surrogate, an overlong slash, and a character that stops in the middle.
    for bytes: [UInt8] in [[0xED, 0xA0, 0x80], [0xC0, 0xAF], [0xE2, 0x82]] {
      #expect(items(bytes + [0x0A]) == [.notUTF8])
    }
  }
}
