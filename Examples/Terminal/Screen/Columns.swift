extension StringProtocol {
  package var columns: Int { reduce(0) { $0 + $1.columns } }

  /// The number of rows that the line takes in a window of this width.
  package func rows(columns: Int) -> Int { 1 + Swift.max(0, self.columns - 1) / columns }

  /// The longest prefix that fits in a number of columns.
  package func prefix(columns: Int) -> SubSequence {
    var left = columns
    return prefix {
      left -= $0.columns
      return left >= 0
    }
  }

  /// The longest suffix that fits in a number of columns.
  package func suffix(columns: Int) -> SubSequence {
    var left = columns
    var start = endIndex
    while start > startIndex {
      let previous = index(before: start)
      left -= self[previous].columns
      if left < 0 { break }
      start = previous
    }
    return self[start...]
  }
}

extension Character {
  /// The number of columns that the character takes in a terminal.
  package var columns: Int {
    guard let first = unicodeScalars.first else { return 0 }
    if isASCII { return String(self).printable.utf8.count }
    let written = String(self).printable
    // `printable` has escaped the character.
    if written.utf8.first == UInt8(ascii: "\\") { return written.utf8.count }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    let isEmoji =
      first.properties.isEmojiPresentation || unicodeScalars.contains { $0.value == 0xFE0F }
    return isEmoji || Self.wide.contains { $0.contains(first.value) } ? 2 : 1
  }

  // Blocks whose characters have the East Asian Width "W" or "F".
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
    0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
    0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1B000...0x1B2FF, 0x1F200...0x1F2FF, 0x20000...0x3FFFD,
  ]
}
