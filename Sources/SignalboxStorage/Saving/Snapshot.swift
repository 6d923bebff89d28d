import Foundation
import Signalbox

/// The values of one commit, and after they were encoded, their bytes.
final class Snapshot: Sendable {
  enum Content: Sendable {
    /// In the order of the properties.
    case values([(any Sendable)?])
    case data(Data)
  }

  private let held: LockedValue<Content>

  init(_ values: sending [(any Sendable)?]) { held = LockedValue(.values(values)) }

  /// Whether the values were encoded.
  var isEncoded: Bool { if case .data = content { true } else { false } }

  var content: Content {
    get { held.withLock { $0 } }
    set {
      // Released only after the lock, because a deinit of the program may call back.
      let old = held.withLock { content in
        defer { content = newValue }
        return content
      }
      withExtendedLifetime(old) {}
    }
  }
}
