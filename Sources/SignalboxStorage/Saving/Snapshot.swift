import Foundation
import Signalbox

/// The values of one commit or of a file, and once they were encoded, their bytes.
final class Snapshot: Sendable {
  enum Content: Sendable {
    case values(SavedFields)
    case data(Data)
  }

  let format: SavedFormat
  private let held: LockedValue<Content>

  init(_ content: Content, _ format: SavedFormat) {
    held = LockedValue(content)
    self.format = format
  }

  private var content: Content { held.withLock { $0 } }

  var data: Data? { if case .data(let data) = content { data } else { nil } }

  /// The bytes, which replace the held values, because a change in place would copy held values.
  func encode() throws(SaveError) -> Data {
    switch content {
    case .data(let data): return data
    case .values(let values):
      let data = try format.data(values)
      // They are released only after the lock, because a deinit of the program may call back.
      withExtendedLifetime(values) { held.withLock { $0 = .data(data) } }
      return data
    }
  }

  func read(
    as other: SavedFormat, migrating migrate: SavedFormat.Migration
  ) throws -> (fields: SavedFields, version: Int?) {
    if case .values(let values) = content, other.isSame(as: format) { return (values, nil) }
    return try other.read(encode(), migrating: migrate)
  }
}
