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

  /// The types of the stored properties of a struct, the payloads of an enum, or the elements of a
  /// tuple.
  ///
  /// `nil` if a value may store anything, as an object and a value behind a protocol do.
  static func parts(of type: Any.Type) -> [Any.Type]? {
    let metadata = unsafe unsafeBitCast(type, to: UnsafeRawPointer.self)
    switch unsafe metadata.load(as: Int.self) {
    case structKind, 0x201, 0x202: return unsafe fields(of: metadata)?.map(\.type)
    case 0x301: return elements(of: type).map(\.type)
    // What the language builds in, functions and types.
    case 0x300, 0x302, 0x304, 0x306: return []
    default: return nil
    }
  }

  /// The offset of a stored property of a struct.
  ///
  /// `nil` if the struct has no such property, or one of another type.
  ///
  /// - Parameter index: the index of the property among the stored properties.
  static func offset(of index: Int, as property: Any.Type, in type: Any.Type) -> Int? {
    let metadata = unsafe unsafeBitCast(type, to: UnsafeRawPointer.self)
    guard unsafe metadata.load(as: Int.self) == structKind,
      let fields = unsafe fields(of: metadata), fields.indices.contains(index),
      fields[index].type == property
    else { return nil }
    return fields[index].offset
  }

  /// A stored property of a struct, a case of an enum, or an element of a tuple.
  package struct Slot {
    package let name: String
    package let type: Any.Type
    /// `nil` for a case.
    package let offset: Int?
    /// Whether it is a weak or an unowned reference, which is not stored as a value of the type.
    package var isWeak = false
  }

  /// The stored properties of a struct; `nil` for other types.
  package static func fields(of type: Any.Type) -> [Slot]? {
    let metadata = unsafe unsafeBitCast(type, to: UnsafeRawPointer.self)
    guard unsafe metadata.load(as: Int.self) == structKind else { return nil }
    return unsafe fields(of: metadata)
  }

  /// Whether a type is an enum, such as an optional.
  static func isEnum(_ type: Any.Type) -> Bool {
    let metadata = unsafe unsafeBitCast(type, to: UnsafeRawPointer.self)
    return unsafe [0x201, 0x202].contains(metadata.load(as: Int.self))
  }

  private static var structKind: Int { 0x200 }

  private static func descriptor(of metadata: UnsafeRawPointer) -> UnsafeRawPointer {
    unsafe metadata.load(fromByteOffset: word, as: UnsafeRawPointer.self)
  }

  private static func fields(of metadata: UnsafeRawPointer) -> [Slot]? {
    let isStruct = unsafe metadata.load(as: Int.self) == structKind
    let descriptor = unsafe descriptor(of: metadata)
    // A program may be built without the names and types of its properties.
    guard let fields = unsafe target(of: descriptor + 16) else { return nil }
    // A struct of another language has no offsets.
    let offsets = unsafe Int(descriptor.load(fromByteOffset: 24, as: UInt32.self))
    var all: [Slot] = []
    let count = unsafe Int(fields.load(fromByteOffset: 12, as: UInt32.self))
    for index in 0..<count {
      // A case without a payload has no type.
      guard let name = unsafe target(of: fields + 16 + 12 * index + 4) else { continue }
      let text = unsafe name.assumingMemoryBound(to: UInt8.self)
      let type = unsafe _getTypeByMangledNameInContext(
        text, length(of: text), genericContext: descriptor,
        genericArguments: metadata + 2 * word)
      guard let type else {
        if unsafe text[0] == UInt8(ascii: "B") { continue }
        return nil
      }
      let label = unsafe target(of: fields + 16 + 12 * index + 8)
      let offset =
        unsafe isStruct && offsets > 0
        ? Int(metadata.load(fromByteOffset: offsets * word + index * 4, as: UInt32.self)) : nil
      let chars = unsafe label?.assumingMemoryBound(to: CChar.self)
      let title = unsafe chars.map { unsafe String(cString: $0) } ?? ""
      all.append(Slot(name: title, type: type, offset: offset, isWeak: unsafe isWeak(text)))
    }
    return all
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
