/// Hides a value from every text that the library or the language makes.
///
///     struct Session: Equatable {
///       var user = "ann"
///       @Redacted var token = "s3cret"
///     }
///     print(Dump.string(of: Session()))      // Session(user: "ann", token: <redacted>)
///     print(Session())                       // Session(user: "ann", _token: <redacted>)
///
/// A diff shows that the value has changed, but not the value itself (D4). A custom description,
/// mirror or encoding that reads the value can still reveal it.
///
/// What a closure makes of a value with a redacted part is hidden as a whole, as in
/// `publisher.session.map { $0.user }`, because it may contain any part. `publisher.session.user` is
/// shown.
@propertyWrapper public struct Redacted<Value> {
  /// The value itself.
  public var wrappedValue: Value

  /// Hides a value.
  public init(wrappedValue: Value) {
    self.wrappedValue = wrappedValue
    Redaction.noteUse()
  }
}

extension Redacted: Equatable where Value: Equatable {}
extension Redacted: Hashable where Value: Hashable {}
extension Redacted: Sendable where Value: Sendable {}

extension Redacted: Encodable where Value: Encodable {
  /// Encodes the value as if it were not wrapped.
  ///
  /// - Throws: the error that the value or the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    if encoder.userInfo[.refusesRedacted] != nil { throw RedactedValueRefused() }
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

extension CodingUserInfoKey {
  /// Makes an encoder refuse every `@Redacted` value, if its `userInfo` has a value for this key.
  // An initialiser that never returns `nil`.
  package static let refusesRedacted = CodingUserInfoKey(rawValue: "Signalbox.refusesRedacted")!
}

/// The error of an encoder that refuses redacted values.
package struct RedactedValueRefused: Error {}

extension Redacted: Decodable where Value: Decodable {
  /// Decodes the value as if it were not wrapped.
  ///
  /// - Throws: the error that the value or the decoder throws.
  public init(from decoder: any Decoder) throws {
    self.init(wrappedValue: try decoder.singleValueContainer().decode(Value.self))
  }
}

extension KeyedEncodingContainer {
  /// Omits a `nil`, as for an optional that is not wrapped.
  ///
  /// - Throws: the error that the value or the encoder throws.
  public mutating func encode<T: Encodable>(_ value: Redacted<T?>, forKey key: Key) throws {
    // As a `Redacted`, so that an encoder that refuses redacted values refuses this one, too.
    try encodeIfPresent(value.wrappedValue.map { Redacted<T>(wrappedValue: $0) }, forKey: key)
  }
}

extension KeyedDecodingContainer {
  /// Decodes a missing key as `nil`, as for an optional that is not wrapped.
  ///
  /// - Throws: the error that the value or the decoder throws.
  public func decode<T: Decodable>(_: Redacted<T?>.Type, forKey key: Key) throws -> Redacted<T?> {
    Redacted(wrappedValue: try decodeIfPresent(T.self, forKey: key))
  }
}

extension Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// `<redacted>` for every value.
  public var description: String { Redaction.text }
  /// `<redacted>` for every value.
  public var debugDescription: String { Redaction.text }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

/// A `Redacted` of any type.
package protocol RedactedValue {
  var hidden: Any { get }
}

extension Redacted: RedactedValue {
  package var hidden: Any { wrappedValue }
}
