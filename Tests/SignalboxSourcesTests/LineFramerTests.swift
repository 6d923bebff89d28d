import SignalboxSources
import Testing

struct LineFramerTests {
  private static let text = "a\r\nüñ€😀\n\n\r\nlone\rreturn\n\u{0}\nlast"
  private static let lines = ["a", "üñ€😀", "", "", "lone\rreturn", "\u{0}", "last"]

  private func items(of chunks: [[UInt8]], limit: Int = 100) -> [LineFramer.Item] {
    var framer = LineFramer(limit: limit)
    var items: [LineFramer.Item] = []
    for chunk in chunks {
      framer.append(chunk)
      while let item = framer.next() { items.append(item) }
    }
    if let last = framer.finish() { items.append(last) }
    return items
  }

  @Test("E5 a text that is split at any two bytes has the same lines")
  func everySplit() {
    let bytes = Array(Self.text.utf8)
    for first in 0...bytes.count {
      for second in first...bytes.count {
        let chunks = [bytes[..<first], bytes[first..<second], bytes[second...]].map(Array.init)
        #expect(items(of: chunks) == Self.lines.map { .success($0) })
      }
    }
    #expect(items(of: bytes.map { [$0] }) == Self.lines.map { .success($0) })
  }

  @Test("E5 a last line end makes no further line")
  func lastEnd() {
    #expect(items(of: [Array("a\n".utf8)]) == [.success("a")])
    #expect(items(of: [[]]) == [])
  }

  @Test("E5 a line of the limit is a line, one byte more is an error, and the next line is read")
  func limit() {
    for end in ["\n", "\r\n"] {
      for length in 1...12 {
        let bytes = Array((String(repeating: "x", count: length) + end + "next").utf8)
        let expected: [LineFramer.Item] = [
          length > 10
            ? .failure(.tooLong(limit: 10)) : .success(String(repeating: "x", count: length)),
          .success("next"),
        ]
        #expect(items(of: [bytes], limit: 10) == expected)
        #expect(items(of: bytes.map { [$0] }, limit: 10) == expected)
      }
    }
  }

  @Test("E5 what is not UTF-8 is an error with its bytes, and the next line is read")
  func notUTF8() {
    let bytes: [UInt8] = [0x61, 0xFF, 0x0D, 0x0A, 0x62, 0x0A, 0xC3]
    #expect(
      items(of: [bytes]) == [
        .failure(.notUTF8(bytes: [0x61, 0xFF])), .success("b"), .failure(.notUTF8(bytes: [0xC3])),
      ])
  }

  @Test("E5 a line without an end is reported once, and not kept")
  func flood() {
    let flood = [UInt8](repeating: UInt8(ascii: "x"), count: 100)
    let tooLong = LineFramer.Item.failure(.tooLong(limit: 8))
    #expect(
      items(of: [flood, flood, flood, Array("\nnext\n".utf8)], limit: 8)
        == [tooLong, .success("next")])
    #expect(items(of: [flood, flood], limit: 8) == [tooLong])
  }

  @Test("E5 surrogates, overlong characters and those that stop in the middle are not UTF-8")
  func invalidForms() {
    for bytes: [UInt8] in [[0xED, 0xA0, 0x80], [0xC0, 0xAF], [0xE2, 0x82]] {
      #expect(items(of: [bytes + [0x0A]]) == [.failure(.notUTF8(bytes: bytes))])
    }
  }
}
