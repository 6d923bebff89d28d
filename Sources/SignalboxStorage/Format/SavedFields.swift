import Foundation

/// The contents of a file: a value for each known property that is there, and all other fields.
struct SavedFields: Sendable {
  /// The values in the order of the properties; `nil` for a property that is not there.
  var values: [(any Sendable)?]
  /// The fields that this version of the program does not know, which are kept (P6).
  var others: [String: JSONValue] = [:]
}

extension SavedFields: EncodableWithConfiguration {
  func encode(to encoder: any Encoder, configuration coders: [PropertyCoder]) throws {
    var container = encoder.container(keyedBy: FieldName.self)
    for (coder, value) in zip(coders, values) {
      guard let value else { continue }
      try coder.encode(value, &container)
    }
    for (name, value) in others { try container.encode(value, forKey: FieldName(name)) }
  }
}

extension SavedFields: DecodableWithConfiguration {
  init(from decoder: any Decoder, configuration coders: [PropertyCoder]) throws {
    let container = try decoder.container(keyedBy: FieldName.self)
    values = try coders.map { coder in
      guard container.contains(FieldName(coder.name)) else { return nil }
      return try coder.decode(container)
    }
    let known = Set(coders.map(\.name))
    for key in container.allKeys where !known.contains(key.stringValue) {
      others[key.stringValue] = try container.decode(JSONValue.self, forKey: key)
    }
  }
}
