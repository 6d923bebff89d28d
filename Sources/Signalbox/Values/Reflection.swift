/// Finds the shape of values that are not `Presentable`, by reflection.
enum Reflection {
  static func shape(at value: Any, _ mirror: Mirror, _ cursor: RedactionCursor) -> ValueShape {
    switch mirror.displayStyle {
    case .tuple: return .parts(ValueParts("", .fields(fields(mirror, cursor))))
    case .enum where !(value is any CustomReflectable): return enumCase(value, mirror, cursor)
    case .none where mirror.children.isEmpty: return opaque(value)
    default: break
    }
    guard type(of: value) is AnyClass else {
      let fields = fields(mirror, cursor)
      if fields.isEmpty, let text = ownText(value) { return .leaf(text) }
      return .parts(ValueParts(typeName(value), .fields(fields)))
    }
    let object = ObjectIdentifier(value as AnyObject)
    // The contents of an actor must not be read here.
    if value is any Actor {
      return .parts(ValueParts(typeName(value), .fields([]), object: object))
    }
    return .parts(ValueParts(typeName(value), .fields(fields(mirror, cursor)), object: object))
  }

  private static func opaque(_ value: Any) -> ValueShape {
    if let type = value as? any Any.Type { return .leaf("\(type).self") }
    // A function. Two functions of the same type cannot be told apart.
    return .leaf(ownText(value) ?? typeName(value))
  }

  private static func ownText(_ value: Any) -> String? {
    (value as? any CustomStringConvertible)?.description
  }

  private static func enumCase(_ value: Any, _ mirror: Mirror, _ cursor: RedactionCursor)
    -> ValueShape
  {
    let type = typeName(value)
    guard let child = mirror.children.first, let name = child.label else {
      let text = String(describing: value)
      if text.hasPrefix(type + "(") { return .leaf(text) }
      // A custom description may differ from the name of the case.
      return .leaf(value is any CustomStringConvertible ? "\(type)(\(text))" : "\(type).\(text)")
    }
    let payload = Mirror(reflecting: child.value)
    let fields: [Field]
    if cursor.into(name, child.value).isHidden {
      fields = [Field(key: .none, value: Redacted(wrappedValue: child.value))]
    } else if payload.displayStyle == .tuple {
      fields = self.fields(payload, cursor)
    } else {
      fields = [Field(key: .none, value: child.value)]
    }
    return .parts(ValueParts("\(type).\(name)", .fields(fields), caseName: name))
  }

  /// The stored properties, with the properties of superclasses first.
  private static func fields(_ mirror: Mirror, _ cursor: RedactionCursor) -> [Field] {
    var fields: [Field] = []
    for mirror in mirror.levels {
      let isObservable = mirror.children.contains { $0.label == "_$observationRegistrar" }
      var own: [Field] = []
      for child in mirror.children where child.label != "_$observationRegistrar" {
        own += field(child, isObservable: isObservable, cursor)
      }
      fields = own + fields
    }
    return fields
  }

  private static func field(
    _ child: (label: String?, value: Any), isObservable: Bool, _ cursor: RedactionCursor
  ) -> [Field] {
    guard let label = child.label else { return [Field(key: .none, value: child.value)] }
    // A mirror calls the elements of a tuple without labels `.0`, `.1` and so on.
    if label.hasPrefix(".") {
      let key = Int(label.dropFirst()).map { PartKey.position($0) } ?? .none
      return [Field(key: key, value: child.value)]
    }
    let lazyPrefix = "$__lazy_storage_$_"
    if label.hasPrefix(lazyPrefix) {
      return [Field(key: .name(String(label.dropFirst(lazyPrefix.count))), value: child.value)]
    }
    // Under another name, a redacted path that leads here would not be found.
    guard label.hasPrefix("_"), label.count > 1, !cursor.leads(to: label, child.value) else {
      return [Field(key: .name(label), value: child.value)]
    }
    let name = String(label.dropFirst())
    if isObservable || child.value is any RedactedValue {
      return [Field(key: .name(name), value: child.value)]
    }
    return wrapped(label, name, child.value) ?? [Field(key: .name(label), value: child.value)]
  }

  /// The property that a wrapper wraps, which only the names of its stored properties tell.
  private static func wrapped(_ label: String, _ name: String, _ wrapper: Any) -> [Field]? {
    if wrapper is any Presentable { return nil }
    let mirror = Mirror(reflecting: wrapper)
    guard mirror.displayStyle == .struct || mirror.displayStyle == .class,
      !(wrapper is any CustomReflectable)
    else { return nil }
    let parts = Array(mirror.children)
    if parts.count == 1 { return [Field(key: .name(name), value: parts[0].value)] }
    guard parts.contains(where: { $0.label == "wrappedValue" }) else { return nil }
    return parts.map { part in
      guard let inner = part.label, inner != "wrappedValue" else {
        return Field(key: .name(name), value: part.value)
      }
      return Field(key: .name("\(label).\(inner)"), value: part.value, isMinor: true)
    }
  }
}
