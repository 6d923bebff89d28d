import Foundation

/// A screen over the list.
enum Screen: Equatable, Sendable {
  case note(Note.ID)
  case attachment(AttachedFile)

  /// The note that the screen is about.
  var noteID: Note.ID {
    switch self {
    case .note(let id): id
    case .attachment(let attachment): attachment.id.note
    }
  }
}

/// Links to paths, such as `notes://note/3/attachment/1`.
extension [Screen] {
  /// The path that a link leads to; `nil` if it leads to none.
  init?(url: URL) {
    let words = url.absoluteString.split(separator: "/").dropFirst().map(String.init)
    self = []
    if words.count > 1, let note = Int(words[1]) {
      append(.note(note))
      if words.count > 3, let number = Int(words[3]) {
        append(.attachment(AttachedFile(id: AttachedFile.ID(note: note, number: number))))
      }
    }
    // A path has one link. What is spelled otherwise is none.
    if self.url != url { return nil }
  }

  /// The link that leads to this path; `nil` if there is none.
  var url: URL? {
    var link = "notes://"
    for (index, screen) in enumerated() {
      switch (index, screen) {
      case (0, .note(let id)): link += "note/\(id)"
      case (1, .attachment(let attachment)) where attachment.id.note == self[0].noteID:
        link += "/attachment/\(attachment.id.number)"
      default: return nil
      }
    }
    return URL(string: link)
  }
}
