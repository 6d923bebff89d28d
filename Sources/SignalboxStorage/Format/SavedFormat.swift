import Foundation
import Signalbox

/// The format of a file: a line that names the format and the version, and an object in JSON.
///
/// People can read and mend it. There is no checksum, because a mended file would not match it.
struct SavedFormat: Sendable {
  /// The version of the format itself.
  static let number = 1

  let version: Int
  let coders: [PropertyCoder]

  /// Whether another format has the same properties, as another call of a factory function makes it.
  func isSame(as other: SavedFormat) -> Bool {
    version == other.version
      && coders.elementsEqual(other.coders) { $0.name == $1.name && $0.type == $1.type }
  }

  /// Decodes the object in the file of an older version.
  typealias Migration = (_ json: Data, _ version: Int) throws -> SavedFields

  /// - Throws: an error also if the values could not be decoded again. A file that cannot be
  ///   decoded must never replace one that can.
  func data(_ fields: SavedFields) throws(SaveError) -> Data {
    do {
      return try Nesting.withStack { try encoded(fields) }
    } catch {
      throw .failed(Self.sentence(error))
    }
  }

  private func encoded(_ fields: SavedFields) throws -> Data {
    var all = fields.others
    for (coder, value) in zip(coders, fields.values) {
      if let value { all[coder.name] = try coder.encode(value) }
    }
    var data = Data("// signalbox \(Self.number), version \(version)\n{\n".utf8)
    for (index, (name, value)) in all.sorted(by: { $0.key < $1.key }).enumerated() {
      if index > 0 { data += Data(",\n".utf8) }
      data += Data("  ".utf8) + (try Self.encode(name)) + Data(" : ".utf8) + value
    }
    return data + Data("\n}\n".utf8)
  }

  /// - Returns: the fields, and the older version that they were migrated from.
  /// - Throws: `SaveError.newer`, or why the bytes cannot be decoded.
  func read(
    _ data: Data, migrating migrate: Migration
  ) throws -> (fields: SavedFields, version: Int?) {
    if let newer = newerVersion(of: data) { throw SaveError.newer(newer) }
    guard case (_, let stored?, let json)? = Self.split(data) else {
      throw Mistake("The first line is not \"// signalbox 1, version …\".")
    }
    if stored < version { return (try migrate(json, stored), stored) }
    return (try decoded(JSONScanner.fields(of: json)), nil)
  }

  /// Whether bytes can be decoded, as far as that is known without the migration of an older version.
  func canRead(_ data: Data) -> Bool {
    (try? read(data) { json, _ in try .init(values: [], others: JSONScanner.fields(of: json)) })
      != nil
  }

  // Whether two files hold the same values, such as one that a person has formatted. A set is
  // written in another order each time. But values that are equal by `==` may also differ in what
  // is written, and then they are not the same.
  func isSame(_ bytes: Data, as other: Data) -> Bool {
    func fields(_ data: Data) -> SavedFields? {
      try? read(data) { _, _ in throw Mistake("It has an older version.") }.fields
    }
    guard let one = fields(bytes), let other = fields(other), one.others == other.others else {
      return false
    }
    let isSame = try? Nesting.withStack {
      try zip(coders, zip(one.values, other.values)).allSatisfy { coder, pair in
        guard let a = pair.0, let b = pair.1 else { return pair.0 == nil && pair.1 == nil }
        let (one, other) = (try coder.encode(a), try coder.encode(b))
        if one == other { return true }
        return coder.areEqual(a, b) == true && Self.unordered(one) == Self.unordered(other)
      }
    }
    return isSame ?? false
  }

