import Signalbox

/// A note in the list.
nonisolated struct Note: Codable, Equatable, Identifiable, Sendable {
  // The other properties last as long as the program.
  private enum CodingKeys: CodingKey { case id, text, isPinned, link }

  let id: Int
  var text: String
  var isPinned = false
  /// Where others can read the note.
  var link: String?
  var isSharing = false
  /// Why the note was not shared, or not withdrawn.
  var problem: String?
}

enum NoteAction: CancellableAction, Equatable {
  case pin
  case share
  case edit
  case remove

  var cancelIdentifier: String? { self == .share ? "share" : nil }
}

/// Handles the actions of one note.
///
/// It knows nothing of the list.
struct NoteFeature: Interactor {
  let share: @MainActor (_ text: String) async throws -> String
  var withdraw: @MainActor (_ link: String) async throws -> Void = { _ in }
  var onEdit: @MainActor (Note) -> Void = { _ in }
  var onRemove: @MainActor () -> Void = {}

  func onAction(_ action: NoteAction, store: MutatingStore<Note, NoteAction>) async throws {
    switch action {
    case .pin: store.isPinned.toggle()
    case .edit: onEdit(store.state)
    case .remove:
      onRemove()
      // If the board keeps the note, it comes back.
      if let link = store.link { try await withdraw(link) }
    case .share:
      store.problem = nil
      store.mark(\.isSharing)
      let text = store.text
      let link = try await share(text)
      // The link leads to the old text if the note was edited meanwhile.
      if store.text == text { store.link = link }
    }
  }

  func onError(_ error: any Error, action: NoteAction, store: MutatingStore<Note, NoteAction>) {
    store.problem = "\(error)"
  }

  func onCancel(_ action: NoteAction, store: MutatingStore<Note, NoteAction>) {
    store.problem = "Cancelled."
  }
}
