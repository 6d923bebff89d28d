import Signalbox
import SignalboxStorage
import SignalboxUI
import SwiftUI

/// The app, which restores the notes and the draft.
@main
struct NotesApp: App {
  @StateStore private var store: Store<Notebook, NotebookAction>

  init() {
    _store = StateStore(wrappedValue: Self.restored())
  }

  var body: some Scene {
    WindowGroup { NotebookView(store: store) }
  }

  private static func restored() -> Store<Notebook, NotebookAction> {
    let folder = FileStorage.applicationFolder("signalbox-notes")
    let saved = SavedState<Notebook>.notebook(in: FileStorage(folder: folder))
    var notebook = Notebook()
    let outcome = saved.restore(into: &notebook)
    switch outcome {
    case .nothing, .restored, .migrated: break
    case .setAside, .newer, .unavailable, .busy:
      notebook.alert = AlertState("The notes could not be read.", message: "\(outcome)")
    }
    return Store(
      state: notebook, interactor: NotebookFeature(service: .board(), saved: saved))
  }
}
