import Signalbox

/// How the values of a type are read from memory, found out once for each type.
///
///     struct Row { var id: Int, name: String, tags: [Tag] }
///
///     record    0 id: literal    8 name: literal    24 tags: other
///
/// Reflection copies each part and searches for the conformances of its type, which takes many times
/// as long. A layout shows what reflection shows. Types for which it would not are `other`.
@safe final class ValueLayout: @unchecked Sendable {
  // Unchecked because nothing in it changes, and its functions capture types alone.

  typealias Read<T> = (UnsafeRawPointer) -> T

  @safe enum Kind {
    /// A number, a text or a `Bool`.
    case literal(Read<ValueTree>)
    case optional(isNil: Read<Bool>, ValueLayout)
    /// A struct of properties without wrappers.
    case record([Part])
    /// An enum with its cases in the order of their tags.
    case choice(EnumLayout, [Case])
    /// Read by reflection.
    case other
  }

  struct Part {
    let label: String?
    let offset: Int
    let layout: ValueLayout
  }

  struct Case {
    let name: String
    let parts: [Part]
  }

  private static let known = LockedValue<[ObjectIdentifier: ValueLayout]>([:])

  let type: Any.Type
  /// The name of the type in a recording.
  let name: String
  let kind: Kind
  let isError: Bool
  let size: Int
  let copy: Read<Any>
  /// Takes a value of the type out of the protocol that it may be behind.
  private let unwrap: (Any) -> Any
  let areEqual: ((UnsafeRawPointer, UnsafeRawPointer) -> Bool)?

  var isOther: Bool { if case .other = kind { true } else { false } }

  static func of(_ type: Any.Type) -> ValueLayout {
    let id = ObjectIdentifier(type)
    if let layout = known.withLock({ $0[id] }) { return layout }
    let layout = ValueLayout(type)
    known.withLock { $0[id] = layout }
    return layout
  }

  private init(_ type: Any.Type) {
    func measure<T>(_: T.Type) -> (Int, Read<Any>, (Any) -> Any) {
      (
        MemoryLayout<T>.size, { unsafe $0.assumingMemoryBound(to: T.self).pointee },
        { ($0 as? T).map { $0 as Any } ?? $0 }
      )
    }
    func equality<E: Equatable>(
      _: E.Type
    ) -> (UnsafeRawPointer, UnsafeRawPointer) -> Bool {
      {
        unsafe $0.assumingMemoryBound(to: E.self).pointee
          == $1.assumingMemoryBound(to: E.self).pointee
      }
    }
    self.type = type
    name = ValueTree.name(of: type)
    isError = type is any Error.Type
    kind = Self.kind(of: type)
    unsafe (size, copy, unwrap) = _openExistential(type, do: measure)
    unsafe areEqual = (type as? any Equatable.Type).map { unsafe equality($0) }
  }

  private static func kind(of type: Any.Type) -> Kind {
    if let read = unsafe reader(of: type) { return unsafe .literal(read) }
    if let optional = type as? any AnyOptional.Type {
      return unsafe .optional(isNil: { unsafe optional.isNil(at: $0) }, of(optional.wrappedType))
    }
    // Their mirrors and descriptions may show something else than what they contain.
    if Dump.isKnown(type: type) || type is any CustomReflectable.Type
      || type is any CustomStringConvertible.Type || type is any CustomDebugStringConvertible.Type
      || isFromSystem(type)
    {
      return .other
    }
    if let fields = StoredTypes.fields(of: type) { return record(fields) ?? .other }
    if let layout = EnumLayout.of(type) { return choice(layout) ?? .other }
    return .other
  }

  private static func record(_ fields: [StoredTypes.Slot]) -> Kind? {
    if fields.isEmpty { return nil }
    let parts = fields.completeMap { field -> Part? in
      guard let offset = field.offset, !field.isWeak, !isMarked(field.name) else { return nil }
      return Part(label: field.name, offset: offset, layout: of(field.type))
    }
    return parts.map { .record($0) }
  }

  private static func choice(_ layout: EnumLayout) -> Kind? {
    var cases: [Case] = []
    for tag in 0..<layout.count {
      // An indirect case may contain its own enum.
      guard let name = layout.name(of: tag), !isMarked(name), !layout.isIndirect(tag) else {
        return nil
      }
      let parts = layout.payload(of: tag).map { payload in
        let elements = StoredTypes.elements(of: payload).map {
          Part(label: $0.name.isEmpty ? nil : $0.name, offset: $0.offset ?? 0, layout: of($0.type))
        }
        return elements.isEmpty ? [Part(label: nil, offset: 0, layout: of(payload))] : elements
      }
      cases.append(Case(name: name, parts: parts ?? []))
    }
    return .choice(layout, cases)
  }

  /// Whether a name may be that of a wrapper, which is shown in another way.
  private static func isMarked(_ name: String) -> Bool {
    name.hasPrefix("_") || name.hasPrefix("$")
  }

  private static func reader(of type: Any.Type) -> Read<ValueTree>? {
    func read<T>(_: T.Type, _ tree: @escaping (T) -> ValueTree) -> Read<ValueTree> {
      { unsafe tree($0.assumingMemoryBound(to: T.self).pointee) }
    }
    func readInteger<I: BinaryInteger>(_: I.Type) -> Read<ValueTree> {
      unsafe read(I.self) { ValueTree(integer: $0) }
    }
    return switch type {
    case is Bool.Type: unsafe read(Bool.self) { .bool($0) }
    case is String.Type: unsafe read(String.self) { .string($0) }
    case is Substring.Type: unsafe read(Substring.self) { .string(String($0)) }
    case is Double.Type: unsafe read(Double.self) { .number("\($0)") }
    case is Float.Type: unsafe read(Float.self) { .number("\($0)") }
    case let type as any BinaryInteger.Type where Dump.isKnown(type: type): unsafe readInteger(type)
    default: nil
    }
  }
}

extension ValueTree {
  /// The integers that JavaScript represents exactly.
  private static let exact = -9_007_199_254_740_991...9_007_199_254_740_991

  fileprivate init(integer value: some BinaryInteger) {
    self =
      Int(exactly: value).flatMap { Self.exact.contains($0) ? .integer($0) : nil }
      ?? .number("\(value)")
  }
}

extension ValueLayout {
  /// Calls a function with the address of a value of the type, which may be behind a protocol.
  func withAddress<R>(of value: Any, _ body: (UnsafeRawPointer) -> R) -> R? {
    func open<T>(_ value: T) -> R? {
      guard T.self == type else { return nil }
      return unsafe withUnsafePointer(to: value) { unsafe body(UnsafeRawPointer($0)) }
    }
    // A value that was read as `any Error` is opened as that.
    return _openExistential(value, do: open) ?? _openExistential(unwrap(value), do: open)
  }
}
