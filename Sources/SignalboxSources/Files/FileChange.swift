/// What has happened to a watched file.
public enum FileChange: Hashable, Sendable {
  /// The file has other contents: it was written, truncated, or replaced by another file.
  case changed
  /// There is no file of this name any more.
  case removed
  /// There is a file of this name again, or for the first time.
  case created
}
