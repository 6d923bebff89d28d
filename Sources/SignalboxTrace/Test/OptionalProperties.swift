internal import SignalboxInspection

/// The properties that were `nil` at some time, and so are optional.
struct OptionalProperties {
  private var names: Set<String> = []
  /// Those with optionals inside: in elements, in entries or in an optional.
  private var nested: Set<String> = []

  func contains(_ property: String, of type: String?) -> Bool {
    names.contains(Self.name(property, of: type))
  }

  /// Whether any type has an optional property of this name.
  func contains(_ property: String) -> Bool { names.contains { $0.hasSuffix(".\(property)") } }

  /// Whether no statement can change a part of the property, because an optional is on the way.
  func mustBeWhole(_ property: String, of type: String?) -> Bool {
    nested.contains(Self.name(property, of: type))
  }

  private static func name(_ property: String, of type: String?) -> String {
    "\(type ?? "").\(property)"
  }

  /// - Parameters:
  ///   - property: the innermost property that contains the value; a dot if there is none.
  ///   - isInside: whether the value is an element or an entry of it, or in its optional.
  mutating func note(_ tree: ValueTree, in property: String = ".", isInside: Bool = false) {
    switch tree {
    case .null where isInside: nested.insert(property)
    case .null: names.insert(property)
    case .record(let record):
      for field in record.fields {
        note(field.value, in: field.label.map { Self.name($0, of: record.type) } ?? ".")
      }
    case .list(_, let elements), .set(let elements):
      for element in elements { note(element, in: property, isInside: true) }
    case .dictionary(let entries):
      for entry in entries { note(entry.value, in: property, isInside: true) }
    case .some(let tree):
      nested.insert(property)
      note(tree, in: property, isInside: true)
    default: break
    }
  }
}
