/// A case of an enum with associated values, which a function such as `Route.session` makes.
final class EnumCase<Enum, Value> {
  let embed: (Value) -> Enum
  private let layout: EnumLayout
  /// The layout of the optional around the enum, if there is one.
  private let optional: EnumLayout?
  /// The tags that the case may have.
  // Several cases may have such values. The first value of one of them shows which `embed` makes.
  private var tags: [UInt32]

  init(_ embed: @escaping (Value) -> Enum) {
    self.embed = embed
    if let wrapped = (Enum.self as? any AnyOptional.Type)?.wrappedType {
      layout = Self.layout(of: wrapped)
      optional = EnumLayout.of(Enum.self)
    } else {
      layout = Self.layout(of: Enum.self)
      optional = nil
    }
    tags = layout.tags(withPayload: Value.self)
    if tags.isEmpty { Self.trap("\(Enum.self) has no case with a \(Value.self).") }
  }

  private static func layout(of type: Any.Type) -> EnumLayout {
    if let layout = EnumLayout.of(type) { return layout }
    trap("\(type) is no enum, or was compiled with -disable-reflection-metadata.")
  }

  var tag: UInt32? { tags.count == 1 ? tags[0] : nil }

  var name: String? { tag.flatMap { layout.name(of: $0) } }

  func matches(_ value: UnsafePointer<Enum>) -> Bool {
    let address = unsafe UnsafeRawPointer(value)
    // The first case of an optional is `some`, whose value has the same address.
    if let optional, unsafe optional.tag(at: address) != 0 { return false }
    let tag = unsafe layout.tag(at: address)
    if tags.count > 1, tags.contains(tag) { unsafe tags = [find(from: value, tag)] }
    return tag == self.tag
  }

  func matches(_ value: Enum) -> Bool {
    unsafe withUnsafePointer(to: value) { unsafe matches($0) }
  }

  func payload(of value: UnsafePointer<Enum>) -> Value? {
    unsafe matches(value) ? layout.payload(at: value, tag: tags[0], as: Value.self) : nil
  }

  func payload(of value: Enum) -> Value? {
    unsafe withUnsafePointer(to: value) { unsafe payload(of: $0) }
  }

  /// Which case the function makes of the associated values of a similar case.
  private func find(from value: UnsafePointer<Enum>, _ tag: UInt32) -> UInt32 {
    let made = unsafe embed(layout.payload(at: value, tag: tag, as: Value.self))
    return unsafe withUnsafePointer(to: made) { unsafe layout.tag(at: UnsafeRawPointer($0)) }
  }

  /// Puts the case around its associated values, in memory without a value.
  func put(_ payload: consuming Value, at address: UnsafeMutablePointer<Enum>) {
    unsafe address.initialize(to: embed(payload))
    if unsafe matches(address) { return }
    Self.trap("It made another case of \(Enum.self) than before.")
  }

  private static func trap(_ reason: String) -> Never {
    fatalError(
      """
      A function was given as a case of \(Enum.self) with a \(Value.self), but is none. \(reason) Give \
      the case itself, such as `Route.session`.
      """)
  }
}

/// The associated values of a value; `nil` if it has another case than the one that a function makes.
package func payload<Enum, Value>(
  of value: Enum, in enumCase: @escaping (Value) -> Enum
) -> Value? {
  EnumCase(enumCase).payload(of: value)
}
