internal import SignalboxInspection

/// The properties that were `nil` at some time, and so are optional.
struct OptionalProperties {
  private var names: Set<String> = []

  func contains(_ property: String, of type: String?) -> Bool {
    names.contains("\(type ?? "").\(property)")
  }

  /// Whether a type has such a property.
  func contains(_ property: String) -> Bool { names.contains { $0.hasSuffix(".\(property)") } }

  mutating func note(_ tree: ValueTree) {
    switch tree {
    case .record(let record):
      for field in record.fields {
        if case .null = field.value, let label = field.label {
          names.insert("\(record.type ?? "").\(label)")
        }
        note(field.value)
      }
    case .list(_, let elements), .set(let elements): for element in elements { note(element) }
    case .dictionary(let entries): for entry in entries { note(entry.value) }
    case .some(let tree): note(tree)
    default: break
    }
  }

  mutating func note(_ edits: [ValueEdit], in state: ValueTree) {
    for edit in edits {
      switch edit.change {
      case .replaced(let old, let new):
        note(old)
        note(new)
        guard old == .null || new == .null, case .field(let label)? = edit.path.last else { break }
        if case .record(let owner)? = state.part(at: edit.path.dropLast()) {
          names.insert("\(owner.type ?? "").\(label)")
        }
      case .inserted(let tree), .removed(let tree): note(tree)
      case .elements(let elements): for element in elements.inserted { note(element.value) }
      case .members(_, let inserted): for member in inserted { note(member) }
      case .text: break
      }
    }
  }
}

extension ValueTree {
  /// The part at the end of a path; `nil` if there is none.
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
