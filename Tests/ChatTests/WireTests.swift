import Terminal
import Testing

@testable import Chat

struct WireTests {
  @Test func `lines of a guest are encoded and decoded`() {
    for line in [
      GuestLine.join(name: "Ada Lovelace"), .say(id: 7, text: "a: b  c "), .say(id: 1, text: ""),
    ] {
      #expect(GuestLine(line.line) == line)
    }
  }

  @Test func `lines of the room are encoded and decoded`() {
    let lines: [RoomLine] = [
      .greeting(version: "1"), .welcome(others: []), .welcome(others: ["ada", "Bea B."]),
      .joined("ada"), .left("ada"), .said(name: "ada", text: "see: this"), .accepted(id: 3),
      .sorry("No."),
    ]
    for line in lines { #expect(RoomLine(line.line) == line) }
  }

  @Test func `a message with several lines is sent as one line`() {
    #expect(GuestLine.say(id: 1, text: "a\nb\r\nc\u{2028}d").line == "say 1 a b c d")
  }

  @Test func `invalid lines are not decoded`() {
    for line in ["", "say", "say x y", "hello", "JOIN ada"] { #expect(GuestLine(line) == nil) }
    for line in ["", "said ada", "accepted", "accepted x", "HTTP/1.1 400 Bad Request"] {
      #expect(RoomLine(line) == nil)
    }
  }

  @Test func `control characters from a peer are escaped`() {
    #expect(
      RoomLine("said a\u{7}da: \u{1B}[2Jhi\u{9B}1m")
        == .said(name: "a\\u{7}da", text: "\\u{1B}[2Jhi\\u{9B}1m"))
    #expect("\u{202E}abc\u{2028}".printable == "\\u{202E}abc\\u{2028}")
  }

  @Test func `unusual printable characters are not escaped`() {
    for text in ["Grüße", "👩‍👩‍👧‍👦 🇩🇪", "日本語", "e\u{301}", "שלום"] { #expect(text.printable == text) }
  }

  @Test func `a name is short, visible and without separators`() {
    for name in ["ada", "Ada Lovelace", "日本", "a-1"] { #expect(Wire.isName(name)) }
    for name in [
      "", " ada", "ada ", "a:b", "a,b", "a\nb", "a\u{1B}b", String(repeating: "x", count: 49),
    ] {
      #expect(!Wire.isName(name))
    }
  }

  @Test func `the longest message from the longest name fits into a line`() {
    let name = String(repeating: "n", count: Wire.nameLimit)
    let text = String(repeating: "t", count: Wire.textLimit)
    #expect(RoomLine.said(name: name, text: text).line.utf8.count <= Wire.lineLimit)
    #expect(GuestLine.say(id: .max, text: text).line.utf8.count <= Wire.lineLimit)
  }
}
