/// The visible part of the line that is edited, which always contains the cursor.
package struct Prompt: Equatable {
  package let text: String
  package let cursorColumn: Int

  package init(label: String, editor: LineEditor, columns: Int) {
    // The last column remains free, because a terminal may wrap as soon as it is written to.
    let space = max(4, columns - 1 - label.columns)
    let head = editor.text[..<editor.cursor].suffix(columns: space)
    let used = head.columns
    let tail = editor.text[editor.cursor...].prefix(columns: space - used)
    cursorColumn = label.columns + used
    text = label + String(head + tail).printable
  }

  /// The bytes that draw the prompt and the lines below it.
  ///
  /// Each line must be narrower than the window, and there must be fewer lines than the window has
  /// rows. The bytes overwrite the old text before they clear the rest, so that nothing flickers.
  package func bytes(above lines: [String] = []) -> String {
    "\r\(text)" + lines.map { "\u{1B}[K\n\($0)" }.joined() + "\u{1B}[J\r"
      + (lines.isEmpty ? "" : "\u{1B}[\(lines.count)A")
      + (cursorColumn > 0 ? "\u{1B}[\(cursorColumn)C" : "")
  }
}
