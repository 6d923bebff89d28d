public import Foundation

/// Why a save has failed or is not allowed.
///
/// The description is a sentence that an app can show.
public enum SaveError: Error, Equatable, Sendable {
  /// The stored version is newer than this program, which therefore writes nothing (P6).
  case newer(Int)
  /// What is stored cannot be read, so nothing is written over it (P5).
  case unavailable(String)
  /// Another process, or another `SavedState` of this one, writes under this name (P7).
  case busy
  /// The values cannot be encoded or written.
  case failed(String)
}

extension SaveError: CustomStringConvertible, LocalizedError {
  /// What went wrong, as a sentence.
  public var description: String {
    switch self {
    case .newer(let version):
      "The stored version \(version) is newer than this program, so nothing is saved."
    case .unavailable(let reason): "What is stored cannot be read, so nothing is saved: \(reason)"
    case .busy: "Another process or window has this open, so nothing is saved here."
    case .failed(let reason): "Saving failed: \(reason)"
    }
  }

  /// The same sentence as `description`.
  public var errorDescription: String? { description }
}
