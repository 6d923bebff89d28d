import Terminal

/// A terminal without a window, which shows what a person would see of a program.
///
/// It knows the sequences that the examples use. It shows any other one as text, which a comparison
/// then finds. Like most terminals, it wraps long lines again when its width changes.
package struct Screen: Sendable {
  package private(set) var columns: Int
  package private(set) var rows: Int
  // All rows so far. The window shows the rows from `top`.
  private var lines = [ScreenRow()]
  private var top = 0
  private var row = 0
  private var column = 0
  private var isInverse = false
  private var decoder = ScreenDecoder()

  package init(columns: Int = 80, rows: Int = 24) {
    self.columns = columns
    self.rows = rows
  }

  package mutating func show(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      switch decoder.decode(byte) {
      case .character(let scalar): write(scalar)
      case .control("\r"): column = 0
      case .control("\n"): moveDown()
      case .sequence(let text): obey(text)
      case .control(let scalar): write(String(Character(scalar)).printable)
      case nil: break
      }
    }
  }

  // MARK: Reading

  /// The text in the window without the space behind it, with ▏ before the cursor.
  ///
  /// Inverse text is between « and ».
  package var text: String {
    var shown = (top..<min(top + rows, lines.count)).map { number in
      lines[number].text(cursor: number == row ? column : nil)
    }
    while shown.last == "" { shown.removeLast() }
    return shown.joined(separator: "\n")
  }

  // MARK: Writing

  private mutating func write(_ text: String) {
    for scalar in text.unicodeScalars { write(scalar) }
  }

  private mutating func write(_ scalar: Unicode.Scalar) {
    if lines[row].join(scalar, before: column) { return }
    let character = Character(scalar)
    if column + character.columns > columns {
      lines[row].isContinued = true
      moveDown()
      column = 0
    }
    lines[row].write(character, isInverse: isInverse, at: column)
    column += character.columns
  }

  private mutating func moveDown() {
    row += 1
    if row == lines.count { lines.append(ScreenRow()) }
    top = max(top, row - rows + 1)
  }

  private mutating func obey(_ sequence: String) {
    let number = Int(sequence.dropFirst().dropLast()) ?? 1
    switch (sequence.last, sequence.dropFirst().dropLast()) {
    case ("A", _): row = max(top, row - number)
    case ("C", _): column = min(columns - 1, column + number)
    case ("K", ""): lines[row].clear(from: column)
    case ("J", ""):
      lines[row].clear(from: column)
      for below in lines.indices[(row + 1)...] { lines[below].clear(from: 0) }
    case ("m", "7"): isInverse = true
    case ("m", "27"): isInverse = false
    case ("h", "?2004"), ("l", "?2004"): break
    default: write("\\e\(sequence)")
    }
  }

  // MARK: Resizing

  /// Changes the size, and cuts the lines that are too long, as a few terminals do.
  package mutating func cut(columns: Int) {
    for index in lines.indices { lines[index].clear(from: columns) }
    column = min(column, columns - 1)
    self.columns = columns
  }

  /// Changes the size, and wraps the lines again, as terminals do.
  package mutating func resize(columns: Int, rows: Int) {
    let (old, oldRow) = (lines, row)
    lines = []
    var start = 0
    var newTop = 0
    while start < old.count {
      let end = (old[start...].firstIndex { !$0.isContinued } ?? old.count - 1) + 1
      if (start..<end).contains(top) { newTop = lines.count }
      let before = old[start..<min(max(start, oldRow), end)].reduce(0) { $0 + $1.cells.count }
      let whole = ScreenRow(cells: old[start..<end].flatMap(\.cells))
      let first = lines.count
      lines += whole.split(columns: columns)
      if (start..<end).contains(oldRow) {
        row = first + (before + column) / columns
        column = (before + column) % columns
        while row >= lines.count { lines.append(ScreenRow()) }
      }
      start = end
    }
    (self.columns, self.rows) = (columns, rows)
    let last = max(row, lines.lastIndex { !$0.cells.isEmpty } ?? 0)
    top = max(newTop, min(row, last - rows + 1))
  }
}
