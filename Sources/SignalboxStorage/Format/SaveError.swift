public import Foundation
import Signalbox

/// Why a save has failed or is not allowed.
///
/// The description is a sentence that an app can show.
public enum SaveError: Error, Equatable, Sendable {
  /// The stored version is newer than this program, which therefore writes nothing (P6).
  case newer(Int)
  /// What is stored cannot be read, so nothing is written over it (P5).
  case unavailable(String)
  /// Another process writes under this name (P7).
  case busy(process: WritingProcess)
  /// The values cannot be encoded or written.
  case failed(String)
}

extension SaveError: CustomStringConvertible, LocalizedError {
  /// Another process writes under this name.
  public static var busy: SaveError { .busy(process: WritingProcess(nil)) }

  /// What was typed in a store after a newer one was made.
  static var olderStore: SaveError {
    .failed(
      "A newer window has this open. What is typed here is kept beside the file when this one ends."
    )
  }

  init(_ error: any Error) { self = error as? SaveError ?? .failed(Dump.description(of: error)) }

  /// What went wrong, as a sentence.
  public var description: String {
    switch self {
    case .newer(let version):
      "The stored version \(version) is newer than this program, so nothing is saved."
    case .unavailable(let reason): "What is stored cannot be read, so nothing is saved: \(reason)"
    case .busy(let process): "\(process) has this open, so nothing is saved here."
    case .failed(let reason): "Saving failed: \(reason)"
    }
  }

  /// The same sentence as `description`.
  public var errorDescription: String? { description }
}

/// The process that writes what this one cannot write.
///
/// Any two are equal, so an outcome can be compared with `.busy`.
public struct WritingProcess: Equatable, Sendable, CustomStringConvertible {
  /// The identifier of the process; `nil` if the storage does not tell.
  public let id: Int32?

  init(_ id: Int32?) { self.id = id }

  /// Names the process, as the start of a sentence.
  public var description: String { id.map { "Another process (\($0))" } ?? "Another process" }

  /// Is true.
  public static func == (one: WritingProcess, other: WritingProcess) -> Bool { true }
}
