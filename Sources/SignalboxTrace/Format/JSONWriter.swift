/// Writes JSON without the objects that `JSONEncoder` makes, and keeps the order of the keys.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []
  /// Whether the next key or element follows another one.
  private var follows = false

  mutating func object(_ body: (inout JSONWriter) -> Void) {
    enclose(UInt8(ascii: "{"), UInt8(ascii: "}"), body)
  }

  mutating func array(_ body: (inout JSONWriter) -> Void) {
    enclose(UInt8(ascii: "["), UInt8(ascii: "]"), body)
  }

  private mutating func enclose(
    _ open: UInt8, _ close: UInt8, _ body: (inout JSONWriter) -> Void
  ) {
    separate()
    bytes.append(open)
    follows = false
    body(&self)
    bytes.append(close)
    follows = true
  }

  mutating func key(_ name: String) {
    string(name)
    bytes.append(UInt8(ascii: ":"))
    follows = false
  }

  mutating func null() { raw("null") }
  mutating func bool(_ value: Bool) { raw(value ? "true" : "false") }
  mutating func integer(_ value: Int) { raw(String(value)) }

  /// Writes a time in seconds, to the microsecond.
  mutating func seconds(_ value: Double) {
    // Written by hand, because a `Double` may print as 1e-05, and with more digits than it has.
    let microseconds = value.isFinite ? Int((max(0, min(value, 1e9)) * 1e6).rounded()) : 0
    let fraction = String(microseconds % 1_000_000)
    raw(
      "\(microseconds / 1_000_000).\(String(repeating: "0", count: 6 - fraction.count))\(fraction)")
  }

  mutating func string(_ text: String) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    var text = text
    // Most texts are written as they are.
    let isWritten = text.withUTF8 { part in
      guard unsafe part.allSatisfy({ !Self.mustEscape($0) }) else { return false }
      unsafe bytes.append(contentsOf: part)
      return true
    }
    if !isWritten { for scalar in text.unicodeScalars { append(escaped: scalar) } }
    bytes.append(UInt8(ascii: "\""))
    follows = true
  }

  private static func mustEscape(_ byte: UInt8) -> Bool {
    switch byte {
    case 0..<0x20, 0x7F, UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "<"): true
    // The first byte of U+FEFF and of others.
    case 0xEF: true
    default: false
    }
  }

  private mutating func append(escaped scalar: Unicode.Scalar) {
    switch scalar {
    case "\"", "\\": bytes += [UInt8(ascii: "\\"), UInt8(ascii: scalar)]
    case "\n": bytes += Array("\\n".utf8)
    case "\t": bytes += Array("\\t".utf8)
    // `JSONSerialization` drops it at the beginning of a text.
    case "\u{FEFF}": bytes += Array("\\ufeff".utf8)
    // The page puts lines into a script, which "</script>" would end.
    case "\0"..<" ", "\u{7F}", "<":
      let digits = Array("0123456789abcdef".utf8)
      let byte = Int(scalar.value)
      bytes += Array("\\u00".utf8) + [digits[byte >> 4], digits[byte & 15]]
    default: bytes += scalar.utf8
    }
  }

  private mutating func raw(_ text: String) {
    separate()
    bytes += text.utf8
    follows = true
  }

  private mutating func separate() {
    if follows { bytes.append(UInt8(ascii: ",")) }
  }

  mutating func endLine() {
    bytes.append(UInt8(ascii: "\n"))
    follows = false
  }
}
