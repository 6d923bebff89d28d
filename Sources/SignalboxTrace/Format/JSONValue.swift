/// A value of JSON, as it was read.
///
/// `JSONDecoder` needs to know the shape of a value before it reads it, and `JSONSerialization` does
/// not tell `true` from 1 on every platform.
enum JSONValue {
  case null
  case bool(Bool)
  /// A number as it is written.
  case number(Substring)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  subscript(_ key: String) -> JSONValue? {
    if case .object(let members) = self { members[key] } else { nil }
  }

  var string: String? { if case .string(let text) = self { text } else { nil } }
  var array: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
  var int: Int? { if case .number(let text) = self { Int(text) } else { nil } }
  var double: Double? { if case .number(let text) = self { Double(text) } else { nil } }
  var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
}

extension JSONValue {
  /// Reads a whole text.
  ///
  /// - Returns: `nil` if the text is not JSON, or is nested more than 1,000 levels deep.
  init?(_ text: some Collection<UInt8>) {
    var parser = JSONParser(Array(text))
    guard let value = parser.value(), parser.isAtEnd else { return nil }
    self = value
  }
}

private struct JSONParser {
  private let bytes: [UInt8]
  private var place = 0
  private var depth = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool {
    mutating get {
      skipSpace()
      return place == bytes.count
    }
  }

  mutating func value() -> JSONValue? {
    skipSpace()
    guard place < bytes.count, depth < 1_000 else { return nil }
    depth += 1
    defer { depth -= 1 }
    switch bytes[place] {
    case UInt8(ascii: "{"): return object()
    case UInt8(ascii: "["): return array()
    case UInt8(ascii: "\""): return string().map { .string($0) }
    case UInt8(ascii: "t"): return word("true").map { .bool(true) }
    case UInt8(ascii: "f"): return word("false").map { .bool(false) }
    case UInt8(ascii: "n"): return word("null").map { .null }
    default: return number()
    }
  }

  private mutating func skipSpace() {
    while place < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) { place += 1 }
  }

  private mutating func takes(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard place < bytes.count, bytes[place] == UInt8(ascii: character) else { return false }
    place += 1
    return true
  }

  private mutating func word(_ text: String) -> Void? {
    guard bytes[place...].starts(with: text.utf8) else { return nil }
    place += text.utf8.count
    return ()
  }

  private mutating func object() -> JSONValue? {
    place += 1
    var members: [String: JSONValue] = [:]
    if takes("}") { return .object(members) }
    repeat {
      skipSpace()
      guard let key = string(), takes(":"), let value = value() else { return nil }
      members[key] = value
    } while takes(",")
    return takes("}") ? .object(members) : nil
  }

  private mutating func array() -> JSONValue? {
    place += 1
    var elements: [JSONValue] = []
    if takes("]") { return .array(elements) }
    repeat {
      guard let value = value() else { return nil }
      elements.append(value)
    } while takes(",")
    return takes("]") ? .array(elements) : nil
  }

  private mutating func number() -> JSONValue? {
    let start = place
    let characters = Array("+-.eE0123456789".utf8)
    while place < bytes.count, characters.contains(bytes[place]) { place += 1 }
    let text = String(decoding: bytes[start..<place], as: UTF8.self)
    return Double(text) == nil ? nil : .number(text[...])
  }

  private mutating func string() -> String? {
    guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else { return nil }
    place += 1
    let start = place
    while place < bytes.count, bytes[place] != UInt8(ascii: "\""),
      bytes[place] != UInt8(ascii: "\\")
    {
      place += 1
    }
    guard place < bytes.count else { return nil }
    // Most texts have no escapes.
    var text = [UInt8](bytes[start..<place])
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      switch byte {
      case UInt8(ascii: "\""): return String(validating: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let scalar = escape() else { return nil }
        text += Array(String(scalar).utf8)
      default: text.append(byte)
      }
    }
    return nil
  }

  private mutating func escape() -> Unicode.Scalar? {
    guard place < bytes.count else { return nil }
    place += 1
    switch bytes[place - 1] {
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "u"):
      guard let unit = hex() else { return nil }
      guard 0xD800..<0xDC00 ~= unit else { return Unicode.Scalar(unit) }
      guard place + 1 < bytes.count, bytes[place] == UInt8(ascii: "\\"),
        bytes[place + 1] == UInt8(ascii: "u")
      else { return nil }
      place += 2
      guard let low = hex(), 0xDC00..<0xE000 ~= low else { return nil }
      return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
    case let byte where [UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/")].contains(byte):
      return Unicode.Scalar(byte)
    default: return nil
    }
  }

  private mutating func hex() -> UInt32? {
    guard place + 4 <= bytes.count else { return nil }
    defer { place += 4 }
    return UInt32(String(decoding: bytes[place..<place + 4], as: UTF8.self), radix: 16)
  }
}
