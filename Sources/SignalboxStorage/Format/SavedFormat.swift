import Foundation
import Signalbox

/// The format of a file: a line that names the format and the version, and an object in JSON.
///
///     // signalbox 1, version 2
///     {
///       "draft" : "dear all"
///     }
///
/// People can read and mend it. There is no checksum, because a mended file would not match it.
struct SavedFormat: Sendable {
  /// The version of the format itself.
  static let number = 1

  let version: Int
  let coders: [PropertyCoder]

  /// What the bytes of a file are.
  enum Contents {
    case fields(SavedFields)
    /// - Parameter json: the object after the first line.
    case older(Int, json: Data)
    case newer(Int)
    case damaged(reason: String)
  }

  /// The bytes of a file with these fields.
  ///
  /// - Throws: `Mistake` if the values cannot be encoded, or could not be decoded again. A file that
  ///   cannot be decoded must never replace one that can.
  func data(_ fields: SavedFields) throws(Mistake) -> Data {
    let json: Data
    do {
      json = try Self.encoder.encode(fields, configuration: coders)
    } catch is RedactedValueRefused {
      throw Mistake("A saved property contains a @Redacted value, which is never saved.")
    } catch {
      throw Mistake("A value cannot be encoded. \(Self.sentence(error))")
    }
    do {
      _ = try Self.decoder.decode(SavedFields.self, from: json, configuration: coders)
    } catch {
      throw Mistake("A value that was encoded could not be decoded. \(Self.sentence(error))")
    }
    return Data("// signalbox \(Self.number), version \(version)\n".utf8) + json + Data("\n".utf8)
  }

  /// Reads the bytes of a file.
  func contents(of data: Data) -> Contents {
    guard let (format, stored, json) = Self.split(data) else {
      return .damaged(reason: "The first line is not \"// signalbox 1, version …\".")
    }
    if format > Self.number || stored > version { return .newer(stored) }
    if stored < version { return .older(stored, json: json) }
    do {
      return .fields(try fields(in: json))
    } catch {
      return .damaged(reason: error.description)
    }
  }

  /// Decodes the object after the first line.
  func fields(in json: Data) throws(Mistake) -> SavedFields {
    do {
      return try Self.decodeMended(json) {
        try $0.decode(SavedFields.self, from: $1, configuration: coders)
      }
    } catch {
      throw Mistake(Self.sentence(error))
    }
  }

  /// Decodes an object of an older version, whatever its fields are.
  static func anyFields(in json: Data) throws(Mistake) -> [String: JSONValue] {
    do {
      return try decodeMended(json) { decoder, json in
        guard case .object(let fields) = try decoder.decode(JSONValue.self, from: json) else {
          throw Mistake("There is no object.")
        }
        return fields
      }
    } catch {
      throw Mistake(sentence(error))
    }
  }

  /// Decodes strictly, and after a failure with the liberties that people take, such as comments.
  private static func decodeMended<R>(
    _ json: Data, _ decode: (JSONDecoder, Data) throws -> R
  ) throws -> R {
    do {
      return try decode(decoder, json)
    } catch {
      let lenient = decoder
      lenient.allowsJSON5 = true
      // If this fails as well, the first error tells more.
      guard let result = try? decode(lenient, json) else { throw error }
      return result
    }
  }

  // MARK: - The first line

  private static func split(_ data: Data) -> (format: Int, version: Int, json: Data)? {
    // A person's editor may have added a byte order mark and carriage returns.
    let start = data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.startIndex + 3 : data.startIndex
    let end = data[start...].prefix(100).firstIndex(of: UInt8(ascii: "\n"))
    guard let end, let line = String(bytes: data[start..<end], encoding: .utf8),
      let match = line.wholeMatch(of: /\/\/ signalbox ([0-9]{1,9}), version ([0-9]{1,9})\s*/),
      let format = Int(match.1), let version = Int(match.2)
    else { return nil }
    return (format, version, Data(data[(end + 1)...]))
  }

  // MARK: - JSON

  static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    encoder.dataEncodingStrategy = .base64
    encoder.userInfo[.refusesRedacted] = true
    return encoder
  }

  static var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    decoder.dataDecodingStrategy = .base64
    return decoder
  }

  /// What is wrong, with the place in the object.
  static func sentence(_ error: any Error) -> String {
    func place(_ context: DecodingError.Context, _ key: (any CodingKey)? = nil) -> String {
      let path = (context.codingPath + (key.map { [$0] } ?? [])).map(\.stringValue)
      return path.isEmpty ? "The contents" : "The value of \(path.joined(separator: "."))"
    }
    return switch error {
    case let error as Mistake: error.description
    case DecodingError.typeMismatch(let type, let context):
      "\(place(context)) is not a \(type)."
    case DecodingError.valueNotFound(let type, let context):
      "\(place(context)) is null instead of a \(type)."
    case DecodingError.keyNotFound(let key, let context): "\(place(context, key)) is missing."
    case DecodingError.dataCorrupted(let context):
      "\(place(context)): \(context.debugDescription)"
    case EncodingError.invalidValue(_, let context): context.debugDescription
    default: "\(error)"
    }
  }
}

/// Something wrong with the contents of a file, as a sentence.
struct Mistake: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
