/// A text that keeps within limits (D3).
///
/// Whoever opens a bracket reserves the lines that it takes to say what is left out and to close
/// it, so that those always fit.
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

  /// The text, cut where not even what was reserved fits.
  consuming func finished() -> String {
    guard text.utf8.count > limits.bytes || lines > limits.lines else { return text }
    let kept = text.split(separator: "\n", omittingEmptySubsequences: false)
      .prefix(limits.lines).joined(separator: "\n")
    return String(kept.unicodeScalars.prefix(fitting: max(0, limits.bytes)))
  }
}

/// How much of a page something takes.
struct Reservation {
  var lines = 0
  var bytes = 0

  /// One line, with its break.
  static func line(_ text: String) -> Reservation {
    Reservation(lines: 1, bytes: text.utf8.count + 1)
  }

  static func + (a: Reservation, b: Reservation) -> Reservation {
    Reservation(lines: a.lines + b.lines, bytes: a.bytes + b.bytes)
  }
}
