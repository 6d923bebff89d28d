/// Lines that are printed one after another above a prompt, and wrapped between words.
package struct Scroll {
  // More than a window shows.
  private static let limit = 500

  /// The latest lines, before they were wrapped.
  private var lines: [String] = []
  private var prompt: Prompt?
  private var columns = 0

  package init() {}

  /// The bytes that print lines and draw the prompt below them.
  ///
  /// If the window has another width than before, the lines in the window are wrapped again.
  package mutating func bytes(
    printing new: [String] = [], above prompt: Prompt, columns: Int, rows: Int
  ) -> String {
    let new = new.map(\.printable)
    let visible = columns == self.columns ? [] : visible(columns: columns, rows: rows)
    let frame = Frame(above: Self.wrap(visible + new, columns), prompt: prompt)
    let last = self.prompt.map { Frame(above: Self.wrap(visible, self.columns), prompt: $0) }
    lines = (lines + new).suffix(Self.limit)
    self.prompt = prompt
    self.columns = columns
    return frame.bytes(over: last, columns: columns)
  }

  /// The lines of which the window shows a part after it has got this size.
  private func visible(columns: Int, rows: Int) -> [String] {
    var count = 0
    var height = 1
    for line in lines.reversed() where height < rows {
      count += 1
      height += Self.wrap([line], self.columns).reduce(0) { $0 + $1.rows(columns: columns) }
    }
    return lines.suffix(count)
  }

  // The last column remains free, as in `Prompt`.
  private static func wrap(_ lines: [String], _ columns: Int) -> [String] {
    lines.flatMap { $0.wrapped(columns: columns - 1) }
  }
}
