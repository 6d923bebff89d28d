import Signalbox

/// Writes values as Swift source that compiles (T11).
///
///     .failed(code: 1, reason: "offline")
///     [Message(id: 0, text: "hello")]
///
/// Values for which there may be no such source have none: objects, functions, dates, UUIDs, types
/// with a mirror of their own, enum cases that describe themselves, and values with property
/// wrappers. Reflection does not tell whether an initializer or a property is private.
struct SourceCode {
  /// The number of bytes that are left.
  private var room: Int
  /// The number of levels that are left.
  private var levels = 16

  /// The source of a value; `nil` if there is none, or if it takes more than `room` bytes.
  static func text(of value: Any, room: Int = SourceChanges.long) -> String? {
    var code = SourceCode(room: room)
    guard let text = code.text(of: value), text.utf8.count <= room else { return nil }
    return text
  }

  private mutating func text(of value: Any) -> String? {
    guard levels > 0, room > 0 else { return nil }
    levels -= 1
    defer { levels += 1 }
    guard let text = open(value) else { return nil }
    // Not the length of the text, because a collection has already counted the texts of its parts.
    room -= 1
    return text
  }

  private mutating func open(_ value: Any) -> String? {
    if type(of: value) == AnyHashable.self { return (value as? AnyHashable).flatMap(erased) }
    if let optional = value as? any AnyOptional { return text(of: optional) }
    if let literal = Self.literal(value) { return literal }
    if let range = value as? any RangeText { return text(of: range) }
    if let list = value as? any AnyList { return text(of: list) }
    if let set = value as? any AnySet { return bracketed(set.size, set.stable) }
    if let entries = value as? any AnyDictionary { return text(of: entries) }
    // Other known types, such as dates, have no literal.
    if Dump.isKnown(value) || value is any CustomReflectable { return nil }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .tuple: return fields(of: mirror).map { "(\($0))" }
    case .enum: return enumCase(value, mirror)
    case .struct:
      guard let name = Self.name(of: type(of: value)), let fields = fields(of: mirror) else {
        return nil
      }
      return "\(name)(\(fields))"
    default: return nil
    }
  }

  // MARK: - Literals

  /// The literal of a value of the standard library; `nil` if the type has no literal.
  private static func literal(_ value: Any) -> String? {
    switch value {
    case let value as Bool: "\(value)"
    case let value as String: Quoting.quoted(value)
    case let value as Substring: Quoting.quoted(String(value))
    case let value as Character: Quoting.quoted(String(value))
    case let value as Double: number(value, "Double")
    case let value as Float: number(value, "Float")
    case let value as Duration: duration(value)
    case is Int, is Int8, is Int16, is Int32, is Int64, is Int128: "\(value)"
    case is UInt, is UInt8, is UInt16, is UInt32, is UInt64, is UInt128: "\(value)"
    default: nil
    }
  }

  private static func number<F: BinaryFloatingPoint>(_ value: F, _ type: String) -> String {
    if value.isNaN { return "\(type).nan" }
    if value.isInfinite { return (value < 0 ? "-" : "") + "\(type).infinity" }
    return "\(value)"
  }

  private static func duration(_ value: Duration) -> String {
    let seconds = value / .seconds(1)
    if Duration.seconds(seconds) == value { return ".seconds(\(seconds))" }
    let (whole, rest) = value.components
    return "Duration(secondsComponent: \(whole), attosecondsComponent: \(rest))"
  }

  /// The literal of a value whose type is only known at run time.
  private func erased(_ value: AnyHashable) -> String? {
    switch value.base {
    case let base as Int: "\(base)"
    case let base as String: Quoting.quoted(base)
    case let base as Bool: "\(base)"
    case let base as Double where base.isFinite: "\(base)"
    default: nil
    }
  }

  private mutating func text(of optional: any AnyOptional) -> String? {
    guard let wrapped = optional.wrapped else { return "nil" }
    guard let text = text(of: wrapped) else { return nil }
    return Self.meansOptional(text) ? ".some(\(text))" : text
  }

  /// Whether a text would mean a case of the optional that it is assigned to.
  static func meansOptional(_ text: String) -> Bool {
    text == "nil" || [".none", ".some"].contains { text == $0 || text.hasPrefix($0 + "(") }
  }

  private mutating func text(of range: any RangeText) -> String? {
    var bounds: [String] = []
    for bound in range.bounds {
      guard let text = Self.literal(bound) else { return nil }
      bounds.append(text)
    }
    var left = bounds[...]
    return "(" + range.text { _ in left.popFirst() ?? "" } + ")"
  }

  // MARK: - Collections

  private mutating func text(of list: any AnyList) -> String? {
    bracketed(list.length, (0..<min(list.length, room)).map { list.item($0) })
  }

  private mutating func bracketed(_ count: Int, _ values: [Any]) -> String? {
    // Each element takes at least a character, a comma and a space.
    guard count <= room / 3 + 1 else { return nil }
    var texts: [String] = []
    for value in values {
      guard let text = text(of: value) else { return nil }
      room -= text.utf8.count + 1
      texts.append(text)
    }
    return "[" + texts.joined(separator: ", ") + "]"
  }

  private mutating func text(of entries: any AnyDictionary) -> String? {
    guard entries.size > 0 else { return "[:]" }
    guard entries.size <= room / 5 + 1 else { return nil }
    var texts: [String] = []
    for key in entries.stableKeys {
      guard let value = entries.value(for: key), let name = text(of: key),
        let text = text(of: value)
      else { return nil }
      texts.append("\(name): \(text)")
    }
    return "[" + texts.joined(separator: ", ") + "]"
  }

  // MARK: - Fields

  /// The fields of a value, with their labels.
  ///
  /// `nil` if they may not be the parameters of its initializer.
  private mutating func fields(of mirror: Mirror) -> String? {
    var texts: [String] = []
    for child in mirror.children {
      guard let text = text(of: child.value) else { return nil }
      let label = child.label ?? "."
      // A property wrapper and a lazy property have such names.
      if label.hasPrefix("_") || label.hasPrefix("$") { return nil }
      texts.append(label.hasPrefix(".") ? text : "\(label): \(text)")
    }
    return texts.joined(separator: ", ")
  }

  private mutating func enumCase(_ value: Any, _ mirror: Mirror) -> String? {
    guard let child = mirror.children.first else {
      // A description of its own may differ from the name of the case.
      if value is any CustomStringConvertible || value is any CustomDebugStringConvertible
        || value is any TextOutputStreamable
      {
        return nil
      }
      return Self.caseName("\(value)", of: value)
    }
    guard let label = child.label, let name = Self.caseName(label, of: value) else { return nil }
    let payload = Mirror(reflecting: child.value)
    if payload.displayStyle == .tuple, !(child.value is any CustomReflectable) {
      return payload.children.isEmpty ? nil : fields(of: payload).map { "\(name)(\($0))" }
    }
    return text(of: child.value).map { "\(name)(\($0))" }
  }

  private static func caseName(_ name: String, of value: Any) -> String? {
    guard isIdentifier(name) else { return nil }
    let quoted = ["init", "self", "Type"].contains(name) ? "`\(name)`" : name
    // A property whose type is `any Error` has no members of that name.
    guard value is any Error || !RuntimeEquality.exists(for: type(of: value)) else {
      return ".\(quoted)"
    }
    return self.name(of: type(of: value)).map { "\($0).\(quoted)" }
  }

  static func isIdentifier(_ name: String) -> Bool {
    guard let first = name.first, first.isLetter || first == "_" else { return false }
    return name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
  }

  /// The name of a type, with the types that contain it.
  ///
  /// `nil` for types of the standard library and of Foundation, whose properties are not those of
  /// their initializers.
  static func name(of type: Any.Type) -> String? {
    let full = String(reflecting: type).replacing(/\(unknown context at [^)]*\)\./, with: "")
    if isFromSystem(type) { return nil }
    // Without the name of the module.
    let name = full.firstIndex(of: ".").map { full[full.index(after: $0)...] } ?? full[...]
    return String(name).replacing("Swift.", with: "")
  }
}

extension SourceFormatter {
  /// The value as Swift source that compiles.
  ///
  /// `nil` if there is none, if it is long, or if something in the value is redacted.
  package static func code(of value: Any) -> String? {
    Dump.veiled(value) == nil ? SourceCode.text(of: value) : nil
  }
}
