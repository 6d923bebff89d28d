import Foundation
import Signalbox

/// What the actions of navigation do.
extension Notebook {
  /// Shows the screens that a link leads to, whatever was shown before.
  mutating func open(_ link: URL) {
    // What is shown already keeps what it has loaded.
    if path.url == link { return }
    guard let path = [Screen](url: link), path.allSatisfy(canShow) else {
      alert = AlertState("The link leads nowhere.", message: link.absoluteString)
      return
    }
    self.path = path
    // It would be asked over a screen that it is not about.
    confirmation = nil
  }

  private func canShow(_ screen: Screen) -> Bool {
    switch screen {
    case .note(let id): notes.contains { $0.id == id }
    case .attachment(let attachment): (try? file(attachment.id)) != nil
    }
  }

  /// The file of an attachment.
  func file(_ id: AttachedFile.ID) throws -> URL {
    let files = notes.first { $0.id == id.note }?.files ?? []
    guard id.number > 0, id.number <= files.count else { throw AttachmentError.missing }
    return files[id.number - 1]
  }

  /// Asks whether to remove a note.
  mutating func askToRemove(_ id: Note.ID) {
    confirmation = ConfirmationState(
      "Delete the note?", message: notes.first { $0.id == id }?.text,
      buttons: [
        DialogButton("Delete", role: .destructive, action: .remove(id)),
        DialogButton("Cancel", role: .cancel),
      ])
  }
}
