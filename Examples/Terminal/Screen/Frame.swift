/// What a program draws: the prompt, which has the cursor, and the lines above and below it.
package struct Frame: Equatable {
  package var above: [String]
  package var prompt: Prompt
  package var below: [String]

  package init(above: [String] = [], prompt: Prompt, below: [String] = []) {
    self.above = above
    self.prompt = prompt
    self.below = below
  }

  /// The bytes that draw the frame over the last one, which the cursor is in.
  ///
  /// Each line must be narrower than the window, and the window must have a row for each line. The
  /// bytes overwrite the old text before they clear the rest, so that nothing flickers.
  package func bytes(over last: Frame?, columns: Int) -> String {
    let rows = last?.rowsAboveCursor(columns: columns) ?? 0
    return "\r" + (rows > 0 ? "\u{1B}[\(rows)A" : "")
      + above.map { "\($0)\u{1B}[K\n" }.joined() + prompt.bytes(above: below)
  }

  /// The number of rows above the cursor after the window has got this width.
  ///
  /// Terminals wrap the lines that have become too long. A terminal that cuts them has fewer rows
  /// then, so the next frame may also cover lines above this one.
  package func rowsAboveCursor(columns: Int) -> Int {
    above.reduce(prompt.cursorColumn / columns) { $0 + $1.rows(columns: columns) }
  }
}
