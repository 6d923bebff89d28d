import Foundation
import Signalbox
import Testing

struct DumpTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let text: String
    let make: @Sendable () -> Any
    var testDescription: String { text }

    init(_ text: String, _ make: @autoclosure @escaping @Sendable () -> Any) {
      self.text = text
      self.make = make
    }
  }

  @Test("D2 a value is printed as it is written in code", arguments: Self.cases)
  func write(example: Case) {
    #expect(Dump.string(of: example.make()) == example.text)
  }

  static let cases = [
    Case("1", 1), Case("1.0", 1.0), Case("true", true), Case("nan", Double.nan),
    Case(#""a""#, "a"), Case(#""a""#, Character("a")),
    Case("nil", Optional<Int>.none as Any), Case("1", Optional(1) as Any),
    Case("some(nil)", Optional<Int?>.some(nil) as Any),
    Case("nil", Optional<Int?>.none as Any),
    Case("[1, 2]", [1, 2]), Case("[]", [Int]()), Case("[nil, 1]", [nil, 1]),
    Case("ArraySlice<Int>([2, 3])", [1, 2, 3][1...]),
    Case("Set([1, 2, 3])", Set([3, 1, 2])),
    Case(#"["a": 1, "b": 2]"#, ["b": 2, "a": 1]), Case("[:]", [String: Int]()),
    Case("[9: 1, 10: 2]", [10: 2, 9: 1]),
    Case("(1, x: 2)", (1, x: 2)), Case("()", ()),
    Case("0..<5", 0..<5), Case(#""a"..."c""#, "a"..."c"), Case("...3", ...3),
    Case("(Int) -> Int", { (x: Int) in x }), Case("Int.self", Int.self),
    Case(#"\Plain.a"#, \Plain.a),
    Case("Plain(a: 1, b: nil)", Plain()),
    Case("Shape.point", Shape.point), Case("Shape.circle(2.0)", Shape.circle(2)),
    Case(#"Shape.named("x", size: 3)"#, Shape.named("x", size: 3)),
    Case("Animal(kept)", Animal()), Case("S.Same", S.Same), Case("Large", Large()),
    Case(#"Sub #1(base: 1, own: "x")"#, Sub()),
    Case("Knob(count: 3, plain: 1, _private: 2)", Knob()),
    Case("Mirroring(shown: 1)", Mirroring()),
    Case(#"Generic<Int>(value: 1)"#, Generic(value: 1)),
    Case("Result<Int, Trouble>.failure(Trouble.bad)", Result<Int, Trouble>.failure(.bad)),
  ]

  @Test("D2 types of Foundation are printed by their contents", arguments: Self.foundation)
  func writeFoundation(example: Case) {
    #expect(Dump.string(of: example.make()) == example.text)
  }

  static let foundation = [
    Case("2023-11-14T22:13:20.250000000Z", Date(timeIntervalSince1970: 1_700_000_000.25)),
    Case("1969-12-31T23:59:59.500000000Z", Date(timeIntervalSince1970: -0.5)),
    Case(
      "2001-01-01T00:00:00.000000000Z (1e-10 s since 2001)",
      Date(timeIntervalSinceReferenceDate: 1e-10)),
    Case("Date(inf s since 2001)", Date(timeIntervalSinceReferenceDate: .infinity)),
    Case("Data(0102ff)", Data([1, 2, 255])), Case("Data()", Data()),
    Case("URL(https://a.b/c)", URL(string: "https://a.b/c") as Any),
    Case(
      "00000000-0000-0000-0000-000000000001",
      UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))),
    Case("1.1", Decimal(string: "1.10") as Any),
    Case("1.5 seconds", Duration.milliseconds(1_500)),
    Case(
      "-0.000000000000000001 seconds",
      Duration(secondsComponent: 0, attosecondsComponent: -1)),
    Case(#"AttributedString("hey")"#, AttributedString("hey")),
  ]

  @Test(
    "D2 invisible characters are escaped",
    arguments: [
      ("a\u{200B}b", #""a\u{200B}b""#), ("\u{A0}", #""\u{A0}""#), ("\t\\\"", #""\t\\\"""#),
      ("\u{301}", #""\u{301}""#), ("e\u{301}", "\"e\u{301}\""), ("👨‍👩‍👧", "\"👨‍👩‍👧\""),
      ("a\u{FE0F}", #""a\u{FE0F}""#), ("a\r\nb", #""a\r\nb""#), ("a\u{0}", #""a\0""#),
      ("👨\u{200D}", #""👨\u{200D}""#), ("1\u{FE0F}", #""1\u{FE0F}""#),
      ("1\u{FE0F}\u{20E3}", "\"1\u{FE0F}\u{20E3}\""), ("👍\u{FE0F}", #""👍\u{FE0F}""#),
      ("❤\u{FE0F}", "\"❤\u{FE0F}\""),
    ])
  func escape(text: String, written: String) {
    #expect(Dump.string(of: text) == written)
  }

  @Test("D2 long values are printed on several lines")
  func lines() {
    let value = ["text": [String(repeating: "a", count: 60), String(repeating: "b", count: 60)]]
    #expect(
      Dump.string(of: value) == """
        [
          "text": [
            [0]: "\(String(repeating: "a", count: 60))"
            [1]: "\(String(repeating: "b", count: 60))"
          ]
        ]
        """)
    let poem = String(repeating: "a line of a poem\n", count: 6)
    #expect(
      Dump.string(of: Generic(value: poem)) == """
        Generic<String>(
          value: \"\"\"
            a line of a poem
            a line of a poem
            a line of a poem
            a line of a poem
            a line of a poem
            a line of a poem
            
          \"\"\"
        )
        """)
  }

  @Test("D3 an object is printed once, and a cycle ends")
  func cycles() {
    let node = Chain(1, Chain(2, nil))
    node.next?.next = node
    #expect(
      Dump.string(of: [node, node])
        == "[Chain #1(value: 1, next: Chain #2(value: 2, next: Chain #1)), Chain #1]")
    node.next?.next = nil
  }

  @Test("D3 a dump stays within its limits and counts what it leaves out")
  func limits() {
    let many = Array(0..<1_000)
    #expect(
      Dump.string(of: many, limits: Limits(lines: 5)) == """
        [
          [0]: 0
          [1]: 1
          … 998 more
        ]
        """)
    #expect(Dump.string(of: many, limits: Limits(lines: 1)) == "[… 1000 more]")
    #expect(Dump.string(of: [[[1]]], limits: Limits(depth: 2)) == "[[[… 1 more]]]")
    #expect(Dump.string(of: [[[1]]], limits: Limits(depth: 0)) == "[… 1 more]")
    let long = Dump.string(of: String(repeating: "a", count: 1_000), limits: Limits(bytes: 400))
    #expect(long == "\"\(String(repeating: "a", count: 68))\"… 932 more bytes")
  }

  @Test("D3 no part takes the space of those that follow it")
  func fairness() {
    let text = Dump.string(
      of: (many: Array(0..<1_000), few: 1, last: 2), limits: Limits(lines: 10))
    #expect(text.hasSuffix("  few: 1\n  last: 2\n)"))
  }

  @Test("D4 a redacted value is in no dump, whatever describes it")
  func redacted() {
    #expect(Dump.string(of: Session()) == #"Session(user: "ann", token: <redacted>)"#)
    #expect(Dump.string(of: [Talker()]) == #"[Talker(secret: <redacted>)]"#)
    #expect("\(Session())" == #"Session(user: "ann", _token: <redacted>)"#)
    var dumped = ""
    dump(Session(), to: &dumped)
    #expect(!dumped.contains("s3cret"))
    #expect(Dump.string(of: [Redacted(wrappedValue: "s3cret"): 1]) == "[<redacted>: 1]")
  }

  @Test("D4 a redacted property is hidden wherever its type occurs")
  func redactedPlaces() {
    var redaction = Redaction()
    let isKnown = redaction.hide(\Session.user)
    let isComputed = redaction.hide(\Session.shouted)
    let isDeep = redaction.hide(\Holder.inner?.plain.a)
    #expect(isKnown && isDeep && !isComputed)
    func text(_ value: Any) -> String {
      Dump.string(of: value, limits: .standard, redaction: redaction)
    }
    #expect(text([Session()]) == "[Session(user: <redacted>, token: <redacted>)]")
    #expect(
      text(Holder(inner: Inner()))
        == "Holder(inner: Inner(plain: Plain(a: <redacted>, b: nil)))")
    #expect(text(Plain()) == "Plain(a: 1, b: nil)")
  }

  @Test("D4 a redacted value is encoded as if it were not wrapped")
  func codable() throws {
    struct Login: Codable, Hashable {
      @Redacted var token = "s3cret"
    }
    let data = try JSONEncoder().encode(Login())
    #expect(String(decoding: data, as: UTF8.self) == #"{"token":"s3cret"}"#)
    #expect(try JSONDecoder().decode(Login.self, from: data) == Login())
    #expect(Login() != Login(token: "other"))
  }

  @Test("D2 a date less than a nanosecond before a second is shown by its exact time")
  func almostASecond() {
    #expect(
      Dump.string(of: Date(timeIntervalSinceReferenceDate: 0.999_999_999_9))
        == "Date(0.9999999999 s since 2001)")
  }

  private final class Wide {
    var first = String(repeating: "a", count: 60)
    var second = String(repeating: "b", count: 60)
  }

  @Test("D2 an object that does not fit on one line is shown on several")
  func wideObject() {
    let (wide, text) = (Wide(), Dump.string(of: [Wide()]))
    #expect(text.contains(wide.first) && text.contains(wide.second), "\(text)")
  }

  private final class Linked {
    var name: String
    var other: Linked?

    init(_ letter: String, _ other: Linked? = nil) {
      name = String(repeating: letter, count: 70)
      self.other = other
    }
  }

  @Test("D3 an object that the limits leave out takes no number")
  func numbers() {
    let (first, second) = (Linked("a"), Linked("b", Linked("c")))
    let text = Dump.string(
      of: ["k": [second, first], "l": [first]], limits: Limits(depth: 3, lines: 11, bytes: 260))
    #expect(text.contains("… 2 more") && text.contains("Linked #1("), "\(text)")
  }
}
