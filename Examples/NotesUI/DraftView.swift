import Signalbox
import SignalboxUI
import SwiftUI

/// The editor, in a sheet.
struct DraftView: View {
  let draft: Store<Draft, DraftAction>

  var body: some View {
    NavigationStack {
      TextEditor(text: Binding(draft.binder.text))
        .navigationTitle("\(draft.words) \(draft.words == 1 ? "word" : "words")")
        .toolbar {
          Button("Discard", role: .destructive) { draft.dispatch(.discard) }
          Button("Done") { draft.dispatch(.done) }
        }
    }
    // Pulling the sheet down would discard the draft without a word.
    .interactiveDismissDisabled()
  }
}
