/// Why a line could not be read.
public enum LineError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The line has more bytes than a line may have. It was skipped.
  case tooLong(limit: Int)
  /// The line is not UTF-8.
  ///
  /// - Parameter bytes: the line, without its end.
  case notUTF8(bytes: [UInt8])
  /// The system could not read any more.
  ///
  /// - Parameter reason: the text of the system's error.
  case unreadable(reason: String)

  /// The reason, as a sentence.
  public var description: String {
    switch self {
    case .tooLong(let limit): "A line has more than \(limit) bytes and was skipped."
    case .notUTF8(let bytes): "A line of \(bytes.count) bytes is not UTF-8."
    case .unreadable(let reason): "The next line cannot be read: \(reason)."
    }
  }
}
