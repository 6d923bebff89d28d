/// Formats a value and its contents as readable text.
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
/// Objects are numbered, as in ` #1`, and written once. Objects are read on the caller's thread, so
/// they must not change on another thread at the same time. Actors and functions appear by their
/// type only. A type that is `CustomDebugStringConvertible` describes itself, unless it contains
/// something `@Redacted` (D4). Sets and dictionaries are sorted. No value overflows the stack (D3).
public enum Dump {
  /// Formats a value, on one line if it is short.
  ///
  /// - Parameters:
  ///   - value: any value.
  ///   - limits: the largest size of the text. Omitted parts are counted.
  /// - Returns: the text, without a line break at its end.
  public static func string(of value: Any, limits: Limits = .standard) -> String {
    string(of: value, limits: limits, redaction: .current)
  }

  package static func string(of value: Any, limits: Limits, redaction: Redaction) -> String {
    TreeFormatter.text(of: value, limits, redaction)
  }

  /// A line for a value that is redacted or contains something redacted; `nil` for other values.
  package static func veiled(_ value: Any, _ cursor: RedactionCursor? = nil) -> String? {
    let cursor = cursor ?? RedactionCursor(at: value)
    guard cursor.isHidden || cursor.leadsOn || RedactionSearch.isIn(value, cursor) else {
      return nil
    }
    return InlineFormatter.line(of: value, cursor, room: 400)
  }

  /// The description that the language gives a value, unless something in it is redacted (D4).
  package static func description(of value: Any) -> String { veiled(value) ?? "\(value)" }

  /// Whether a value is of a type whose texts the library makes, such as a number or a list.
  package static func isKnown(_ value: Any) -> Bool { value is any Presentable }

  package static func isKnown(type: Any.Type) -> Bool { type is any Presentable.Type }

  /// Whether a value is shown without parts, like a number, a text or a date.
  package static func isWhole(_ value: Any) -> Bool {
    guard let known = value as? any Presentable else { return false }
    if case .parts = known.shape { return false }
    return true
  }
}
