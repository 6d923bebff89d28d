import Signalbox

/// The Swift source with which a statement makes a value (T11).
enum SourceCode {
  /// The source of a value; `nil` if there is none, if it is long, or if something in it is redacted.
  ///
  /// A value that is only a text, such as a date or a UUID, has none: a test hardly ever names it.
  static func text(
    of value: Any, _ cursor: RedactionCursor? = nil, isTyped: Bool = false,
    room: Int = SourceChanges.long
  ) -> String? {
    var parts = room
    let tree = ValueTree(
      followed: value, cursor ?? RedactionCursor(at: value), depth: 0, room: &parts)
    let isTyped = isTyped || isUntyped(value)
    guard !tree.holdsText, let text = SourceLiterals().source(of: tree, isTyped: isTyped),
      text.utf8.count <= room
    else { return nil }
    return text
  }

  /// Whether a property that holds a value may have a type without the members of the value's type.
  private static func isUntyped(_ value: Any) -> Bool {
    guard let core = OptionalUnwrapping.core(of: value) else { return false }
    return !RuntimeEquality.exists(for: type(of: core))
  }

  /// Whether a property has another type than its value, such as `any Shape`.
  static func isErased(_ name: String, of owner: Any?, holding value: Any?) -> Bool {
    guard let owner, let value = value.flatMap({ OptionalUnwrapping.core(of: $0) }),
      var type = StoredTypes.fields(of: type(of: owner))?.first(where: { $0.name == name })?.type
    else { return false }
    while let optional = type as? any AnyOptional.Type { type = optional.wrappedType }
    return type != Swift.type(of: value)
  }

  /// Whether a text would mean a case of the optional that it is assigned to.
  static func meansOptional(_ text: String) -> Bool {
    text == "nil" || [".none", ".some"].contains { text == $0 || text.hasPrefix($0 + "(") }
  }

  static func isIdentifier(_ name: String) -> Bool {
    guard let first = name.first, first.isLetter || first == "_",
      !SourceLiterals.reserved.contains(name)
    else { return false }
    return name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
  }
}

extension ValueTree {
  /// The types whose texts say all that a statement would.
  private static let plain: Set = [
    "CGFloat", "Character", "ClosedRange<Int>", "Duration", "Range<Int>", "Unicode.Scalar",
  ]

  fileprivate var holdsText: Bool {
    switch self {
    case .text(let type, _): !Self.plain.contains(type)
    case .list(_, let trees), .set(let trees): trees.contains(where: \.holdsText)
    case .dictionary(let entries): entries.contains { $0.key.holdsText || $0.value.holdsText }
    case .record(let record): record.fields.contains(where: \.value.holdsText)
    case .some(let inner): inner.holdsText
    case .null, .bool, .integer, .number, .string, .redacted, .omitted: false
    }
  }
}

extension SourceFormatter {
  /// The value as Swift source that compiles; `nil` where `SourceCode` has none.
  package static func code(of value: Any) -> String? { SourceCode.text(of: value) }

  /// The same for a message to a store, which has no source if it was made of something redacted (D6).
  package static func code(ofMessage message: Any) -> String? {
    code(of: Redaction.shown(message: message))
  }
}
