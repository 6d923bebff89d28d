/// The steps of a key path through the memory of its root.
///
///     \.user.name       stored 8, stored 0            \.rows[2].text    stored 24, index 2, stored 0
///     \.user!.name      stored 8, unwrap, stored 0    \.user.title      stored 8, computed
///
/// Two questions need them. Which stored property does a computed one belong to? And is the part
/// still there, so that reading it cannot crash? `MemoryLayout.offset(of:)` answers neither.
struct KeyPathShape {
  enum Step {
    /// A stored property of a struct, at an offset.
    case stored(Int)
    /// An element of an array.
    case index(Int)
    /// What `!` leads to.
    case unwrap
    /// What `?` leads to; the path ends there if it is `nil`.
    case chain
    /// A computed property, or one with observers or a wrapper.
    case computed
    /// Some elements of an array, as an array slice.
    case slice
    /// Any other subscript.
    case keyed
    /// A stored property of a class.
    case reference
    /// What turns a value behind `?` into an optional.
    case wrap
    /// A step of an unknown kind. The steps end here.
    case opaque
  }

  /// Each step, with the type of the value that it leads to.
  private let steps: [(step: Step, type: Any.Type)]
  private let root: Any.Type

  init(_ keyPath: AnyKeyPath) {
    root = Swift.type(of: keyPath).rootType
    steps = KeyPathComponents.read(keyPath).map { (Step($0.component), $0.type) }
  }

  /// Whether it has an index or a key, so that there may be any number of key paths like it.
  var hasArguments: Bool {
    steps.contains {
      switch $0.step {
      case .index, .slice, .keyed: true
      case .stored, .unwrap, .chain, .computed, .reference, .wrap, .opaque: false
      }
    }
  }

  /// Whether it is told apart from others by an index or a key, or may lead to nothing.
  var isOneOfMany: Bool { hasArguments || mayBeMissing }

  /// Whether there is no way to find out if the part is there: it has a range of an array, or an
  /// index or `!` behind a step that runs code of the user's, or leads elsewhere.
  var hidesItsEnd: Bool {
    var isHidden = false
    for (step, _) in steps {
      switch step {
      case .slice: return true
      case .computed, .keyed, .reference, .wrap, .opaque: isHidden = true
      case .index, .unwrap: if isHidden { return true }
      case .stored, .chain: break
      }
    }
    return false
  }

  /// Whether it can lead to something that is not there.
  var mayBeMissing: Bool {
    steps.contains {
      switch $0.step {
      case .index, .unwrap: true
      case .stored, .slice, .keyed, .chain, .computed, .reference, .wrap, .opaque: false
      }
    }
  }

  /// Whether a write runs code of the user's, which may change more than the value.
  var hasSetter: Bool {
    steps.contains {
      switch $0.step {
      case .computed, .slice, .keyed, .opaque: true
      case .stored, .index, .unwrap, .chain, .reference, .wrap: false
      }
    }
  }

  /// The stored properties through which it leads before anything else, outermost first.
  var storedParts: [(offset: Int, type: Any.Type)] {
    var offset = 0
    var parts: [(offset: Int, type: Any.Type)] = []
    for (step, type) in steps {
      guard case .stored(let distance) = step else { break }
      offset += distance
      parts.append((offset, type))
    }
    return parts
  }

  /// Whether the part is there: each index in its array, a value before each `!`.
  ///
  /// - Parameter address: where the root lies.
  func isThere(in address: UnsafeRawPointer) -> Bool {
    var address = unsafe address
    var type = root
    for (step, next) in steps {
      switch step {
      case .stored(let offset): unsafe address += offset
      case .index(let index):
        guard let array = type as? any ArrayStorage.Type else { return true }
        guard unsafe array.contains(index, at: address) else { return false }
        guard let element = unsafe array.element(index, at: address) else { return true }
        unsafe address = element
      case .unwrap, .chain:
        guard let optional = type as? any OptionalStorage.Type else { return true }
        if unsafe optional.isNil(at: address) {
          if case .chain = step { return true }
          return false
        }
      // What follows lies elsewhere, or is not reached without running code of the user's.
      case .computed, .slice, .keyed, .reference, .wrap, .opaque: return true
      }
      type = next
    }
    return true
  }
}

extension KeyPathShape.Step {
  private static let indices = [\[Int].[0], \ContiguousArray<Int>.[0], \ArraySlice<Int>.[0]]
    .compactMap(identity)
  private static let ranges = [
    \[Int].[0..<0], \ContiguousArray<Int>.[0..<0], \ArraySlice<Int>.[0..<0],
  ].compactMap(identity)

  /// Which subscript a key path begins with.
  private static func identity(_ keyPath: AnyKeyPath) -> UInt? {
    guard case .subscript(let identity, _) = KeyPathComponents.read(keyPath).first?.component else {
      return nil
    }
    return identity
  }

  fileprivate init(_ component: KeyPathComponents.Component) {
    switch component {
    case .stored(let offset): self = .stored(offset)
    case .optional(.chain): self = .chain
    case .optional(.unwrap): self = .unwrap
    case .optional(.wrap): self = .wrap
    case .reference: self = .reference
    case .other: self = .opaque
    case .computed: self = .computed
    case .subscript(let identity, let argument):
      if Self.indices.contains(identity) {
        self = .index(argument)
      } else {
        self = Self.ranges.contains(identity) ? .slice : .keyed
      }
    }
  }
}

/// An array whose elements are found without knowing their type.
private protocol ArrayStorage {
  static func contains(_ index: Int, at address: UnsafeRawPointer) -> Bool
  /// Where an element lies; `nil` if the elements do not lie side by side.
  static func element(_ index: Int, at address: UnsafeRawPointer) -> UnsafeRawPointer?
}

extension ArrayStorage where Self: RandomAccessCollection, Index == Int {
  // The caller found this type at the address.
  static func contains(_ index: Int, at address: UnsafeRawPointer) -> Bool {
    unsafe address.assumingMemoryBound(to: Self.self).pointee.indices.contains(index)
  }

  static func element(_ index: Int, at address: UnsafeRawPointer) -> UnsafeRawPointer? {
    let array = unsafe address.assumingMemoryBound(to: Self.self).pointee
    return unsafe array.withContiguousStorageIfAvailable { elements in
      unsafe elements.baseAddress.map { unsafe UnsafeRawPointer($0 + (index - array.startIndex)) }
    }.flatMap(\.self)
  }
}

extension Array: ArrayStorage {}
extension ContiguousArray: ArrayStorage {}
extension ArraySlice: ArrayStorage {}

/// An optional whose value lies where the optional lies.
private protocol OptionalStorage {
  static func isNil(at address: UnsafeRawPointer) -> Bool
}

extension Optional: OptionalStorage {
  fileprivate static func isNil(at address: UnsafeRawPointer) -> Bool {
    if case .none = unsafe address.assumingMemoryBound(to: Self.self).pointee {
      true
    } else {
      false
    }
  }
}
