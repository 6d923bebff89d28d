/// Redacts the places to which the library carries values from redacted places (D6).
extension Redaction {
  /// Redacts the property that such a value is written to or, without a name, what contains it.
  static func carry<Root, Value>(to keyPath: KeyPath<Root, Value>) {
    let (names, isWhole) = leadingNames(in: keyPath)
    // A `@Redacted` property is computed, and cannot be told from others of its type.
    let container = isWhole ? nil : StoredTypes.type(at: names, from: Root.self)
    let fields = container.flatMap { StoredTypes.parts(of: $0) } ?? []
    if fields.contains(where: { $0 == Redacted<Value>.self }) { return }
    change { $0.carry(to: Root.self, names) }
  }

  /// Whether a value can tell something of a redacted text, unlike a `Bool` or an enum of one byte.
  static func isHideable<Value>(_ type: Value.Type) -> Bool {
    guard MemoryLayout<Value>.size <= 1 else { return true }
    if type == Bool.self || MemoryLayout<Value>.size == 0 { return false }
    return !StoredTypes.isEnum(type)
  }

  /// Redacts all messages of the same case or, if it is not an enum, of the same type.
  static func carry(toMessage message: Any) {
    guard let message = OptionalUnwrapping.core(of: message) else { return }
    let mirror = Mirror(reflecting: message)
    let type = type(of: message)
    if mirror.displayStyle == .enum, !(message is any CustomReflectable) {
      // Without a payload, there is nothing to hide.
      if let name = mirror.children.first?.label { change { $0.carry(to: type, [name]) } }
    } else if isFromSystem(type) {
      // Other values of such a type must not be hidden.
      change { $0.hideMessages(type) }
    } else {
      change { $0.carry(to: type, []) }
    }
  }

  package static func shown(message: Any) -> Any {
    guard isInUse, let core = OptionalUnwrapping.core(of: message),
      current.hidesMessages(type(of: core))
    else { return message }
    return Redacted(wrappedValue: ())
  }
}
