/// Writes down what a value holds, for reading.
///
///     Dump.string(of: state)
///     // ChatState(
///     //   user: User(name: "ann", token: <redacted>, email: nil)
///     //   messages: [
///     //     [0]: Message(id: 0, text: "hello", status: Status.sent)
///     //     [1]: Message(id: 1, text: "are you there?", status: Status.failed(reason: "offline"))
///     //   ]
///     //   selected: nil
///     // )
///
/// Objects are numbered, ` #1`, and written once; what they hold is read where it is written, so
/// an object must not change meanwhile on another thread. Actors and functions are named and not
/// looked into. A type that is `CustomDebugStringConvertible` describes itself, unless it holds
/// something `@Redacted` (D4). Sets and dictionaries are sorted. Nothing overflows the stack (D3).
public enum Dump {
  /// Writes a value down, on one line if it is short.
  ///
  /// - Parameters:
  ///   - value: anything.
  ///   - limits: how much is written; what is left out is counted.
  /// - Returns: the text, without a line break at its end.
  public static func string(of value: Any, limits: Limits = .standard) -> String {
    string(of: value, limits: limits, redaction: .current)
  }

  package static func string(of value: Any, limits: Limits, redaction: Redaction) -> String {
    TreeFormatter.text(of: value, limits, redaction)
  }

  /// A line for a value in which something is not to be shown; `nil` if all of it is.
  package static func veiled(_ value: Any, _ cursor: RedactionCursor? = nil) -> String? {
    let cursor = cursor ?? RedactionCursor(at: value)
    guard
      cursor.isHidden || cursor.leadsOn
        || RedactionSearch.isIn(value, cursor)
    else { return nil }
    var inline = InlineFormatter()
    return inline.clipped(value, cursor, room: 400)
  }

  /// A value in a sentence: as the language writes it, unless something in it is redacted (D4).
  package static func description(of value: Any) -> String { veiled(value) ?? "\(value)" }

  /// Whether a value is written as what it is, and has no parts: a number, a text, a date.
  package static func isWhole(_ value: Any) -> Bool {
    guard let known = value as? any Presentable else { return false }
    if case .parts = known.shape { return false }
    return true
  }

  /// Whether a value is `@Redacted`.
  package static func isRedacted(_ value: Any) -> Bool { value is any RedactedValue }
}
