import Signalbox

/// Finds out whether a key path may lead to a `@Redacted` property (P2).
///
/// `\.token` of `@Redacted var token` is a computed property, whose key path does not say what it
/// reads. A computed property therefore counts as redacted if its type has a stored `Redacted` of
/// the same value.
enum RedactedFields {
  /// Whether a key path may lead to a redacted value, or to one that contains such a value.
  static func mayMeet<Value>(_ keyPath: AnyKeyPath, _ value: Value.Type) -> Bool {
    if contains(Redacted<Value>.self, orAnyRedactedIn: Value.self) { return true }
    // The text looks like "\State.user.<computed 0x1 (String)>".
    let text = keyPath.debugDescription
    guard let computed = text.firstRange(of: "<computed") else { return false }
    var type: Any.Type = Swift.type(of: keyPath).rootType
    let root = "\\" + String(describing: type)
    guard text.hasPrefix(root) else { return hasField(of: Redacted<Value>.self, in: type) }
    for name in text[..<computed.lowerBound].dropFirst(root.count).split(separator: ".") {
      let field = fields(of: type).first { $0.name == name.filter { $0 != "?" && $0 != "!" } }
      guard let field else { break }
      type = (field.type as? any OptionalType.Type)?.wrapped ?? field.type
    }
    return hasField(of: Redacted<Value>.self, in: type)
  }

  private static func hasField(of wanted: Any.Type, in type: Any.Type) -> Bool {
    fields(of: type).contains { $0.type == wanted }
  }

  /// Whether a type is redacted, or has a redacted property at any depth.
  private static func contains(_ own: Any.Type, orAnyRedactedIn type: Any.Type) -> Bool {
    var ahead: [Any.Type] = [type]
    var met: Set<ObjectIdentifier> = []
    while let type = ahead.popLast() {
      if type is any RedactedType.Type { return true }
      if let optional = type as? any OptionalType.Type { ahead.append(optional.wrapped) }
      guard met.insert(ObjectIdentifier(type)).inserted else { continue }
      // Not into objects, which may be of another language. Encoding one finds what it redacts.
      if !(type is AnyClass) { ahead += fields(of: type).map(\.type) }
    }
    return false
  }

  /// The stored properties of a struct or a class, with their names.
  private static func fields(of type: Any.Type) -> [(name: String, type: Any.Type)] {
    // An enum must not be asked. The runtime would look at a value that is not there.
    guard type is AnyClass || isStruct(type) else { return [] }
    return (0..<fieldCount(type)).map { index in
      var metadata = unsafe FieldMetadata()
      let field = unsafe fieldType(type, index, &metadata)
      defer { unsafe metadata.release?(metadata.name) }
      return (unsafe metadata.name.map { unsafe String(cString: $0) } ?? "", field)
    }
  }

  /// Whether the first word of the type's metadata, its kind, says that it is a struct.
  private static func isStruct(_ type: Any.Type) -> Bool {
    unsafe unsafeBitCast(type, to: UnsafePointer<UInt>.self).pointee == 0x200
  }
}

/// Any `Redacted` type.
private protocol RedactedType {}
extension Redacted: RedactedType {}

/// Any optional type.
private protocol OptionalType {
  static var wrapped: Any.Type { get }
}

extension Optional: OptionalType {
  static var wrapped: Any.Type { Wrapped.self }
}

/// What the runtime tells about a field beside its type.
@unsafe private struct FieldMetadata {
  var name: UnsafePointer<CChar>?
  var release: (@convention(c) (UnsafePointer<CChar>?) -> Void)?
  var isStrong = false
  var isVar = false
}

// The functions that `Mirror` itself calls. `Mirror` needs a value, and there is none yet when a
// property is named.
@_silgen_name("swift_reflectionMirror_recursiveCount")
private func fieldCount(_ type: Any.Type) -> Int

@_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
private func fieldType(
  _ type: Any.Type, _ index: Int, _ metadata: UnsafeMutablePointer<FieldMetadata>
) -> Any.Type
