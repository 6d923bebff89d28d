import Foundation
import Signalbox
import SignalboxStorage

/// The state of the program, which consists of the states of its features.
struct Notebook: Equatable, Sendable {
  var notes: [Note] = []
  /// The draft in the editor; `nil` while there is no editor.
  var draft: Draft?
  var search = Search()
  var settings = Settings()
  var saving = SaveStatus.saved
  /// The screens over the list.
  var path: [Screen] = []
  var confirmation: ConfirmationState<NotebookAction>?
  var alert: AlertState<NotebookAction>?

  /// Changes the note of a draft, or adds one if there is no such note.
  mutating func keep(_ draft: Draft) {
    if let index = notes.firstIndex(where: { $0.id == draft.noteID }) {
      notes[index].text = draft.text
      notes[index].link = nil
      notes[index].problem = nil
    } else {
      notes.append(Note(id: (notes.map(\.id).max() ?? 0) + 1, text: draft.text))
    }
    self.draft = nil
  }
}

enum NotebookAction: Equatable {
  case write
  case askToRemove(Note.ID)
  /// Removes a note, as the user has confirmed.
  case remove(Note.ID)
  /// Follows a link.
  case open(URL)
}

enum NotebookHook: CaseIterable {
  case changed
  /// The screens about a note go with it.
  case removed
}

extension SavedState<Notebook> {
  /// What is kept between runs.
  static func notebook(in storage: any Storage) -> SavedState {
    SavedState("notebook", in: storage)
      .property("notes", \.notes)
      .property("draft", \.draft)
      .property("settings", \.settings)
  }
}
