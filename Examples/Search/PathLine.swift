import Terminal

/// A path on a line, with the part of its name that matches.
struct PathLine: Equatable {
  private(set) var before: String
  private(set) var match: String
  private(set) var after: String

  /// - Parameters:
  ///   - path: the path. It is cut at the start if it is too long, because its end tells more.
  ///   - filter: selects the part of the name.
  ///   - columns: the width of the line.
  init(_ path: String, filter: NameFilter, columns: Int) {
    let name = path.lastIndex(of: "/").map { path[$0...].dropFirst() } ?? path[...]
    let range = filter.range(in: name) ?? path.endIndex..<path.endIndex
    before = String(path[..<range.lowerBound]).printable
    match = String(path[range]).printable
    after = String(path[range.upperBound...]).printable
    guard text.columns > columns else { return }
    var left = columns - 1
    after = Self.end(of: after, columns: &left)
    match = Self.end(of: match, columns: &left)
    before = "…" + Self.end(of: before, columns: &left)
  }

  var text: String { before + match + after }

  /// The text, with the match in inverse letters.
  var bytes: String {
    match.isEmpty ? text : "\(before)\u{1B}[7m\(match)\u{1B}[27m\(after)"
  }

  /// Takes the end that fits; after a cut, no columns are left.
  private static func end(of text: String, columns: inout Int) -> String {
    let end = text.suffix(columns: columns)
    columns = end.startIndex == text.startIndex ? columns - end.columns : 0
    return String(end)
  }
}
