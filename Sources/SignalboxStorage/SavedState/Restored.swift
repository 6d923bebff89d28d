/// What a restore has found.
///
/// The description is a sentence that an app can show.
public enum Restored: Equatable, Sendable {
  /// Nothing is stored, and the state is as it was.
  case nothing
  /// The saved properties are in the state.
  case restored
  /// The saved properties are in the state, migrated from an older version (P6).
  ///
  /// What is stored stays as it is until the next save.
  case migrated(from: Int)
  /// What is stored could not be decoded and has another name now (P5).
  ///
  /// The state is as it was, and saving is allowed.
  case setAside(as: String)
  /// A newer version of the program has saved this version (P6).
  ///
  /// The state is as it was, and nothing is written.
  case newer(Int)
  /// Something is stored, or may be, but cannot be read now (P5).
  ///
  /// The state is as it was, and nothing is written over what is stored.
  case unavailable(String)
  /// Another process writes under this name (P7).
  ///
  /// The state is as it was.
  case busy(process: WritingProcess)
}

extension Restored: CustomStringConvertible {
  /// Another process writes under this name.
  public static var busy: Restored { .busy(process: WritingProcess(nil)) }

  /// What was found, as a sentence.
  public var description: String {
    switch self {
    case .nothing: "Nothing was stored."
    case .restored: "The stored values were restored."
    case .migrated(let version): "The stored values were migrated from version \(version)."
    case .setAside(let name):
      "The stored values could not be decoded. They were kept under the name \(name)."
    case .newer(let version): SaveError.newer(version).description
    case .unavailable(let reason): SaveError.unavailable(reason).description
    case .busy(let process): SaveError.busy(process: process).description
    }
  }
}
