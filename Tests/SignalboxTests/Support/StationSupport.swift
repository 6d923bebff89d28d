import Signalbox

/// A program with children of every kind.
struct StationState: Equatable {
  var title = "north"
  var settings = StationSettingsState()
  var editor: StationEditorState?
  var rows: [StationRowState] = []
  var sensors: [String: StationRowState] = [:]
  var panel = StationPanel.closed
}

/// What a station shows, one of several things.
enum StationPanel: Equatable {
  case closed
  case note(StationEditorState)
  case draft(StationEditorState)
  indirect case row(StationRowState)
}

struct StationSettingsState: Equatable {
  var volume = 1
  var loudness = 0
  var log: [String] = []
  var inner = StationDepthState()
}

struct StationDepthState: Equatable {
  var depth = 0
  var tags: [String] = []
}

struct StationEditorState: Equatable {
  var text = ""
  var length = 0
}

struct StationRowState: Equatable, Identifiable {
  var id = 0
  var text = ""
  var length = 0
  var isSaving = false
  var inner = StationDepthState()
  var note: StationEditorState?
}

enum StationAction: Equatable {
  case open, close
  case remove(Int)
}

enum StationSettingsAction: CancellableAction {
  case louder
  case save
  case fail

  var cancelIdentifier: String? { self == .save ? "save" : nil }
}

struct ChildFailure: Error, Equatable {}

/// What the children of a station share with a test.
@MainActor final class StationJournal {
  var lines: [String] = []
  var gate: @MainActor () async throws -> Void = {}

  func add(_ line: String) { lines.append(line) }

  static func waitUntilCancelled() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
    for await _ in stream {}
    continuation.finish()
  }
}

struct Station: Interactor {
  var journal = StationJournal()

  func children(of store: MutatingStore<StationState, StationAction>) -> Children<StationState> {
    Child(\.settings) { StationSettings(journal: journal) }
    Child(\.editor) { StationEditor(journal: journal, onDone: { store.editor = nil }) }
    Each(\.rows) { id in
      StationRow(id: "\(id)", journal: journal, onDelete: { store.rows.removeAll { $0.id == id } })
    }
    Each(\.sensors) { name in
      StationRow(id: name, journal: journal, onDelete: { store.sensors[name] = nil })
    }
  }

  func onAction(_ action: StationAction, store: MutatingStore<StationState, StationAction>) async {
    switch action {
    case .open: store.editor = StationEditorState()
    case .close: store.editor = nil
    case .remove(let id): store.rows.removeAll { $0.id == id }
    }
  }
}

enum StationSettingsHook: CaseIterable { case loud }

struct StationSettings: Interactor {
  var journal = StationJournal()

  func children(of store: MutatingStore<StationSettingsState, StationSettingsAction>) -> Children<
    StationSettingsState
  > {
    Child(\.inner) { StationDepth() }
  }

  func onAction(
    _ action: StationSettingsAction,
    store: MutatingStore<StationSettingsState, StationSettingsAction>
  ) async throws {
    switch action {
    case .louder: store.volume += 1
    case .save:
      store.log.append("saving")
      try await journal.gate()
      store.log.append("saved")
    case .fail: throw ChildFailure()
    }
  }

  func onError(
    _ error: any Error, action: StationSettingsAction,
    store: MutatingStore<StationSettingsState, StationSettingsAction>
  ) {
    store.log.append("error")
  }

  func onCancel(
    _ action: StationSettingsAction,
    store: MutatingStore<StationSettingsState, StationSettingsAction>
  ) {
    store.log.append("cancelled")
  }

  func subscription(
    for hook: StationSettingsHook, store: MutatingStore<StationSettingsState, StationSettingsAction>
  ) -> Subscription {
    store.publisher.volume.map { $0 * 10 }.assign(to: \.loudness, using: store)
  }
}

enum StationDepthAction { case deepen }

struct StationDepth: Interactor {
  func onAction(
    _ action: StationDepthAction, store: MutatingStore<StationDepthState, StationDepthAction>
  ) async {
    store.depth += 1
  }
}

enum StationEditorAction: Equatable {
  case type(String)
  case done
}
enum StationEditorHook: CaseIterable { case typed }

struct StationEditor: Interactor {
  var journal = StationJournal()
  var onDone: @MainActor () -> Void = {}

  func onAction(
    _ action: StationEditorAction, store: MutatingStore<StationEditorState, StationEditorAction>
  ) async {
    switch action {
    case .type(let text): store.text += text
    case .done:
      onDone()
      store.text = "late"
    }
  }

  func subscription(
    for hook: StationEditorHook, store: MutatingStore<StationEditorState, StationEditorAction>
  ) -> Subscription {
    journal.add("editor begins")
    return .all(
      store.publisher.text.map(\.count).assign(to: \.length, using: store),
      Subscription { [journal] in journal.add("editor ends") })
  }
}

enum StationRowAction: CancellableAction, Equatable {
  case type(String)
  case delete, save, fail

  var cancelIdentifier: String? { self == .save ? "save" : nil }
}

struct StationRow: Interactor {
  var id = ""
  var journal = StationJournal()
  var onDelete: @MainActor () -> Void = {}

  func children(of store: MutatingStore<StationRowState, StationRowAction>) -> Children<
    StationRowState
  > {
    Child(\.inner) { StationDepth() }
    Child(\.note) { StationEditor(journal: journal, onDone: { store.note = nil }) }
  }

  func onAction(_ action: StationRowAction, store: MutatingStore<StationRowState, StationRowAction>)
    async throws
  {
    switch action {
    case .type(let text): store.text += text
    case .delete:
      onDelete()
      store.text = "late"
    case .save:
      store.mark(\.isSaving)
      try await journal.gate()
      store.text = "saved"
    case .fail: throw ChildFailure()
    }
  }

  func onCancel(_ action: StationRowAction, store: MutatingStore<StationRowState, StationRowAction>)
  {
    journal.add("cancelled \(id)")
  }

  func subscription(
    for hook: StationEditorHook, store: MutatingStore<StationRowState, StationRowAction>
  ) -> Subscription {
    journal.add("begins \(id)")
    return .all(
      store.publisher.text.map(\.count).assign(to: \.length, using: store),
      Subscription { [journal, id] in journal.add("ends \(id)") })
  }
}
