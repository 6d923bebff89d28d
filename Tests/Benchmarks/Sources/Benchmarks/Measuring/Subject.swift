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
  /// Called before and after each turn, and not measured.
  private(set) var begin: @MainActor () -> Void = {}
  private(set) var end: @MainActor () -> Void = {}

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

  /// The same subject, in surroundings that last for one turn.
  func between(
    _ begin: @escaping @MainActor () -> Void, _ end: @escaping @MainActor () -> Void
  ) -> Subject {
    var subject = self
    subject.begin = begin
    subject.end = end
    return subject
  }

  /// The same subject, whose time is reported for each piece.
  func inPieces(_ count: Int) -> Subject {
    var subject = self
    subject.pieces = count
    return subject
  }
}
