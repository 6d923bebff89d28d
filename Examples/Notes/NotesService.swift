/// The dependencies of the program.
struct NotesService {
  /// Shares a text and returns where others can read it.
  ///
  /// - Throws: an error whose description tells the user why the text was not shared.
  var share: @MainActor (_ text: String, _ author: String) async throws -> String
  /// Takes a shared text back.
  ///
  /// - Throws: an error whose description tells the user why others can still read it.
  var withdraw: @MainActor (_ link: String) async throws -> Void = { _ in }
}

enum SharingError: Error, Equatable, CustomStringConvertible {
  case alreadyShared

  var description: String { "The board already has this note." }
}

extension NotesService {
  /// A notice board in this process, which answers after a delay.
  ///
  /// - Parameters:
  ///   - delay: the time until a text is shared or withdrawn.
  ///   - clock: the clock of the delay.
  @MainActor
  static func board(
    delay: Duration = .milliseconds(500), clock: any Clock<Duration> = ContinuousClock()
  ) -> NotesService {
    var texts: [String: String] = [:]
    var count = 0
    return NotesService(
      share: { text, author in
        try await clock.sleep(for: delay)
        guard !texts.values.contains(text) else { throw SharingError.alreadyShared }
        count += 1
        let link = "board/\(author.isEmpty ? "anyone" : author)/\(count)"
        texts[link] = text
        return link
      },
      // The texts of earlier runs are gone.
      withdraw: { link in
        try await clock.sleep(for: delay)
        texts[link] = nil
      })
  }
}
