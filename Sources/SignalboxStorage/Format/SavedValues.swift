import Foundation

/// The values that an older version has saved, for a migration to change.
///
///     .migration(from: 1) { values in values.rename("text", to: "draft") }
///     .migration(from: 2) { values in
///       try values.change("to", from: String.self) { $0.split(separator: ",").map(String.init) }
///     }
///
/// Values that a migration does not mention stay as they are.
public struct SavedValues {
  /// The bytes of each value, which stay as they are unless a migration changes them.
  var fields: [String: Data]

  /// The names of the values, in order.
  public var names: [String] { fields.keys.sorted() }

  /// Whether there is a value with a name.
  public func contains(_ name: String) -> Bool { fields[name] != nil }

  /// Gives a value another name.
  ///
  /// Does nothing if there is no such value. A value that has the other name is replaced.
  public mutating func rename(_ name: String, to other: String) {
    if let value = fields.removeValue(forKey: name) { fields[other] = value }
  }

  /// Removes a value.
  ///
  /// Does nothing if there is no such value.
  public mutating func remove(_ name: String) { fields[name] = nil }

  /// Decodes a value.
  ///
  /// - Returns: `nil` if there is no such value.
  /// - Throws: an error if the value is of another type. A migration that throws it sets the file
  ///   aside (P6).
  public func value<Value: Decodable>(_ name: String, as type: Value.Type = Value.self) throws
    -> Value?
  {
    try fields[name].map { try Nesting.decode(type, from: $0) }
  }

  /// Adds a value, or replaces the one that has the name.
  ///
  /// - Throws: an error if the value cannot be encoded.
  public mutating func set<Value: Encodable>(_ name: String, to value: Value) throws {
    fields[name] = try Nesting.encode(value)
  }

  /// Replaces a value by one that is computed from it.
  ///
  /// Does nothing if there is no such value.
  ///
  /// - Throws: an error if the value is of another type, and what the closure throws.
  public mutating func change<Old: Decodable, New: Encodable>(
    _ name: String, from type: Old.Type = Old.self, _ transform: (Old) throws -> New
  ) throws {
    if let old = try value(name, as: Old.self) { try set(name, to: transform(old)) }
  }
}
