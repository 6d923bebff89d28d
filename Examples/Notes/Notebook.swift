import SignalboxStorage

/// The state of the program, which consists of the states of its features.
struct Notebook: Equatable, Sendable {
  var notes: [Note] = []
  /// The draft in the editor; `nil` while there is no editor.
  var draft: Draft?
  var search = Search()
  var settings = Settings()
  var saving = SaveStatus.saved

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

enum NotebookAction { case write }
enum NotebookHook: CaseIterable { case changed }

extension SavedState<Notebook> {
  /// What is kept between runs.
  static func notebook(in storage: any Storage) -> SavedState {
    SavedState("notebook", in: storage)
      .property("notes", \.notes)
      .property("draft", \.draft)
      .property("settings", \.settings)
  }
}
