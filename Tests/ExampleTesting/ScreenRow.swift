import Terminal

/// A row of a terminal.
struct ScreenRow: Sendable {
  enum Cell: Equatable, Sendable {
    case blank
    case shown(Character, isInverse: Bool)
    /// The second column of a wide character.
    case rest
  }

  /// The cells up to the last one that was written.
  var cells: [Cell] = []
  /// Whether the next row continues the text.
  var isContinued = false

  /// Adds a scalar to the character before a column, such as an accent or a part of an emoji.
  ///
  /// Returns `false` if the two are no single character.
  mutating func join(_ scalar: Unicode.Scalar, before column: Int) -> Bool {
    guard let index = cells.prefix(column).lastIndex(where: { $0 != .rest }),
      index + 1 == column || cells[index + 1] == .rest,
      case .shown(let character, let isInverse) = cells[index]
    else { return false }
    let joined = String(character) + String(scalar)
    guard joined.count == 1, let character = joined.first else { return false }
    cells[index] = .shown(character, isInverse: isInverse)
    return true
  }

  mutating func write(_ character: Character, isInverse: Bool, at column: Int) {
    let new: [Cell] =
      [.shown(character, isInverse: isInverse)]
      + Array(repeating: .rest, count: max(0, character.columns - 1))
    while cells.count < column + new.count { cells.append(.blank) }
    cells.replaceSubrange(column..<column + new.count, with: new)
  }

  mutating func clear(from column: Int) {
    cells.removeLast(max(0, cells.count - column))
    isContinued = false
  }

  /// The row in rows of another width.
  func split(columns: Int) -> [ScreenRow] {
    var rows = [ScreenRow()]
    var rest = cells[...]
    while !rest.isEmpty {
      var length = min(columns, rest.count)
      // A wide character is not cut.
      if length < rest.count, rest[rest.startIndex + length] == .rest { length -= 1 }
      rows[rows.count - 1].cells = Array(rest.prefix(length))
      rest = rest.dropFirst(length)
      if rest.isEmpty { break }
      rows[rows.count - 1].isContinued = true
      rows.append(ScreenRow())
    }
    return rows
  }

  /// The text without the space behind it, and the cursor if it is in this row.
  func text(cursor: Int?) -> String {
    var text = ""
    var isInverse = false
    let width = max(cells.count, cursor ?? 0)
    for column in 0...width {
      let cell = column < cells.count ? cells[column] : .blank
      if case .shown(_, let isNext) = cell, isNext != isInverse {
        isInverse = isNext
        text += isNext ? "«" : "»"
      } else if cell == .blank, isInverse {
        isInverse = false
        text += "»"
      }
      if column == cursor { text += "▏" }
      switch cell {
      case .shown(let character, _): text.append(character)
      case .blank: text += " "
      case .rest: break
      }
    }
    while text.last == " " { text.removeLast() }
    return text
  }
}
