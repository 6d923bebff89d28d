/// The line at the bottom: as much of the draft as fits, always with the cursor in it.
struct Prompt: Equatable {
  let text: String
  let cursorColumn: Int

  init(label: String, editor: LineEditor, columns: Int) {
    // The last column stays free: a terminal may wrap as soon as it is written to.
    let space = max(4, columns - 1 - label.columns)
    let cursor = editor.cursor
    var start = cursor
    var used = 0
    while start > editor.text.startIndex {
      let previous = editor.text.index(before: start)
      let width = editor.text[previous].columns
      if used + width > space { break }
      used += width
      start = previous
    }
    cursorColumn = label.columns + used
    var end = cursor
    while end < editor.text.endIndex {
      let width = editor.text[end].columns
      if used + width > space { break }
      used += width
      end = editor.text.index(after: end)
    }
    text = label + String(editor.text[start..<end]).printable
  }

  /// Written over what is there, and then the rest of the line is cleared: nothing flickers.
  var bytes: String {
    "\r\(text)\u{1B}[J\r" + (cursorColumn > 0 ? "\u{1B}[\(cursorColumn)C" : "")
  }
}

extension String {
  var columns: Int { reduce(0) { $0 + $1.columns } }
}

extension Character {
  /// How many columns a terminal gives it.
  var columns: Int {
    guard let first = unicodeScalars.first else { return 0 }
    if isASCII { return String(self).printable.utf8.count }
    let written = String(self).printable
    // Escaped, see `printable`.
    if written.utf8.first == UInt8(ascii: "\\") { return written.utf8.count }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    let isEmoji =
      first.properties.isEmojiPresentation || unicodeScalars.contains { $0.value == 0xFE0F }
    return isEmoji || Self.wide.contains { $0.contains(first.value) } ? 2 : 1
  }

  // East Asian Width "W" and "F", in whole blocks.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
    0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
    0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1B000...0x1B2FF, 0x1F200...0x1F2FF, 0x20000...0x3FFFD,
  ]
}
