import Foundation

/// Finds what differs between two strings or between the bytes of two `Data` values.
enum TextEdits {
  /// The number of elements that are shown on each side of a difference.
  private static let context = 24
  /// The length in bytes up to which texts are shown whole.
  private static let short = 160

  static func areLong(_ old: String, _ new: String) -> Bool {
    max(old.utf8.count, new.utf8.count) > short
  }

  static func kind(from old: String, to new: String, _ limits: Limits) -> Change.Kind {
    let oldLines = lines(old)
    let newLines = lines(new)
    if oldLines.count > 1 || newLines.count > 1 {
      let edits = edits(from: oldLines, to: newLines, limits.lines)
      if !replaceOneLongLine(edits) { return .lines(edits) }
    }
    let (old, new) = windows(from: old, to: new, limits)
    return .retold(old, new)
  }

  /// Whether the edits replace one line, in which the difference may be anywhere.
  private static func replaceOneLongLine(_ edits: [Change.LineEdit]) -> Bool {
    guard let index = edits.firstIndex(where: { if case .unchanged = $0 { false } else { true } }),
      case .removed(let old) = edits[index], index + 1 < edits.count,
      case .inserted(let new) = edits[index + 1], edits.count <= index + 3
    else { return false }
    return areLong(old, new)
  }

  private static func lines(_ text: String) -> [Substring] {
    text.utf8.split(separator: 10, omittingEmptySubsequences: false).map { Substring($0) }
  }

  /// The edits of lines, of which about `most` are kept between two unchanged ones.
  private static func edits(
    from old: [Substring], to new: [Substring], _ most: Int
  ) -> [Change.LineEdit] {
    let (head, tail) = old.commonEnds(with: new, by: ==)
    let alignment = Alignment(
      head..<old.count - tail, head..<new.count - tail, .hashing({ old[$0] }, { new[$0] }),
      isMoving: false)
    var edits: [Change.LineEdit] = []
    var unchanged = head
    for step in alignment.steps {
      guard case .gap(let removed, let inserted) = step else {
        unchanged += 1
        continue
      }
      if unchanged > 0 { edits.append(.unchanged(unchanged)) }
      unchanged = 0
      // Half of the lines are for those that replace others.
      let room = max(1, removed.isEmpty || inserted.isEmpty ? most : most / 2)
      edits += removed.prefix(room).map { .removed(String(old[$0])) }
      edits += inserted.prefix(room).map { .inserted(String(new[$0])) }
      let more = max(0, removed.count - room) + max(0, inserted.count - room)
      if more > 0 { edits.append(.more(more)) }
    }
    unchanged += tail
    if unchanged > 0 { edits.append(.unchanged(unchanged)) }
    return edits
  }

  private static func windows(
    from old: String, to new: String, _ limits: Limits
  ) -> (String, String) {
    guard areLong(old, new) else {
      return (Quoting.quoted(old), Quoting.quoted(new))
    }
    // Bytes are compared much faster than characters.
    let (head, tail) = old.utf8.commonEnds(with: new.utf8, by: ==)
    let from = old.utf8.index(old.startIndex, offsetBy: head)
    let to = old.utf8.index(old.endIndex, offsetBy: -tail)
    // Unlike `index(before:)`, these may begin inside a character.
    let start = old.index(from, offsetBy: -context, limitedBy: old.startIndex) ?? old.startIndex
    let end = old.index(to, offsetBy: context, limitedBy: old.endIndex) ?? old.endIndex
    let unchanged = (old[..<start].count, old[end...].count)
    let (before, after) = (old[..<start].utf8.count, old[end...].utf8.count)
    let room = limits.bytes == .max ? .max : max(short, limits.bytes / 4 - short)
    func window(_ text: String) -> String {
      let shown = text.utf8.dropFirst(before).dropLast(after)
      return framed(unchanged) { Quoting.quoted(String(Substring(shown)), room: room) }
    }
    return (window(old), window(new))
  }

  static func windows(from old: Data, to new: Data) -> (String, String) {
    let old = Array(old)
    let new = Array(new)
    let isLong = max(old.count, new.count) > short / 2
    let same = isLong ? old.commonEnds(with: new, by: ==) : (0, 0)
    let (head, tail) = (max(0, same.0 - context), max(0, same.1 - context))
    func window(_ bytes: [UInt8]) -> String {
      let text = framed((head, tail)) { Quoting.hex(Data(bytes[head..<bytes.count - tail])) }
      return "Data(\(text))"
    }
    return (window(old), window(new))
  }

  private static func framed(_ unchanged: (Int, Int), _ text: () -> String) -> String {
    var result = text()
    if unchanged.0 > 0 { result = "… \(unchanged.0) unchanged, " + result }
    if unchanged.1 > 0 { result += ", … \(unchanged.1) unchanged" }
    return result
  }
}

extension BidirectionalCollection {
  /// The number of same elements at the start, and then at the end.
  package func commonEnds(
    with other: Self, by areSame: @escaping (Element, Element) -> Bool
  ) -> (head: Int, tail: Int) {
    func count(_ pairs: some Sequence<(Element, Element)>) -> Int {
      pairs.lazy.prefix { areSame($0, $1) }.reduce(0) { count, _ in count + 1 }
    }
    let head = count(zip(self, other))
    return (head, count(zip(dropFirst(head).reversed(), other.dropFirst(head).reversed())))
  }
}
