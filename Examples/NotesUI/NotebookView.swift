import Signalbox
import SignalboxUI
import SwiftUI

/// The list, and what lies over it.
struct NotebookView: View {
  @StateStore var store: Store<Notebook, NotebookAction>

  var body: some View {
    NavigationStack(path: $store.path) {
      NoteList(store: store)
    } destination: { index, screen in
      switch screen {
      case .note(let id):
        store.child(\.notes, id: id, NoteFeature.self).map {
          NoteView(note: $0, notebook: store)
        }
      case .attachment:
        store.child(\.path, at: index, AttachmentFeature.self).map {
          AttachmentView(attachment: $0)
        }
      }
    }
    .sheet(item: $store.child(\.draft, DraftFeature.self)) { DraftView(draft: $0.store) }
    .confirmationDialog($store.confirmation)
    .alert($store.alert)
    .onOpenURL { store.dispatch(.open($0)) }
  }
}

/// The notes that were found.
private struct NoteList: View {
  let store: Store<Notebook, NotebookAction>

  var body: some View {
    let search = store.child(\.search, SearchFeature.self)
    let settings = store.child(\.settings, SettingsFeature.self)
    List {
      ForEach(search.found, id: \.self) { id in
        store.child(\.notes, id: id, NoteFeature.self).map {
          NoteRow(note: $0, notebook: store)
        }
      }
      Section("Settings") {
        TextField("Shared under this name", text: Binding(settings.binder.author))
      }
    }
    .searchable(text: Binding(search.binder.query))
    .navigationTitle("Notes")
    .toolbar {
      Button(settings.order == .newest ? "A to Z" : "Newest first") {
        settings.dispatch(.switchOrder)
      }
      Button("New note") { store.dispatch(.write) }
    }
  }
}

private struct NoteRow: View {
  let note: Store<Note, NoteAction>
  let notebook: Store<Notebook, NotebookAction>

  var body: some View {
    Button((note.isPinned ? "📌 " : "") + note.text) {
      notebook.binder.path.wrappedValue = [.note(note.id)]
    }
  }
}
