import Foundation

/// Finds what differs between two strings or between the bytes of two `Data` values.
enum TextEdits {
  /// The number of elements that are shown on each side of a difference.
  private static let context = 24
  /// The length in bytes up to which texts are shown whole.
  private static let short = 160

  /// Whether the texts are too long to be shown whole.
  static func areLong(_ old: String, _ new: String) -> Bool {
    max(old.utf8.count, new.utf8.count) > short
  }

  static func kind(from old: String, to new: String) -> Change.Kind {
    let oldLines = lines(old)
    let newLines = lines(new)
    if oldLines.count > 1 || newLines.count > 1 {
      return .lines(edits(from: oldLines, to: newLines))
    }
    let (old, new) = windows(from: old, to: new)
    return .retold(old, new)
  }

  private static func lines(_ text: String) -> [Substring] {
    text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      .map { Substring($0) }
  }

  private static func edits(from old: [Substring], to new: [Substring]) -> [Change.LineEdit] {
    let head = zip(old, new).prefix { $0 == $1 }.count
    let tail = zip(old.dropFirst(head).reversed(), new.dropFirst(head).reversed())
      .prefix { $0 == $1 }.count
    let oldMiddle = Array(old[head..<old.count - tail])
    let newMiddle = Array(new[head..<new.count - tail])
    let alignment = Alignment(Keys(oldMiddle, newMiddle), isMoving: false)
    var edits: [Change.LineEdit] = []
    var unchanged = head
    for step in alignment.steps {
      guard case .gap(let removed, let inserted) = step else {
        unchanged += 1
        continue
      }
      if unchanged > 0 { edits.append(.unchanged(unchanged)) }
      unchanged = 0
      edits += removed.map { .removed(String(oldMiddle[$0])) }
      edits += inserted.map { .inserted(String(newMiddle[$0])) }
    }
    unchanged += tail
    if unchanged > 0 { edits.append(.unchanged(unchanged)) }
    return edits
  }

  private static func windows(from old: String, to new: String) -> (String, String) {
    guard areLong(old, new) else {
      return (Quoting.quoted(old), Quoting.quoted(new))
    }
    let old = Array(old)
    let new = Array(new)
    let (head, tail) = ends(old, new)
    func window(_ text: [Character]) -> String {
      framed(text.count, head, tail) { Quoting.quoted(String(text[$0])) }
    }
    return (window(old), window(new))
  }

  static func windows(from old: Data, to new: Data) -> (String, String) {
    let old = Array(old)
    let new = Array(new)
    let (head, tail) = max(old.count, new.count) > short / 2 ? ends(old, new) : (0, 0)
    func window(_ bytes: [UInt8]) -> String {
      let text = framed(bytes.count, head, tail) { Quoting.hex(Data(bytes[$0])) }
      return "Data(\(text))"
    }
    return (window(old), window(new))
  }

  private static func ends<E: Equatable>(_ old: [E], _ new: [E]) -> (Int, Int) {
    let head = zip(old, new).prefix { $0 == $1 }.count
    let tail = zip(old.dropFirst(head).reversed(), new.dropFirst(head).reversed())
      .prefix { $0 == $1 }.count
    return (max(0, head - context), max(0, tail - context))
  }

  private static func framed(
    _ count: Int, _ head: Int, _ tail: Int, _ text: (Range<Int>) -> String
  ) -> String {
    var result = text(head..<count - tail)
    if head > 0 { result = "… \(head) unchanged, " + result }
    if tail > 0 { result += ", … \(tail) unchanged" }
    return result
  }
}

/// Finds notes that tell apart two values whose texts are the same.
enum Distinction {
  static func between(
    _ old: Any, _ new: Any, _ cursors: (old: RedactionCursor, new: RedactionCursor)
  ) -> (String, String) {
    var oldBrief = InlineFormatter()
    var newBrief = InlineFormatter()
    let text = oldBrief.clipped(old, cursors.old, room: 1_000)
    guard text != Redaction.text, text == newBrief.clipped(new, cursors.new, room: 1_000)
    else { return ("", "") }
    let oldType = typeName(old)
    let newType = typeName(new)
    if oldType != newType { return (" as \(oldType)", " as \(newType)") }
    if type(of: old) != type(of: new) {
      return (
        " as \(String(reflecting: type(of: old)))", " as \(String(reflecting: type(of: new)))"
      )
    }
    // A value that does not fit may look different in the part that was cut.
    var inline = InlineFormatter()
    guard inline.whole(old, cursors.old, room: 1_000) != nil else { return ("", "") }
    return ("", " (not equal, though it looks the same)")
  }
}
