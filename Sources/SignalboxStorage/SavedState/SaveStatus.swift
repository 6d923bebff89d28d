/// Whether the newest values of the saved properties are stored.
public enum SaveStatus: Equatable, Sendable {
  /// Everything is stored, or nothing has changed yet.
  case saved
  /// A change waits to be stored.
  case pending
  /// The last save has failed, for this reason.
  ///
  /// It is tried again, unless only another restore helps.
  case failed(String)
}
