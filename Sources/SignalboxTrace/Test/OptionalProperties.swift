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

  mutating func note(_ edits: [ValueEdit], in state: ValueTree) {
    for edit in edits {
      let place = edit.path.lastIndex { if case .field = $0 { true } else { false } }
      var property = "."
      if let place, case .field(let label) = edit.path[place],
        case .record(let owner)? = state.part(at: edit.path[..<place])
      {
        property = Self.name(label, of: owner.type)
      }
      let isInside = edit.path.endIndex > (place ?? -1) + 1
      switch edit.change {
      case .replaced(let old, let new):
        note(old, in: property, isInside: isInside)
        note(new, in: property, isInside: isInside)
      case .inserted(let tree), .removed(let tree): note(tree, in: property, isInside: true)
      case .elements(let elements):
        for element in elements.inserted { note(element.value, in: property, isInside: true) }
      case .members(_, let inserted):
        for member in inserted { note(member, in: property, isInside: true) }
      case .text: break
      }
    }
  }
}

extension ValueTree {
  fileprivate func part(at path: some Collection<ValueEdit.Step>) -> ValueTree? {
    guard let step = path.first else { return self }
    let part: ValueTree? =
      switch (self, step) {
      case (.record(let record), .field(let label)):
        record.fields.first { $0.label == label }?.value
      case (.record(let record), .index(let index, _)):
        record.fields.indices.contains(index) ? record.fields[index].value : nil
      case (.list(_, let elements), .index(let index, _)):
        elements.indices.contains(index) ? elements[index] : nil
      case (.dictionary(let entries), .key(let key)): entries.first { $0.key == key }?.value
      default: nil
      }
    return part?.part(at: path.dropFirst())
  }
}
