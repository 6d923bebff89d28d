/// The steps of a key path through the memory of its root.
///
///     \.user.name      stored 8, stored 0            \.rows[2].text   stored 24, index 2, stored 0
///     \.user!.name     stored 8, unwrap, stored 0    \.user.title     stored 8, computed
///
/// The steps answer two questions. Which stored property does a computed one belong to? Does the
/// part still exist, so that reading it cannot crash? `MemoryLayout.offset(of:)` answers neither.
struct KeyPathShape {
  enum Step {
    case stored(Int)
    case index(Int)
    case unwrap
    /// The value behind `?`, where the path ends if there is none.
    case chain
    /// A computed property, or one with observers or a wrapper.
    case computed
    /// The subscript of an array that takes a range and gives a slice.
    case slice
    /// Any other subscript.
    case keyed
    case reference
    /// The step that turns a value behind `?` into an optional.
    case wrap
    /// A step of an unknown kind. The steps end here.
    case opaque
  }

  /// Each step, with the type of the value that it leads to.
  private let steps: [(step: Step, type: Any.Type)]
  private let root: Any.Type

  init(_ keyPath: AnyKeyPath) {
    root = Swift.type(of: keyPath).rootType
    var type = root
    steps = KeyPathComponents.read(keyPath).map { component, next in
      defer { type = next }
      return (Step(component, of: type, as: next), next)
    }
  }

  /// Whether there may be any number of similar paths, or none with a value.
  var isOneOfMany: Bool {
    steps.contains {
      switch $0.step {
      case .index, .slice, .keyed, .unwrap, .opaque: true
      case .stored, .chain, .computed, .reference, .wrap: false
      }
    }
  }

  /// Whether nothing can tell whether the part exists: the path has a range of an array, or an
  /// index or `!` follows a step that runs user code or leads to other memory.
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

  var mayBeMissing: Bool {
    steps.contains {
      switch $0.step {
      case .index, .unwrap: true
      case .stored, .slice, .keyed, .chain, .computed, .reference, .wrap, .opaque: false
      }
    }
  }

  /// Whether a write runs user code, which may change more than the value.
  var hasSetter: Bool {
    steps.contains {
      switch $0.step {
      case .computed, .slice, .keyed, .opaque: true
      case .stored, .index, .unwrap, .chain, .reference, .wrap: false
      }
    }
  }

  /// The stored properties with which the path begins, the outermost first.
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

  var isStored: Bool { storedParts.count == steps.count }

  /// Whether each index is in its array and each `!` follows a value, from a root at an address.
  // `pass` gets the address and the type of each element of an array on the way.
  func isThere(
    in address: UnsafeRawPointer, _ pass: (UnsafeRawPointer, Any.Type) -> Void = { _, _ in }
  ) -> Bool {
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
        unsafe pass(element, next)
      case .unwrap, .chain:
        guard let optional = type as? any AnyOptional.Type else { return true }
        // The wrapped value has the same address as the optional.
        if unsafe optional.isNil(at: address) {
          if case .chain = step { return true }
          return false
        }
      // The rest of the path leads to other memory, or only user code can follow it.
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

  fileprivate init(
    _ component: KeyPathComponents.Component, of type: Any.Type, as property: Any.Type
  ) {
    switch component {
    case .stored(let offset): self = .stored(offset)
    case .optional(.chain): self = .chain
    case .optional(.unwrap): self = .unwrap
    case .optional(.wrap): self = .wrap
    case .reference: self = .reference
    case .other: self = .opaque
    case .computed: self = .computed
    case .converted(let index):
      let offset = StoredTypes.offset(of: index, as: property, in: type)
      self = offset.map { .stored($0) } ?? .computed
    case .subscript(let identity, let argument):
      if Self.indices.contains(identity) {
        self = .index(argument)
      } else {
        self = Self.ranges.contains(identity) ? .slice : .keyed
      }
    }
  }
}

/// An array whose elements can be found without their type.
private protocol ArrayStorage {
  static func contains(_ index: Int, at address: UnsafeRawPointer) -> Bool
  /// The address of an element, or `nil` if the elements are not contiguous.
  static func element(_ index: Int, at address: UnsafeRawPointer) -> UnsafeRawPointer?
}

extension ArrayStorage where Self: RandomAccessCollection, Index == Int {
  // The caller has checked that a value of this type is at the address.
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
