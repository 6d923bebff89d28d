/// A line of text with a cursor in it.
package struct LineEditor: Equatable {
  // In bytes. A longer paste is cut, because it could be neither sent nor read.
  package static let limit = 64 << 10

  package private(set) var text: String
  /// The position of the cursor, counted from the end.
  ///
  /// So the cursor stays where it is when text that was sent is removed from the start.
  package private(set) var charactersBehindCursor: Int

  package init(_ text: String, charactersBehindCursor: Int = 0) {
    self.text = text
    self.charactersBehindCursor = charactersBehindCursor
  }

  /// The same line with a dot for each character.
  var dotted: LineEditor {
    LineEditor(
      String(repeating: "•", count: text.count), charactersBehindCursor: charactersBehindCursor)
  }

  package var cursor: String.Index {
    text.index(text.endIndex, offsetBy: -charactersBehindCursor, limitedBy: text.startIndex)
      ?? text.startIndex
  }

  /// Applies a key.
  ///
  /// Returns `false` if it changed nothing.
  @discardableResult
  package mutating func apply(_ key: Key) -> Bool {
    let before = self
    let cursor = cursor
    switch key {
    case .tab:
      return apply(.text(" "))
    case .text(let new):
      let tail = text[cursor...]
      let space = max(0, Self.limit - text.utf8.count)
      let fitting = new.utf8.count <= space ? new : Self.prefix(of: new, bytes: space)
      text = text[..<cursor] + fitting + tail
      charactersBehindCursor = tail.count
    case .backspace:
      if cursor > text.startIndex { text.remove(at: text.index(before: cursor)) }
    case .delete:
      if cursor < text.endIndex {
        text.remove(at: cursor)
        charactersBehindCursor -= 1
      }
    case .left:
      if cursor > text.startIndex { charactersBehindCursor += 1 }
    case .right:
      if cursor < text.endIndex { charactersBehindCursor -= 1 }
    case .home:
      charactersBehindCursor = text.count
    case .end:
      charactersBehindCursor = 0
    case .deleteToStart:
      text.removeSubrange(..<cursor)
    case .deleteToEnd:
      text.removeSubrange(cursor...)
      charactersBehindCursor = 0
    case .deleteWord:
      let head = text[..<cursor]
      let word = head.reversed().drop { $0.isWhitespace }.drop { !$0.isWhitespace }
      text.removeSubrange(word.startIndex.base..<cursor)
    case .enter, .backTab, .up, .down, .pageUp, .pageDown, .escape, .interrupt, .endOfInput,
      .suspend, .redraw:
      break
    }
    return self != before
  }

  private static func prefix(of text: String, bytes: Int) -> String {
    var length = 0
    return String(
      text.prefix {
        length += $0.utf8.count
        return length <= bytes
      })
  }
}
