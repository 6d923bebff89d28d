import Foundation

/// How strings and data are written: nothing in them stays unseen (D2).
enum Quoting {
  static func quoted(_ text: String) -> String { "\"" + escaped(text, quote: true) + "\"" }

  /// - Parameter quote: whether quotes are escaped, else only where three are in a row.
  static func escaped(_ text: String, quote: Bool) -> String {
    var result = ""
    result.reserveCapacity(text.utf8.count)
    var isFirst = true
    for character in text {
      if let scalar = character.unicodeScalars.first, character.unicodeScalars.count == 1 {
        if scalar == "\"", quote { result += "\\\"" } else { append(scalar, isFirst, to: &result) }
      } else {
        let scalars = Array(character.unicodeScalars)
        for (place, scalar) in scalars.enumerated() {
          if joins(place, in: scalars) {
            result.unicodeScalars.append(scalar)
          } else {
            append(scalar, isFirst, to: &result)
          }
          isFirst = false
        }
      }
      isFirst = false
    }
    return quote ? result : result.replacing("\"\"\"", with: "\\\"\\\"\\\"")
  }

  /// Whether what has no look of its own makes one emoji of others, or of a plain character.
  private static func joins(_ place: Int, in scalars: [Unicode.Scalar]) -> Bool {
    guard place > 0 else { return false }
    let before = scalars[place - 1].properties
    let next = place + 1 < scalars.count ? scalars[place + 1] : nil
    return switch scalars[place] {
    case "\u{200D}": next?.properties.isEmoji == true
    // A digit or a sign becomes an emoji with a frame only.
    case "\u{FE0F}" where scalars[place - 1].isASCII: next == "\u{20E3}"
    case "\u{FE0F}": before.isEmoji && !before.isEmojiPresentation
    default: false
    }
  }

  /// A line of several, without quotes around it.
  static func line(_ text: String) -> String {
    let line = escaped(text, quote: false)
    // At its end a space is not seen.
    return line.hasSuffix(" ") ? line.dropLast() + "\\u{20}" : line
  }

  private static func append(_ scalar: Unicode.Scalar, _ isFirst: Bool, to result: inout String) {
    switch scalar {
    case "\\": result += "\\\\"
    case "\n": result += "\\n"
    case "\r": result += "\\r"
    case "\t": result += "\\t"
    case "\0": result += "\\0"
    case " "..."~": result.unicodeScalars.append(scalar)
    default:
      // A combining mark at the start would join the quote.
      if isUnseen(scalar.properties.generalCategory)
        || scalar.properties.isDefaultIgnorableCodePoint
        || (isFirst && scalar.properties.isGraphemeExtend)
      {
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
  }

  private static func isUnseen(_ category: Unicode.GeneralCategory) -> Bool {
    switch category {
    case .control, .format, .surrogate, .privateUse, .unassigned, .spaceSeparator,
      .lineSeparator, .paragraphSeparator:
      true
    default: false
    }
  }

  static func hex(_ data: Data) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(data.count * 2)
    for byte in data {
      bytes.append(digits[Int(byte >> 4)])
      bytes.append(digits[Int(byte & 15)])
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The text in quotes, cut to about so many bytes, with how much more there is.
  static func quoted(_ text: String, room: Int) -> String {
    if text.utf8.count <= room {
      let whole = quoted(text)
      if whole.utf8.count <= room { return whole }
    }
    var bytes = max(0, room - 32)
    while true {
      let shown = String(text.unicodeScalars.prefix(fitting: bytes))
      let whole = quoted(shown)
      // What is escaped takes up to ten times the room.
      if whole.utf8.count <= max(2, room - 30) || bytes == 0 {
        return "\(whole)… \(text.utf8.count - shown.utf8.count) more bytes"
      }
      bytes /= 2
    }
  }

  static func data(_ data: Data, room: Int = .max) -> String {
    guard data.count > (max(room, 40) - 6) / 2 else { return "Data(\(hex(data)))" }
    let shown = max(0, room - 40) / 2
    return "Data(\(hex(data.prefix(shown)))… \(data.count - shown) more)"
  }
}

extension String.UnicodeScalarView {
  /// As many from the start as take no more than so many bytes of UTF-8.
  func prefix(fitting bytes: Int) -> Substring.UnicodeScalarView {
    var left = bytes
    return prefix {
      left -= UTF8.width($0)
      return left >= 0
    }
  }
}
