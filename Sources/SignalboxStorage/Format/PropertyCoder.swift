import Foundation

/// Encodes and decodes the values of one saved property.
struct PropertyCoder: Sendable {
  typealias Encoded = KeyedEncodingContainer<FieldName>
  typealias Decoded = KeyedDecodingContainer<FieldName>

  let name: String
  let encode: @Sendable (any Sendable, inout Encoded) throws -> Void
  let decode: @Sendable (Decoded) throws -> any Sendable

  init<Value: Codable & Sendable>(_ name: String, _: Value.Type) {
    self.name = name
    let key = FieldName(name)
    encode = { value, container in
      // The values of a snapshot are in the order of the properties.
      guard let value = value as? Value else { fatalError("A value of \(name) has another type.") }
      try container.encode(value, forKey: key)
    }
    decode = { try $0.decode(Value.self, forKey: key) }
  }
}
