/// Work that can be repeated any number of times.
@MainActor struct Subject {
  let name: String
  /// Whether the work stays on its thread, so that its allocations can be counted.
  let isSynchronous: Bool
  /// The number of pieces in one repetition.
  ///
  /// All of them are measured together.
  private(set) var pieces = 1
  let run: @MainActor (Int) async -> Void

  init(_ name: String, _ run: @escaping @MainActor (Int) -> Void) {
    self.name = name
    self.run = run
    isSynchronous = true
  }

  init(_ name: String, awaiting run: @escaping @MainActor (Int) async -> Void) {
    self.name = name
    self.run = run
    isSynchronous = false
  }

  /// The same subject, whose time is reported for each piece.
  func inPieces(_ count: Int) -> Subject {
    var subject = self
    subject.pieces = count
    return subject
  }
}
