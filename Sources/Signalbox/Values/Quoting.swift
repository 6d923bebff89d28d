package import Foundation

/// Formats strings and data so that every character is visible (D2).
package enum Quoting {
  package static func quoted(_ text: String) -> String { "\"" + escaped(text, quote: true) + "\"" }

  /// Escapes invisible characters, and every quote or only three quotes in a row.
  static func escaped(_ text: String, quote: Bool) -> String {
    var result = ""
    result.reserveCapacity(text.utf8.count)
    var isFirst = true
    for character in text {
      if let scalar = character.unicodeScalars.first, character.unicodeScalars.count == 1 {
        append(scalar, isFirst, quote: quote, to: &result)
      } else {
        let scalars = Array(character.unicodeScalars)
        for (offset, scalar) in scalars.enumerated() {
          if joins(offset, in: scalars) {
            result.unicodeScalars.append(scalar)
          } else {
            append(scalar, isFirst, quote: quote, to: &result)
          }
          isFirst = false
        }
      }
      isFirst = false
    }
    return quote ? result : result.replacing("\"\"\"", with: "\\\"\\\"\\\"")
  }

  /// Whether an invisible scalar joins others into one emoji or turns a character into an emoji.
  private static func joins(_ offset: Int, in scalars: [Unicode.Scalar]) -> Bool {
    guard offset > 0 else { return false }
    let before = scalars[offset - 1].properties
    let next = offset + 1 < scalars.count ? scalars[offset + 1] : nil
    return switch scalars[offset] {
    case "\u{200D}": next?.properties.isEmoji == true
    // A digit or a sign becomes an emoji only with an enclosing keycap.
    case "\u{FE0F}" where scalars[offset - 1].isASCII: next == "\u{20E3}"
    case "\u{FE0F}": before.isEmoji && !before.isEmojiPresentation
    default: false
    }
  }

  /// A line of a text with several lines, without quotes around it.
  static func line(_ text: String) -> String {
    let line = escaped(text, quote: false)
    // A space at the end would be invisible.
    return line.hasSuffix(" ") ? line.dropLast() + "\\u{20}" : line
  }

  private static func append(
    _ scalar: Unicode.Scalar, _ isFirst: Bool, quote: Bool, to result: inout String
  ) {
    switch scalar {
    case "\"" where quote: result += "\\\""
    case "\\": result += "\\\\"
    case "\n": result += "\\n"
    case "\r": result += "\\r"
    case "\t": result += "\\t"
    case "\0": result += "\\0"
    case " "..."~": result.unicodeScalars.append(scalar)
    default:
      // A combining mark at the start would combine with the quote.
      if isInvisible(scalar.properties.generalCategory)
        || scalar.properties.isDefaultIgnorableCodePoint
        || (isFirst && scalar.properties.isGraphemeExtend)
      {
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
  }

  private static func isInvisible(_ category: Unicode.GeneralCategory) -> Bool {
    switch category {
    case .control, .format, .surrogate, .privateUse, .unassigned, .spaceSeparator,
      .lineSeparator, .paragraphSeparator:
      true
    default: false
    }
  }

  package static func hex(_ data: Data) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(data.count * 2)
    for byte in data {
      bytes.append(digits[Int(byte >> 4)])
      bytes.append(digits[Int(byte & 15)])
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The text in quotes, cut to about `room` bytes and followed by the number of the other bytes.
  package static func quoted(_ text: String, room: Int) -> String {
    if text.utf8.count <= room {
      let whole = quoted(text)
      if whole.utf8.count <= room { return whole }
    }
    var bytes = max(0, room - 32)
    while true {
      let shown = String(text.unicodeScalars.prefix(fitting: bytes))
      let whole = quoted(shown)
      // An escaped text takes up to ten times the space.
      if whole.utf8.count <= max(2, room - 30) || bytes == 0 {
        return "\(whole)… \(text.utf8.count - shown.utf8.count) more bytes"
      }
      bytes /= 2
    }
  }

  static func clipped(_ text: String, room: Int) -> String {
    guard text.utf8.count > room else { return text }
    let shown = String(text.unicodeScalars.prefix(fitting: max(0, room - 30)))
    return "\(shown)… \(text.utf8.count - shown.utf8.count) more bytes"
  }

  static func data(_ data: Data, room: Int = .max) -> String {
    guard data.count > (max(room, 40) - 6) / 2 else { return "Data(\(hex(data)))" }
    let shown = max(0, room - 40) / 2
    return "Data(\(hex(data.prefix(shown)))… \(data.count - shown) more)"
  }
}

extension String.UnicodeScalarView {
  /// The longest prefix that takes no more than `bytes` bytes of UTF-8.
  func prefix(fitting bytes: Int) -> Substring.UnicodeScalarView {
    var left = bytes
    return prefix {
      left -= UTF8.width($0)
      return left >= 0
    }
  }
}