  /// A text that is the same for JSON whose arrays have the same elements.
  private static func unordered(_ data: Data) -> String? {
    func text(_ json: Any) -> String {
      switch json {
      case let array as [Any]: "[\(array.map(text).sorted().joined(separator: ","))]"
      case let object as [String: Any]:
        "\(object.map { "\($0.debugDescription): \(text($1))" }.sorted())"
      case let string as String: string.debugDescription
      default: "\(json)"
      }
    }
    return (try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)).map(text)
  }

  /// The version of bytes that a newer program has written; `nil` for all others.
  func newerVersion(of data: Data) -> Int? {
    guard let (format, stored, _) = Self.split(data) else { return nil }
    guard let stored else { return Int.max }
    return format > Self.number || stored > version ? stored : nil
  }

  func decoded(_ fields: [String: Data]) throws -> SavedFields {
    try Nesting.withStack {
      var result = SavedFields(values: [], others: fields)
      for coder in coders {
        do {
          result.values.append(try result.others.removeValue(forKey: coder.name).map(coder.decode))
        } catch {
          throw Mistake(Self.sentence(error, in: coder.name))
        }
      }
      // They are slices, which would hold the whole file.
      result.others = result.others.mapValues { $0.subdata(in: $0.startIndex..<$0.endIndex) }
      return result
    }
  }

  /// Made once, because making it takes longer than to decode a small file.
  private nonisolated(unsafe) static let header =
    /\/\/ signalbox ([0-9]+)\b(, version (.*))?/

  /// - Returns: the parts. The version is `nil` if it is not an `Int`, and only newer programs write
  ///   such a version.
  private static func split(_ data: Data) -> (format: Int, version: Int?, json: Data)? {
    // A person's editor may have added a byte order mark and carriage returns.
    let start = data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.startIndex + 3 : data.startIndex
    guard data[start...].starts(with: "// signalbox ".utf8) else { return nil }
    let end = data[start...].firstIndex(of: UInt8(ascii: "\n")) ?? data.endIndex
    let line = String(decoding: data[start..<end], as: UTF8.self)
    guard let match = unsafe line.prefixMatch(of: header) else { return nil }
    let format = Int(match.1) ?? .max
    guard let stored = match.3 else { return format > number ? (format, nil, Data()) : nil }
    guard end < data.endIndex || format > number else { return nil }
    let version = Int(stored.trimmingCharacters(in: .whitespaces))
    return (format, version, data[end...].dropFirst())
  }

  static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    encoder.userInfo = userInfo
    return encoder
  }

  static var userInfo: [CodingUserInfoKey: any Sendable] { [.refusesRedacted: true] }

  static var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return decoder
  }

  static func encode(_ value: some Encodable) throws -> Data {
    try Nesting.check(value)
    return try encoder.encode(value)
  }

  /// Decodes one value strictly, and after a failure with the liberties that people take.
  static func decode<Value: Decodable>(_ type: Value.Type, from json: Data) throws -> Value {
    do {
      return try decoder.decode(type, from: json)
    } catch {
      let lenient = decoder
      lenient.allowsJSON5 = true
      // If this fails as well, the first error tells more.
      guard let result = try? lenient.decode(type, from: json) else { throw error }
      return result
    }
  }

  static func sentence(_ error: any Error, in field: String? = nil) -> String {
    func place(_ keys: [any CodingKey]) -> String {
      let names = (field.map { [$0] } ?? []) + keys.map(\.stringValue)
      return names.isEmpty ? "The contents" : "The value of \(names.joined(separator: "."))"
    }
    return switch error {
    case let error as Mistake: error.description
    case DecodingError.typeMismatch(let type, let context),
      DecodingError.valueNotFound(let type, let context):
      "\(place(context.codingPath)) is not a \(type)."
    case DecodingError.keyNotFound(let key, let context):
      "\(place(context.codingPath + [key])) is missing."
    case DecodingError.dataCorrupted(let context):
      "\(place(context.codingPath)): \(context.debugDescription)"
    case EncodingError.invalidValue(_, let context):
      "A value cannot be encoded. \(context.debugDescription)"
    case is RedactedValueRefused:
      "A saved property contains a @Redacted value, which is never saved."
    default: Dump.description(of: error)
    }
  }
}

/// The contents of a file: a value for each known property that is there, and all other fields.
struct SavedFields: Sendable {
  /// The values in the order of the properties; `nil` for a property that is not there.
  var values: [(any Sendable)?]
  /// The bytes of the fields that this version of the program does not know, which are kept (P6).
  var others: [String: Data] = [:]
}

/// Something wrong with the contents of a file, as a sentence.
struct Mistake: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
