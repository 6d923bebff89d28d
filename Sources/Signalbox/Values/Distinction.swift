/// Finds notes that tell apart two values whose texts are the same.
enum Distinction {
  static func between(
    _ old: Any, _ new: Any, _ cursors: (old: RedactionCursor, new: RedactionCursor)
  ) -> (String, String) {
    var oldInline = InlineFormatter()
    var newInline = InlineFormatter()
    let text = oldInline.clipped(old, cursors.old, room: 1_000)
    guard text != Redaction.text, text == newInline.clipped(new, cursors.new, room: 1_000)
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
