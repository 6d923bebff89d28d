extension String {
  /// The text as lines of at most so many columns, which end between words.
  ///
  /// A word that is longer than a line is cut. All lines but the first are indented, so that a part
  /// of one text does not look like another text.
  package func wrapped(columns: Int) -> [String] {
    var lines: [String] = []
    var rest = self[...]
    while true {
      let indent = lines.isEmpty || columns < 8 ? "" : "  "
      let head = rest.fitting(columns: columns - indent.count)
      guard head.endIndex < rest.endIndex else {
        lines.append(indent + head)
        return lines
      }
      let end = rest[head.endIndex] == " " ? head.endIndex : head.lastIndex(of: " ")
      let line = rest[..<(end ?? head.endIndex)].dropLast { $0 == " " }
      // Spaces at the start are no place to break at, because they follow no word.
      let isWord = !line.isEmpty
      lines.append(indent + (isWord ? line : head))
      rest = rest[(isWord ? end ?? head.endIndex : head.endIndex)...].drop { $0 == " " }
      if rest.isEmpty { return lines }
    }
  }
}

extension Substring {
  /// The longest prefix that fits, or the first character if not even that fits.
  fileprivate func fitting(columns: Int) -> Substring {
    let head = prefix(columns: columns)
    return head.isEmpty ? prefix(1) : head
  }

  fileprivate func dropLast(while isDropped: (Character) -> Bool) -> Substring {
    var rest = self
    while let last = rest.last, isDropped(last) { rest.removeLast() }
    return rest
  }
}
