import Foundation

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
  /// Reads the beginning of a file.
  ///
  /// - Throws: an error whose description tells the user why there is no text.
  var load: @MainActor (_ file: URL) async throws -> String = { try await beginning(of: $0) }
}

/// Reads at most 64 KB of a file, off the main actor.
@concurrent private func beginning(of file: URL) async throws -> String {
  guard file.isFileURL,
    let data = try? FileHandle(forReadingFrom: file).read(upToCount: 65_536)
  else { throw AttachmentError.unreadable }
  return String(decoding: data, as: UTF8.self)
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
