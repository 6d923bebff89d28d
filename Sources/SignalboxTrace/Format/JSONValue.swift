import Foundation

/// A value of JSON, whose shape `JSONDecoder` would need to know before it reads it.
enum JSONValue {
  case null
  case bool(Bool)
  case integer(Int)
  case double(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  subscript(_ key: String) -> JSONValue? {
    if case .object(let members) = self { members[key] } else { nil }
  }

  var string: String? { if case .string(let text) = self { text } else { nil } }
  var array: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
  var int: Int? { if case .integer(let number) = self { number } else { nil } }
  var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  var double: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .double(let number): number
    default: nil
    }
  }
}

extension JSONValue {
  /// `nil` if the text is not JSON or deeper than 512 levels, twice what recorded values need.
  init?(_ text: some Collection<UInt8>) {
    guard
      let value = try? JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed)
    else { return nil }
    self.init(object: value)
  }

  private init(object: Any) {
    switch object {
    case let text as String: self = .string(text)
    case let elements as [Any]: self = .array(elements.map { JSONValue(object: $0) })
    case let members as [String: Any]:
      self = .object(members.mapValues { JSONValue(object: $0) })
    // Only the type of the number tells `true` from 1.
    case let number as NSNumber where unsafe ["c", "B"].contains(String(cString: number.objCType)):
      self = .bool(number.boolValue)
    case let number as NSNumber:
      self = Int(exactly: number).map { .integer($0) } ?? .double(number.doubleValue)
    default: self = .null
    }
  }
}
