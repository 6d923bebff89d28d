import Signalbox
import SignalboxStorage

/// Declares the features and handles what belongs to none of them.
struct NotebookFeature: Interactor {
  let service: NotesService
  /// Keeps the notes; `nil` in a test without storage.
  var saved: SavedState<Notebook>?
  var clock: any Clock<Duration> = ContinuousClock()

  func children(of store: MutatingStore<Notebook, NotebookAction>) -> Children<Notebook> {
    Child(\.settings) { SettingsFeature() }
    Child(\.search) {
      SearchFeature(
        notes: store.publisher.notes.signal, order: store.publisher.settings.order.signal)
    }
    Child(\.draft) {
      DraftFeature(
        onDone: { draft in store.update { $0.keep(draft) } },
        onDiscard: { store.draft = nil })
    }
    Each(\.notes) { id in
      NoteFeature(
        share: { text in try await service.share(text, store.settings.author) },
        withdraw: { link in try await service.withdraw(link) },
        onEdit: { note in store.draft = store.draft ?? Draft(noteID: id, text: note.text) },
        onRemove: { store.optimistic { $0.notes.removeAll { $0.id == id } } })
    }
    Each(\.path) {
      Case(Screen.attachment) {
        AttachmentFeature(load: { try await service.load(store.state.file($0)) })
      }
    }
  }

  func onAction(_ action: NotebookAction, store: MutatingStore<Notebook, NotebookAction>) {
    switch action {
    // A draft that is there stays.
    case .write: store.draft = store.draft ?? Draft()
    case .askToRemove(let id): store.update { $0.askToRemove(id) }
    case .remove(let id): store.child(\.notes, id: id, NoteFeature.self)?.dispatch(.remove)
    case .open(let link): store.update { $0.open(link) }
    }
  }

  func subscription(
    for hook: NotebookHook, store: MutatingStore<Notebook, NotebookAction>
  ) -> Subscription {
    switch hook {
    case .changed: saved?.autosave(store, status: \.saving, clock: clock) ?? .empty
    case .removed:
      store.publisher.notes
        .map { Set($0.map(\.id)) }
        .removeDuplicates()
        .map { notes in Array(store.path.prefix { notes.contains($0.noteID) }) }
        .assign(to: \.path, using: store)
    }
  }
}
