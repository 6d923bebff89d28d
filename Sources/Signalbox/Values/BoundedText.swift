/// A text that stays within limits (D3).
///
/// An open bracket reserves the lines that count omitted parts and close it, so they always fit.
struct BoundedText {
  private(set) var text = ""
  private var lines = 0
  private var reservedLines = 0
  private var reservedBytes = 0
  let limits: Limits

  init(_ limits: Limits) {
    self.limits = Limits(depth: limits.depth, lines: max(1, limits.lines), bytes: limits.bytes)
  }

  var freeLines: Int { limits.lines - lines - reservedLines }
  var freeBytes: Int { limits.bytes - text.utf8.count - reservedBytes }

  func hasRoom(_ room: Reservation) -> Bool { room.lines <= freeLines && room.bytes <= freeBytes }

  mutating func reserve(_ room: Reservation) {
    reservedLines += room.lines
    reservedBytes += room.bytes
  }

  mutating func release(_ room: Reservation) {
    reservedLines -= room.lines
    reservedBytes -= room.bytes
  }

  mutating func add(_ line: String) {
    if lines > 0 { text += "\n" }
    text += line
    lines += 1
  }

  /// The text, cut if the limits are too small even for the reserved lines.
  consuming func finished() -> String {
    guard text.utf8.count > limits.bytes || lines > limits.lines else { return text }
    let kept = text.split(separator: "\n", omittingEmptySubsequences: false)
      .prefix(limits.lines).joined(separator: "\n")
    return String(kept.unicodeScalars.prefix(fitting: max(0, limits.bytes)))
  }
}

/// Space that is reserved in a `BoundedText`.
struct Reservation {
  var lines = 0
  var bytes = 0

  /// The space of one line and its line break.
  static func line(_ text: String) -> Reservation {
    Reservation(lines: 1, bytes: text.utf8.count + 1)
  }

  static func + (a: Reservation, b: Reservation) -> Reservation {
    Reservation(lines: a.lines + b.lines, bytes: a.bytes + b.bytes)
  }
}
