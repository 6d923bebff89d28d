import Foundation

/// A line of a script.
enum ScriptCommand: Equatable {
  case new(String)
  case edit(Note.ID, String)
  case draft(DraftAction)
  case note(Note.ID, NoteAction)
  case remove(Note.ID)
  case search(String)
  case order
  case author(String)
  case open(URL)
  case back
  case answer(isYes: Bool)

  init?(_ line: String) {
    let (word, rest) = Self.split(line)
    let (number, text) = Self.split(rest)
    let id = Int(number)
    switch word {
    case "new": self = .new(rest)
    case "done": self = .draft(.done)
    case "discard": self = .draft(.discard)
    case "search", "list": self = .search(rest)
    case "order": self = .order
    case "author": self = .author(rest)
    case "open":
      guard let link = URL(string: rest) else { return nil }
      self = .open(link)
    case "back": self = .back
    case "yes", "no": self = .answer(isYes: word == "yes")
    default:
      guard let id else { return nil }
      switch word {
      case "edit": self = .edit(id, text)
      case "pin": self = .note(id, .pin)
      case "share": self = .note(id, .share)
      case "remove": self = .remove(id)
      default: return nil
      }
    }
  }

  private static func split(_ text: String) -> (word: String, rest: String) {
    let word = text.prefix { $0 != " " }
    return (String(word), String(text[word.endIndex...].dropFirst()))
  }
}
