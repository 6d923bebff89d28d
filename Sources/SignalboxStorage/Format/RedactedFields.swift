import Signalbox

/// Finds out whether a key path may lead to a `@Redacted` property (P2).
///
/// `\.token` of `@Redacted var token` is a computed property, whose key path does not say what it
/// reads. A computed property therefore counts as redacted if its type has a stored `Redacted` of
/// the same value.
enum RedactedFields {
  /// Whether a key path may lead to a redacted value, or to one that contains such a value.
  static func mayMeet<Value>(_ keyPath: AnyKeyPath, _ value: Value.Type) -> Bool {
    if containsRedacted(Value.self) { return true }
    // The text looks like "\State.user.<computed 0x1 (String)>".
    let text = keyPath.debugDescription
    guard let computed = text.firstRange(of: "<computed") else { return false }
    var type: Any.Type = Swift.type(of: keyPath).rootType
    let root = "\\" + String(describing: type)
    let path = text.hasPrefix(root) ? text[..<computed.lowerBound].dropFirst(root.count) : ""
    for name in path.split(separator: ".") {
      let field = fields(of: type).first { $0.name == name.filter { $0 != "?" && $0 != "!" } }
      guard let field else { break }
      type = (field.type as? any AnyOptional.Type)?.wrappedType ?? field.type
    }
    return fields(of: type).contains { $0.type == Redacted<Value>.self }
  }

  /// Whether a type is redacted, or has a redacted property at any depth.
  private static func containsRedacted(_ type: Any.Type) -> Bool {
    var ahead: [Any.Type] = [type]
    var met: Set<ObjectIdentifier> = []
    while let type = ahead.popLast() {
      if type is any RedactedType.Type { return true }
      if let optional = type as? any AnyOptional.Type { ahead.append(optional.wrappedType) }
      // Not into objects and enums. Encoding one finds what it redacts.
      if met.insert(ObjectIdentifier(type)).inserted { ahead += fields(of: type).map(\.type) }
    }
    return false
  }

  private static func fields(of type: Any.Type) -> [StoredTypes.Slot] {
    StoredTypes.fields(of: type) ?? []
  }
}

private protocol RedactedType {}
extension Redacted: RedactedType {}
