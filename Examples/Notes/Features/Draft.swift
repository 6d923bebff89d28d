import Signalbox

/// The text in the editor.
nonisolated struct Draft: Codable, Equatable, Sendable {
  /// The note that is edited; `nil` for a new one.
  var noteID: Note.ID?
  var text = ""
  var words = 0
}

enum DraftAction { case done, discard }
enum DraftHook: CaseIterable { case typed }

/// Handles the actions of the editor, which lasts as long as there is a draft.
struct DraftFeature: Interactor {
  let onDone: @MainActor (Draft) -> Void
  let onDiscard: @MainActor () -> Void

  func onAction(_ action: DraftAction, store: MutatingStore<Draft, DraftAction>) {
    let isBlank = store.text.allSatisfy(\.isWhitespace)
    if action == .done && !isBlank { onDone(store.state) } else { onDiscard() }
  }

  func subscription(
    for hook: DraftHook, store: MutatingStore<Draft, DraftAction>
  ) -> Subscription {
    switch hook {
    case .typed:
      store.publisher.text
        .map { $0.split(whereSeparator: \.isWhitespace).count }
        .includingCurrent()
        .assign(to: \.words, using: store)
    }
  }
}
