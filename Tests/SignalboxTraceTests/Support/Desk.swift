import Signalbox
import SignalboxTesting

struct RowState: Identifiable, Equatable, Sendable {
  let id: Int
  var name = ""
}

struct DeskState: Equatable, Sendable {
  var rows: [RowState] = []
  var found = ""
}

enum DeskAction: Sendable, CancellableAction {
  case find(String)
  case add(Int)

  var cancelIdentifier: String? { if case .find = self { "find" } else { nil } }
  var overlap: Overlap { .latest }
}

/// A parent with rows, whose searches may answer late.
struct Desk: Interactor {
  let search: TestEndpoint<String, String>

  func onAction(_ action: DeskAction, store: MutatingStore<DeskState, DeskAction>) async throws {
    switch action {
    case .find(let text):
      let found = try await search(text)
      store.found = found
    case .add(let id): store.rows.append(RowState(id: id))
    }
  }

  func children(of store: MutatingStore<DeskState, DeskAction>) -> Children<DeskState> {
    Each(\.rows) { _ in Row() }
  }
}

enum RowAction: Sendable { case rename(String) }

struct Row: Interactor {
  func onAction(_ action: RowAction, store: MutatingStore<RowState, RowAction>) async throws {
    if case .rename(let name) = action { store.name = name }
  }
}
