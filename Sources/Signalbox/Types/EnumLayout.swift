/// The cases of an enum, as the runtime describes them.
///
///     metadata  −1  value witnesses   8 the size of a value, 11 the tag of a value, 12 uncovers its payload
///               +1  descriptor        the fields: flags, type and name of the case with each tag
///               +2  generic arguments
///
/// There is no public API for this. `Mirror` reads the same memory, but takes many times as long, and
/// shows what a `customMirror` makes up. The layout is part of the ABI on Apple platforms, and the same
/// on Linux.
@safe package final class EnumLayout: Sendable {
  private static let known = LockedValue<[ObjectIdentifier: EnumLayout]>([:])
  private static let word = MemoryLayout<Int>.size

  private typealias GetTag = @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> UInt32
  private typealias Uncover = @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer) -> Void

  // These are addresses of the program, which are never freed.
  private nonisolated(unsafe) let metadata: UnsafeRawPointer
  private let getTag: GetTag
  private let uncover: Uncover
  /// The description of the first case, which those of the others follow.
  private nonisolated(unsafe) let records: UnsafeRawPointer
  package let count: UInt32
  private let size: Int
  /// The types of the associated values.
  private let payloads: [(any Any.Type)?]

  /// The layout of an enum; `nil` if the type is no enum, or was compiled without reflection metadata.
  package static func of(_ type: Any.Type) -> EnumLayout? {
    if let layout = known.withLock({ $0[ObjectIdentifier(type)] }) { return layout }
    let layout = EnumLayout(type)
    known.withLock { $0[ObjectIdentifier(type)] = layout }
    return layout
  }

  private init?(_ type: Any.Type) {
    let metadata = unsafe unsafeBitCast(type, to: UnsafeRawPointer.self)
    guard unsafe [0x201, 0x202].contains(metadata.load(as: UInt.self)) else { return nil }
    let witnesses = unsafe metadata.load(fromByteOffset: -Self.word, as: UnsafeRawPointer.self)
    unsafe getTag = witnesses.load(fromByteOffset: 11 * Self.word, as: GetTag.self)
    unsafe uncover = witnesses.load(fromByteOffset: 12 * Self.word, as: Uncover.self)
    size = unsafe witnesses.load(fromByteOffset: 8 * Self.word, as: Int.self)
    let descriptor = unsafe metadata.load(fromByteOffset: Self.word, as: UnsafeRawPointer.self)
    guard let fields = unsafe Self.target(of: descriptor + 16),
      unsafe fields.load(fromByteOffset: 10, as: UInt16.self) == Self.recordSize
    else { return nil }
    let count = unsafe fields.load(fromByteOffset: 12, as: UInt32.self)
    let records = unsafe fields + 16
    payloads = (0..<count).map {
      unsafe Self.payloadType(of: records + Int($0) * Self.recordSize, in: metadata, descriptor)
    }
    unsafe (self.metadata, self.records, self.count) = (metadata, records, count)
  }

  // MARK: - The cases

  private static let recordSize = 12

  private func record(_ tag: UInt32) -> UnsafeRawPointer {
    unsafe records + Int(tag) * Self.recordSize
  }

  /// The name of a case.
  package func name(of tag: UInt32) -> String? {
    guard tag < count, let name = unsafe Self.target(of: record(tag) + 8) else { return nil }
    return unsafe String(cString: name.assumingMemoryBound(to: CChar.self))
  }

  /// Whether the associated values of a case are in an object.
  package func isIndirect(_ tag: UInt32) -> Bool {
    unsafe record(tag).load(as: UInt32.self) & 1 != 0
  }

  /// The type of the associated values of a case.
  package func payload(of tag: UInt32) -> Any.Type? { payloads[Int(tag)] }

  /// The tags of the cases with associated values of a type, whatever their labels are.
  func tags(withPayload type: Any.Type) -> [UInt32] {
    // A single associated value with a label is a tuple of one element.
    let wanted = StoredTypes.elements(of: type)
    return (0..<count).filter { tag in
      guard let payload = payloads[Int(tag)] else { return false }
      return payload == type
        || StoredTypes.elements(of: payload).elementsEqual(wanted) { $0.type == $1.type }
    }
  }

  /// The type of the associated values of a case, as its record in the description of an enum says.
  private static func payloadType(
    of record: UnsafeRawPointer, in metadata: UnsafeRawPointer, _ descriptor: UnsafeRawPointer
  ) -> (any Any.Type)? {
    guard let name = unsafe target(of: record + 4) else { return nil }
    var end = unsafe name
    // In a name, a reference to a type is a small number and an address.
    while case let byte = unsafe end.load(as: UInt8.self), byte != 0 {
      unsafe end += byte > 0x1F ? 1 : 1 + (byte < 0x18 ? 4 : word)
    }
    return unsafe _getTypeByMangledNameInContext(
      name.assumingMemoryBound(to: UInt8.self), UInt(end - name), genericContext: descriptor,
      genericArguments: metadata + 2 * word)
  }

  /// What an address refers to, which is the distance from the address.
  private static func target(of address: UnsafeRawPointer) -> UnsafeRawPointer? {
    let distance = unsafe address.load(as: Int32.self)
    return unsafe distance == 0 ? nil : address + Int(distance)
  }

  // MARK: - A value

  /// The tag of the value of this enum at an address.
  package func tag(at address: UnsafeRawPointer) -> UInt32 { unsafe getTag(address, metadata) }

  /// Whether two values of one enum have different cases.
  package static func haveOtherCases(_ a: Any, _ b: Any) -> Bool {
    func compare<T>(_ a: T) -> Bool {
      guard let layout = of(T.self), let b = b as? T else { return false }
      let tag: (T) -> UInt32 = {
        unsafe withUnsafePointer(to: $0) { unsafe layout.tag(at: UnsafeRawPointer($0)) }
      }
      return tag(a) != tag(b)
    }
    return _openExistential(a, do: compare)
  }

  /// Reads the associated values of the value of this enum at an address.
  ///
  /// - Parameters:
  ///   - tag: the tag of the value, whose case has associated values of the type.
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
