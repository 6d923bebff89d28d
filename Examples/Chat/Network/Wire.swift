import Terminal

/// The protocol.
///
/// It consists of lines of UTF-8, and the first word of a line is its kind.
///
///     room  → guest   signalbox-chat 1          the greeting, sent before any request
///     guest → room    join ada
///     room  → guest   welcome bea, cem          the names of the other guests
///     guest → room    say 1 Hello               1 is a number that the guest chooses
///     room  → guest   accepted 1                and to all other guests:
///     room  → guest   said ada: Hello
///     room  → guest   joined dan  ·  left bea  ·  sorry That line was too long.
enum Wire {
  static let name = "signalbox-chat"
  static let version = "1"
  static let lineLimit = 4_096
  // Leaves space in a line for the name and the words around the text.
  static let textLimit = 4_000
  static let nameLimit = 48

  static func isName(_ name: String) -> Bool {
    (1...nameLimit).contains(name.utf8.count) && name == name.printable
      && !name.contains { ":,".contains($0) || $0.isNewline }
      && name.first?.isWhitespace == false && name.last?.isWhitespace == false
  }

  /// Splits a line into its first word and the rest.
  fileprivate static func split(_ line: String) -> (word: Substring, rest: String) {
    let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    return (parts[0], parts.count == 2 ? String(parts[1]) : "")
  }
}

/// A line that a guest sends to the room.
enum GuestLine: Equatable {
  case join(name: String)
  case say(id: Int, text: String)

  init?(_ line: String) {
    let (word, rest) = Wire.split(line)
    switch word {
    case "join":
      self = .join(name: rest)
    case "say":
      let (number, text) = Wire.split(rest)
      guard let id = Int(number) else { return nil }
      self = .say(id: id, text: text)
    default:
      return nil
    }
  }

  var line: String {
    switch self {
    case .join(let name): "join \(name)"
    case .say(let id, let text): "say \(id) \(text.onOneLine)"
    }
  }
}

/// A line that the room sends to a guest.
enum RoomLine: Equatable {
  case greeting(version: String)
  case welcome(others: [String])
  case joined(String)
  case left(String)
  case said(name: String, text: String)
  case accepted(id: Int)
  case sorry(String)

  /// Parses a line and makes it printable, so that no peer can send an escape sequence to the
  /// terminal.
  init?(_ line: String) {
    let (word, raw) = Wire.split(line)
    let rest = raw.printable
    switch word {
    case "signalbox-chat": self = .greeting(version: rest)
    case "welcome": self = .welcome(others: rest.split(separator: ", ").map(String.init))
    case "joined": self = .joined(rest)
    case "left": self = .left(rest)
    case "sorry": self = .sorry(rest)
    case "accepted":
      guard let id = Int(rest) else { return nil }
      self = .accepted(id: id)
    case "said":
      guard let colon = rest.firstRange(of: ": ") else { return nil }
      self = .said(
        name: String(rest[..<colon.lowerBound]), text: String(rest[colon.upperBound...]))
    default:
      return nil
    }
  }

  var line: String {
    switch self {
    case .greeting(let version): "\(Wire.name) \(version)"
    case .welcome(let others): "welcome \(others.joined(separator: ", "))"
    case .joined(let name): "joined \(name)"
    case .left(let name): "left \(name)"
    case .said(let name, let text): "said \(name): \(text)"
    case .accepted(let id): "accepted \(id)"
    case .sorry(let reason): "sorry \(reason)"
    }
  }
}

extension String {
  var onOneLine: String {
    contains(where: \.isNewline) ? String(map { $0.isNewline ? " " : $0 }) : self
  }
}
