import Foundation

/// Any JSON value, for the fields that this version of a program does not know.
///
/// Integers and decimal numbers keep all of their digits.
enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case unsigned(UInt64)
  case decimal(Decimal)
  case double(Double)
  case string(String)
  indirect case array([JSONValue])
  indirect case object([String: JSONValue])
}

extension JSONValue: Decodable {
  init(from decoder: any Decoder) throws {
    if let object = try? decoder.container(keyedBy: FieldName.self) {
      var fields: [String: JSONValue] = [:]
      for key in object.allKeys {
        fields[key.stringValue] = try object.decode(JSONValue.self, forKey: key)
      }
      self = .object(fields)
      return
    }
    if var array = try? decoder.unkeyedContainer() {
      var elements: [JSONValue] = []
      while !array.isAtEnd { elements.append(try array.decode(JSONValue.self)) }
      self = .array(elements)
      return
    }
    let single = try decoder.singleValueContainer()
    if single.decodeNil() {
      self = .null
    } else if let value = try? single.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? single.decode(String.self) {
      self = .string(value)
    } else if let value = try? single.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? single.decode(UInt64.self) {
      self = .unsigned(value)
    } else if let value = try? single.decode(Decimal.self) {
      // A number of another size than `Decimal` can hold may be decoded as another number.
      let double = try? single.decode(Double.self)
      // `doubleValue` is not exact.
      let isSame =
        double.map { abs($0 - (value as NSDecimalNumber).doubleValue) <= abs($0) * 1e-9 } ?? true
      self = isSame ? .decimal(value) : .double(double ?? .nan)
    } else {
      self = .double(try single.decode(Double.self))
    }
  }
}

extension JSONValue: Encodable {
  func encode(to encoder: any Encoder) throws {
    var single = encoder.singleValueContainer()
    switch self {
    case .null: try single.encodeNil()
    case .bool(let value): try single.encode(value)
    case .integer(let value): try single.encode(value)
    case .unsigned(let value): try single.encode(value)
    case .decimal(let value): try single.encode(value)
    case .double(let value): try single.encode(value)
    case .string(let value): try single.encode(value)
    case .array(let elements): try single.encode(elements)
    case .object(let fields):
      // A dictionary would be encoded with its keys as they are, too, but not by every encoder.
      var object = encoder.container(keyedBy: FieldName.self)
      for (name, value) in fields { try object.encode(value, forKey: FieldName(name)) }
    }
  }
}

/// The name of a field in a file.
struct FieldName: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { nil }
}
