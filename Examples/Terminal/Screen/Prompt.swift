/// The line that is being edited: as much of it as fits, always with the cursor in it.
package struct Prompt: Equatable {
  package let text: String
  package let cursorColumn: Int

  package init(label: String, editor: LineEditor, columns: Int) {
    // The last column stays free: a terminal may wrap as soon as it is written to.
    let space = max(4, columns - 1 - label.columns)
    let head = editor.text[..<editor.cursor].suffix(columns: space)
    let used = head.columns
    let tail = editor.text[editor.cursor...].prefix(columns: space - used)
    cursorColumn = label.columns + used
    text = label + String(head + tail).printable
  }

  /// What draws it, with lines below it that must be narrower and fewer than the window.
  ///
  /// Written over what is there, and then the rest is cleared: nothing flickers.
  package func bytes(above lines: [String] = []) -> String {
    "\r\(text)" + lines.map { "\u{1B}[K\n\($0)" }.joined() + "\u{1B}[J\r"
      + (lines.isEmpty ? "" : "\u{1B}[\(lines.count)A")
      + (cursorColumn > 0 ? "\u{1B}[\(cursorColumn)C" : "")
  }
}
