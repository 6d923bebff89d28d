/// The cases of an enum, as the runtime describes them.
///
///     metadata  −1  value witnesses   8 the size of a value, 11 the tag of a value, 12 uncovers its payload
///
/// No public API does this. `Mirror` takes many times as long, and shows what a `customMirror`
/// makes up. The layout is part of the ABI on Apple platforms, and the same on Linux.
@safe package final class EnumLayout: Sendable {
  private static let known = LockedValue<[ObjectIdentifier: EnumLayout]>([:])
  private static let word = MemoryLayout<Int>.size

  private typealias GetTag = @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> UInt32
  private typealias Uncover = @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer) -> Void

  // An address of the program, which is never freed.
  private nonisolated(unsafe) let metadata: UnsafeRawPointer
  private let getTag: GetTag
  private let uncover: Uncover
  private let size: Int
  /// In the order of their tags.
  private let cases: [StoredTypes.Record]

  package var count: UInt32 { UInt32(cases.count) }

  /// The layout of an enum; `nil` if the type is no enum, or was compiled without reflection metadata.
  package static func of(_ type: Any.Type) -> EnumLayout? {
    if let layout = known.withLock({ $0[ObjectIdentifier(type)] }) { return layout }
    let layout = EnumLayout(type)
    known.withLock { $0[ObjectIdentifier(type)] = layout }
    return layout
  }

  private init?(_ type: Any.Type) {
    guard StoredTypes.isEnum(type), let cases = StoredTypes.records(of: type) else { return nil }
    let metadata = unsafe unsafeBitCast(type, to: UnsafeRawPointer.self)
    let witnesses = unsafe metadata.load(fromByteOffset: -Self.word, as: UnsafeRawPointer.self)
    unsafe getTag = witnesses.load(fromByteOffset: 11 * Self.word, as: GetTag.self)
    unsafe uncover = witnesses.load(fromByteOffset: 12 * Self.word, as: Uncover.self)
    size = unsafe witnesses.load(fromByteOffset: 8 * Self.word, as: Int.self)
    unsafe self.metadata = metadata
    self.cases = cases
  }

  // MARK: - The cases

  package func name(of tag: UInt32) -> String? { tag < count ? cases[Int(tag)].name : nil }

  package func isIndirect(_ tag: UInt32) -> Bool { cases[Int(tag)].isIndirect }

  package func payload(of tag: UInt32) -> Any.Type? { cases[Int(tag)].type }

  /// The tags of the cases with associated values of a type, whatever their labels are.
  func tags(withPayload type: Any.Type) -> [UInt32] {
    // A single associated value with a label is a tuple of one element.
    let wanted = StoredTypes.elements(of: type)
    return (0..<count).filter { tag in
      guard let payload = payload(of: tag) else { return false }
      return payload == type
        || StoredTypes.elements(of: payload).elementsEqual(wanted) { $0.type == $1.type }
    }
  }

  // MARK: - A value

  /// The tag of the value of this enum at an address.
  package func tag(at address: UnsafeRawPointer) -> UInt32 { unsafe getTag(address, metadata) }

  /// The value at the address has the tag, whose case has associated values of the type.
  func payload<Enum, Value>(
    at address: UnsafePointer<Enum>, tag: UInt32, as type: Value.Type
  ) -> Value {
    unsafe withUnsafeTemporaryAllocation(of: Enum.self, capacity: 1) { copy in
      // Never released, because it is only the bytes. Uncovering clears the tag in them.
      let bytes = UnsafeMutableRawPointer(copy.baseAddress!)  // the capacity is not zero
      unsafe bytes.copyMemory(from: address, byteCount: MemoryLayout<Enum>.size)
      unsafe uncover(bytes, metadata)
      var payload = UnsafeRawPointer(bytes)
      if isIndirect(tag) {
        // The payload of an indirect case follows the two words at the beginning of an object.
        unsafe payload = (payload.load(as: UnsafeRawPointer.self) + 2 * Self.word)
          .alignedUp(for: Value.self)
      }
      return unsafe payload.assumingMemoryBound(to: Value.self).pointee
    }
  }

  /// Calls a function with the address of the associated values of a case that is not indirect.
  package func withPayload<R>(at address: UnsafeRawPointer, _ body: (UnsafeRawPointer) -> R) -> R {
    unsafe withUnsafeTemporaryAllocation(byteCount: max(size, 1), alignment: 16) { copy in
      // Never released, because it is only the bytes.
      let bytes = copy.baseAddress!  // the size is not zero
      unsafe bytes.copyMemory(from: address, byteCount: size)
      unsafe uncover(bytes, metadata)
      return unsafe body(UnsafeRawPointer(bytes))
    }
  }
}
