import Signalbox

/// Finds out whether a key path may lead to a `@Redacted` property (P2).
///
/// The key path of a computed property, such as `\.token` of `@Redacted var token`, does not say
/// what it reads. So it counts as redacted if its type has a stored `Redacted` of the same value.
enum RedactedFields {
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

  /// Whether a type is redacted, or has a redacted property, element or payload at any depth.
  private static func containsRedacted(_ type: Any.Type) -> Bool {
    var ahead: [Any.Type] = [type]
    var met: Set<ObjectIdentifier> = []
    while let type = ahead.popLast() {
      if type is any RedactedValue.Type { return true }
      guard met.insert(ObjectIdentifier(type)).inserted else { continue }
      if let parts = Redaction.partTypes(of: type) {
        ahead += parts
      } else if !isFromSystem(type) {
        // An object of another language is of a type of the system.
        ahead += fields(of: type).map(\.type)
      }
    }
    return false
  }

  private static func fields(of type: Any.Type) -> [(name: String, type: Any.Type)] {
    // For an enum, the runtime would read a value that is not there. The first word of the metadata
    // is the kind, which is 0x200 for a struct.
    let isStruct = unsafe unsafeBitCast(type, to: UnsafePointer<UInt>.self).pointee == 0x200
    guard type is AnyClass || isStruct else { return [] }
    return (0..<fieldCount(type)).map { index in
      var metadata = unsafe FieldMetadata()
      let field = unsafe fieldType(type, index, &metadata)
      defer { unsafe metadata.release?(metadata.name) }
      return (unsafe metadata.name.map { unsafe String(cString: $0) } ?? "", field)
    }
  }
}

/// What the runtime tells about a field beside its type.
@unsafe private struct FieldMetadata {
  var name: UnsafePointer<CChar>?
  var release: (@convention(c) (UnsafePointer<CChar>?) -> Void)?
  var isStrong = false
  var isVar = false
}

// The functions that `Mirror` calls. `Mirror` itself needs a value, which a key path does not have.
@_silgen_name("swift_reflectionMirror_recursiveCount")
private func fieldCount(_ type: Any.Type) -> Int

@_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
private func fieldType(
  _ type: Any.Type, _ index: Int, _ metadata: UnsafeMutablePointer<FieldMetadata>
) -> Any.Type
