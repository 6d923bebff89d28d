/// Reads the components of a key path object.
///
///     class │ counts │ name │ size │ component │ type │ component │ type │ … │ component
///
/// There is no public API for this. Foundation reads the same memory for its predicates, and the
/// layout is part of the ABI on Apple platforms. A component of an unknown kind ends the list. If the
/// layout is another one (`areReadable`), a key path is one component of an unknown kind.
enum KeyPathComponents {
  enum Component: Equatable {
    case stored(offset: Int)
    /// A stored property of a class.
    case reference
    case optional(Optionality)
    case computed
    /// A stored property that, as a function, has another form in memory than as a value.
    case converted(index: Int)
    /// The address of its declaration, and the first word of its arguments.
    case `subscript`(identity: UInt, argument: Int)
    case other
  }

  /// The kind of a component for an optional, which is `?`, the wrap behind it, or `!`.
  enum Optionality: UInt32 { case chain, wrap, unwrap }

  /// The components, each with the type of the value that it leads to.
  static func read(_ keyPath: AnyKeyPath) -> [(component: Component, type: Any.Type)] {
    guard areReadable else { return [(.other, type(of: keyPath).valueType)] }
    return readMemory(of: keyPath)
  }

  static func readMemory(of keyPath: AnyKeyPath) -> [(component: Component, type: Any.Type)] {
    withExtendedLifetime(keyPath) {
      var reader = unsafe MemoryReader(Unmanaged.passUnretained(keyPath).toOpaque())
      var components: [(component: Component, type: Any.Type)] = []
      while let component = reader.nextComponent() {
        if case .other = component {
          components.append((component, type(of: keyPath).valueType))
          break
        }
        components.append((component, reader.nextType() ?? type(of: keyPath).valueType))
      }
      return components
    }
  }

  /// Safe, because it reads only one key path object, which `readMemory` keeps alive.
  @safe private struct MemoryReader {
    private static let word = MemoryLayout<Int>.size
    private var position: UnsafeRawPointer
    private let end: UnsafeRawPointer

    init(_ object: UnsafeMutableRawPointer) {
      let header = unsafe UnsafeRawPointer(object) + 3 * Self.word
      unsafe position = header + Self.word
      unsafe end = position + Int(header.load(as: UInt32.self) & 0x00FF_FFFF)
    }

    mutating func nextComponent() -> Component? {
      guard unsafe position < end else { return nil }
      let header = readHalf()
      let payload = header & 0x007F_FFFF
      switch (header >> 24) & 0x7F {
      // An offset that does not fit into the header follows it.
      case 1: return .stored(offset: Int(payload == 0x007F_FFFF ? readHalf() : payload))
      case 2: return readComputed(header)
      case 3:
        if payload == 0x007F_FFFF { _ = readHalf() }
        return .reference
      case 4: return Optionality(rawValue: payload).map { .optional($0) } ?? .other
      default: return .other
      }
    }

    /// The type that the previous component leads to; `nil` at the end, where the key path has it.
    mutating func nextType() -> Any.Type? {
      unsafe position = position.alignedUp(toMultipleOf: Self.word)
      guard unsafe position < end else { return nil }
      // The metadata of a type lies between two components.
      return unsafe unsafeBitCast(readWord(), to: Any.Type.self)
    }

    private mutating func readComputed(_ header: UInt32) -> Component {
      unsafe position = position.alignedUp(toMultipleOf: Self.word)
      let identity = readWord()
      _ = readWord()  // the getter
      if header & 0x0040_0000 != 0 { _ = readWord() }  // the setter
      if header & 0x0020_0000 != 0 { return .converted(index: Int(identity)) }
      guard header & 0x0008_0000 != 0 else { return .computed }
      let word = readWord()
      _ = readWord()  // the functions that compare the arguments
      if header & 0x0000_0010 != 0 { _ = readWord() }  // a word about generic arguments
      // The highest bit is set if a word of padding aligns the arguments.
      if word > UInt(Int.max) { _ = readWord() }
      let size = Int(word & UInt(Int.max))
      guard unsafe size <= end - position else { return .other }
      defer { unsafe position += size }
      let argument = unsafe size < Self.word ? 0 : position.load(as: Int.self)
      return .subscript(identity: identity, argument: argument)
    }

    private mutating func readHalf() -> UInt32 {
      defer { unsafe position += MemoryLayout<UInt32>.size }
      return unsafe position.load(as: UInt32.self)
    }

    private mutating func readWord() -> UInt {
      defer { unsafe position += Self.word }
      return unsafe position.load(as: UInt.self)
    }
  }
}
