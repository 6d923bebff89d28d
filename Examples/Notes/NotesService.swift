/// The dependencies of the program.
struct NotesService {
  /// Shares a text and returns where others can read it.
  ///
  /// - Throws: an error whose description tells the user why the text was not shared.
  var share: @MainActor (_ text: String, _ author: String) async throws -> String
}

enum SharingError: Error, Equatable, CustomStringConvertible {
  case alreadyShared

  var description: String { "The board already has this note." }
}

extension NotesService {
  /// A notice board in this process, which answers after a delay.
  ///
  /// - Parameters:
  ///   - delay: the time until a text is shared.
  ///   - clock: the clock of the delay.
  @MainActor
  static func board(
    delay: Duration = .milliseconds(500), clock: any Clock<Duration> = ContinuousClock()
  ) -> NotesService {
    var texts: [String] = []
    return NotesService { text, author in
      try await clock.sleep(for: delay)
      guard !texts.contains(text) else { throw SharingError.alreadyShared }
      texts.append(text)
      return "board/\(author.isEmpty ? "anyone" : author)/\(texts.count)"
    }
  }
}
