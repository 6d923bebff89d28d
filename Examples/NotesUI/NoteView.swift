import Foundation
import Signalbox
import SignalboxUI
import SwiftUI

/// A note and the files that it names.
struct NoteView: View {
  let note: Store<Note, NoteAction>
  let notebook: Store<Notebook, NotebookAction>

  var body: some View {
    List {
      Text(note.text)
      if note.isSharing {
        ProgressView("Sharing…")
        Button("Cancel", role: .cancel) { note.cancel(.share) }
      } else if let remark = note.problem ?? note.link {
        Text(remark)
      }
      Section("Files") {
        ForEach(Array(note.state.files.indices), id: \.self) { index in
          Button(note.state.files[index].lastPathComponent) {
            let id = AttachedFile.ID(note: note.id, number: index + 1)
            notebook.binder.path.wrappedValue.append(.attachment(AttachedFile(id: id)))
          }
        }
      }
    }
    .navigationTitle("Note \(note.id)")
    .toolbar {
      Button("Edit") { note.dispatch(.edit) }
      Button(note.isPinned ? "Unpin" : "Pin") { note.dispatch(.pin) }
      Button("Share") { note.dispatch(.share) }
      Button("Delete…", role: .destructive) { notebook.dispatch(.askToRemove(note.id)) }
    }
  }
}

/// A file, as soon as it has been loaded.
struct AttachmentView: View {
  let attachment: Store<AttachedFile, AttachmentAction>

  var body: some View {
    List {
      if attachment.isLoading {
        ProgressView("Loading…")
      } else {
        Text(attachment.text ?? attachment.problem ?? "")
      }
    }
    .navigationTitle("File \(attachment.id.number)")
  }
}
