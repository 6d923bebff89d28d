/// Where an enum lies in a state: at a stored property, or in an array at one.
@MainActor enum EnumLocation<Owner, Enum> {
  case property(WritableKeyPath<Owner, Enum>)
  case element(WritableKeyPath<Owner, [Enum]>, index: Int)

  var offset: Int? {
    switch self {
    case .property(let keyPath): MemoryLayout<Owner>.offset(of: keyPath)
    case .element(let keyPath, _): MemoryLayout<Owner>.offset(of: keyPath)
    }
  }

  func value(in state: Owner) -> Enum? {
    switch self {
    case .property(let keyPath): return state[keyPath: keyPath]
    case .element(let keyPath, let index):
      let array = state[keyPath: keyPath]
      return index < array.count ? array[index] : nil
    }
  }

  /// The address of the enum, given that of the property; `nil` if the array is too short.
  func address(from property: UnsafeRawPointer) -> UnsafePointer<Enum>? {
    guard case .element(_, let index) = self else {
      return unsafe property.assumingMemoryBound(to: Enum.self)
    }
    let array = unsafe property.assumingMemoryBound(to: [Enum].self)
    return unsafe array.pointee.withUnsafeBufferPointer {
      unsafe index < $0.count ? $0.baseAddress.map { unsafe $0 + index } : nil
    }
  }

  /// The same, where the enum can be changed because nothing else refers to the array.
  func uniqueAddress(from property: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Enum>? {
    guard case .element(_, let index) = self else {
      return unsafe property.assumingMemoryBound(to: Enum.self)
    }
    let array = unsafe property.assumingMemoryBound(to: [Enum].self)
    return unsafe array.pointee.withUnsafeMutableBufferPointer {
      unsafe index < $0.count ? $0.baseAddress.map { unsafe $0 + index } : nil
    }
  }

  /// The same in a state without a fixed address, which must not be used meanwhile.
  func uniqueAddress(in state: inout Owner) -> UnsafeMutablePointer<Enum>? {
    switch self {
    case .property(let keyPath):
      unsafe withUnsafeMutablePointer(to: &state[keyPath: keyPath]) { unsafe $0 }
    case .element(let keyPath, _):
      unsafe withUnsafeMutablePointer(to: &state[keyPath: keyPath]) {
        unsafe uniqueAddress(from: UnsafeMutableRawPointer($0))
      }
    }
  }
}
