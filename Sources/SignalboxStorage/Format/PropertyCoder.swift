import Foundation
import Signalbox

/// Encodes and decodes the values of one saved property.
struct PropertyCoder: Sendable {
  let name: String
  let type: ObjectIdentifier
  /// Throws if the bytes could not be decoded again, because they must never replace some that can.
  let encode: @Sendable (any Sendable) throws -> Data
  let decode: @Sendable (Data) throws -> any Sendable
  /// Whether two values are equal; `nil` if they have no `==`.
  let areEqual: @Sendable (any Sendable, any Sendable) -> Bool?

  init<Value: Codable & Sendable>(_ name: String, _: Value.Type) {
    self.name = name
    type = ObjectIdentifier(Value.self)
    let decode = { @Sendable data in try SavedFormat.decode(Value.self, from: data) }
    self.decode = decode
    areEqual = { RuntimeEquality.areEqual($0, $1, by: Value.self) }
    encode = { value in
      // The values of a snapshot are in the order of the properties.
      guard let value = value as? Value else { fatalError("A value of \(name) has another type.") }
      try Nesting.check(value, at: name)
      // "{\n  name : value\n}", so that the lines of the value have their indentation.
      let object = try SavedFormat.encoder.encode([name: value])
      let data = object.dropFirst(try SavedFormat.encode(name).count + 7).dropLast(2)
      let copy: Value
      do {
        copy = try decode(data)
      } catch {
        throw Mistake(
          "A value that was encoded could not be decoded. \(SavedFormat.sentence(error, in: name))")
      }
      // As `.some(nil)` does.
      if isNil(copy), !isNil(value) {
        throw Mistake("The value of \(name) would come back as nil.")
      }
      return data
    }
  }
}

private func isNil(_ value: Any) -> Bool { (value as? any AnyOptional)?.isNil == true }
