/// What the values of a type store, read from the metadata that the runtime keeps of the type.
///
///     metadata     kind │ descriptor │ generic arguments …                 words
///     descriptor   flags │ parent │ name │ accessor │ fields │ count │ offsets     halves
///     fields       name │ superclass │ kind and size │ count │ (flags │ type │ name) …   halves
///
/// There is no public API for this. `Mirror` needs a value, and a `customMirror` may leave out what
/// the value stores. The layout is part of the ABI on Apple platforms.
package enum StoredTypes {
  private static var word: Int { MemoryLayout<Int>.size }
  private static var recordSize: Int { 12 }

  /// A stored property of a struct, a case of an enum, or an element of a tuple.
  package struct Slot {
    package let name: String
    package let type: Any.Type
    /// `nil` for a case.
    package let offset: Int?
    /// Whether it is a weak or an unowned reference, which is not stored as a value of the type.
    package var isWeak = false
  }

  /// What the description of a type says of a stored property or a case.
  struct Record {
    let name: String
    /// `nil` for a case without associated values, and if the type cannot be found.
    let type: (any Any.Type)?
    /// Whether it is a case without associated values, or of a type of the compiler.
    let isBare: Bool
    let isWeak: Bool
    /// Whether the associated values of the case are in an object.
    let isIndirect: Bool
    let offset: Int?
  }

  private enum Kind {
    case structure, enumeration, tuple, builtIn, other
  }

  private static func kind(_ metadata: UnsafeRawPointer) -> Kind {
    switch unsafe metadata.load(as: Int.self) {
    case 0x200: .structure
    case 0x201, 0x202: .enumeration
    case 0x301: .tuple
    case 0x300, 0x302, 0x304, 0x306: .builtIn
    default: .other
    }
  }

  private static func metadata(of type: Any.Type) -> UnsafeRawPointer {
    unsafe unsafeBitCast(type, to: UnsafeRawPointer.self)
  }

  /// The types that a struct, a tuple or the cases of an enum store; `nil` if a value may store
  /// anything, as an object and a value behind a protocol do.
  static func parts(of type: Any.Type) -> [Any.Type]? {
    switch unsafe kind(metadata(of: type)) {
    case .structure, .enumeration:
      guard let records = records(of: type)?.filter({ !$0.isBare }) else { return nil }
      let types = records.compactMap(\.type)
      return types.count == records.count ? types : nil
    case .tuple: return elements(of: type).map(\.type)
    // What the language builds in, functions and types.
    case .builtIn: return []
    case .other: return nil
    }
  }

  /// The offset of a stored property; `nil` if the struct has none at the index or of the type.
  static func offset(of index: Int, as property: Any.Type, in type: Any.Type) -> Int? {
    guard let fields = fields(of: type), fields.indices.contains(index),
      fields[index].type == property
    else { return nil }
    return fields[index].offset
  }

  /// The stored properties of a struct; `nil` for other types.
  package static func fields(of type: Any.Type) -> [Slot]? {
    guard unsafe kind(metadata(of: type)) == .structure, let records = records(of: type) else {
      return nil
    }
    var slots: [Slot] = []
    for record in records where !record.isBare {
      guard let type = record.type else { return nil }
      slots.append(
        Slot(name: record.name, type: type, offset: record.offset, isWeak: record.isWeak))
    }
    return slots
  }

  /// The type to which a chain of names leads through stored properties of structs; `nil` if there is
  /// no such property.
  // Names after a property of another type are not followed.
  static func type(at names: [String], from root: Any.Type) -> (any Any.Type)? {
    var type = root
    for name in names {
      while let optional = type as? any AnyOptional.Type { type = optional.wrappedType }
      guard let fields = fields(of: type) else { return type }
      guard let field = fields.first(where: { $0.name == name }) else { return nil }
      type = field.type
    }
    return type
  }

  /// Whether a type is an enum, such as an optional.
  static func isEnum(_ type: Any.Type) -> Bool {
    unsafe kind(metadata(of: type)) == .enumeration
  }

  /// The stored properties of a struct, or the cases of an enum in the order of their tags; `nil`
  /// for other types, and if the program was built without the names of its properties.
  static func records(of type: Any.Type) -> [Record]? {
    let metadata = unsafe metadata(of: type)
    let kind = unsafe kind(metadata)
    guard kind == .structure || kind == .enumeration else { return nil }
    let descriptor = unsafe metadata.load(fromByteOffset: word, as: UnsafeRawPointer.self)
    guard let fields = unsafe target(of: descriptor + 16),
      unsafe fields.load(fromByteOffset: 10, as: UInt16.self) == recordSize
    else { return nil }
    // A struct of another language has no offsets.
    let offsets =
      kind == .structure
      ? unsafe Int(descriptor.load(fromByteOffset: 24, as: UInt32.self)) * word : 0
    let count = unsafe Int(fields.load(fromByteOffset: 12, as: UInt32.self))
    return (0..<count).map { index in
      let record = unsafe fields + 16 + recordSize * index
      let mangled = unsafe target(of: record + 4)?.assumingMemoryBound(to: UInt8.self)
      let type = unsafe mangled.flatMap { mangled in
        unsafe _getTypeByMangledNameInContext(
          mangled, length(of: mangled), genericContext: descriptor,
          genericArguments: metadata + 2 * word)
      }
      let name = unsafe target(of: record + 8)?.assumingMemoryBound(to: CChar.self)
      return unsafe Record(
        name: name.map { unsafe String(cString: $0) } ?? "", type: type,
        isBare: type == nil && mangled.map { unsafe $0[0] == UInt8(ascii: "B") } ?? true,
        isWeak: mangled.map { unsafe isWeak($0) } ?? false,
        isIndirect: record.load(as: UInt32.self) & 1 != 0,
        offset: offsets > 0
          ? Int(metadata.load(fromByteOffset: offsets + index * 4, as: UInt32.self)) : nil)
    }
  }

  /// Whether the name of a type says that a reference is weak, unowned or unmanaged.
  private static func isWeak(_ name: UnsafePointer<UInt8>) -> Bool {
    let end = unsafe Int(length(of: name))
    return unsafe end > 2 && name[end - 2] == UInt8(ascii: "X")
      && "wou".utf8.contains(name[end - 1])
  }

  /// The elements of a tuple; a type that is no tuple is the only element.
  package static func elements(of type: Any.Type) -> [Slot] {
    let metadata = unsafe unsafeBitCast(type, to: UnsafeRawPointer.self)
    guard unsafe metadata.load(as: Int.self) == 0x301 else {
      return [Slot(name: "", type: type, offset: 0)]
    }
    let count = unsafe metadata.load(fromByteOffset: word, as: Int.self)
    // One text, in which a space follows each label.
    let text = unsafe metadata.load(fromByteOffset: 2 * word, as: UnsafePointer<CChar>?.self)
    let labels = unsafe text.map { unsafe String(cString: $0) } ?? ""
    let names = labels.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    return (0..<count).map { index in
      let element = unsafe metadata + (3 + 2 * index) * word
      return unsafe Slot(
        name: index < names.count ? names[index] : "", type: element.load(as: Any.Type.self),
        // The other half of the word is undefined on Linux.
        offset: Int(element.load(fromByteOffset: word, as: UInt32.self)))
    }
  }

  /// Where a distance that is stored in memory leads, counted from itself.
  private static func target(of distance: UnsafeRawPointer) -> UnsafeRawPointer? {
    let bytes = unsafe Int(distance.load(as: Int32.self))
    return bytes == 0 ? nil : unsafe distance + bytes
  }

  /// The length of a name, in which a control character is followed by a distance or an address.
  private static func length(of name: UnsafePointer<UInt8>) -> UInt {
    var length = 0
    while true {
      switch unsafe name[length] {
      case 0: return UInt(length)
      case 1...0x17: length += 5
      case 0x18...0x1F: length += 1 + word
      default: length += 1
      }
    }
  }
}
