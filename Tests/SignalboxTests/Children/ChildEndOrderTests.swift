import Testing

@testable import Signalbox

/// Children whose own code, or that of others, ends them in the middle of something.
@MainActor struct ChildEndOrderTests {
  /// A row with a note, which runs a closure when it ends.
  private struct Row: Interactor {
    let noteEnds: @MainActor () -> Void

    func children(of store: MutatingStore<StationRowState, Never>) -> Children<StationRowState> {
      Child(\.note) { Note(ends: noteEnds) }
    }

    func onAction(_ action: Never, store: MutatingStore<StationRowState, Never>) {}
  }

  private struct Note: Interactor {
    let ends: @MainActor () -> Void

    func onAction(_ action: Never, store: MutatingStore<StationEditorState, Never>) {}

    func subscription(for hook: OnlyHook, store: MutatingStore<StationEditorState, Never>)
      -> Subscription
    { Subscription(ends) }
  }

  private struct Rows: Interactor {
    func children(of store: MutatingStore<StationState, Never>) -> Children<StationState> {
      Each(\.rows) { id in Row(noteEnds: { store.rows.removeAll { $0.id == id + 1 } }) }
    }

    func onAction(_ action: Never, store: MutatingStore<StationState, Never>) {}
  }

  @Test("C4 C6 A row that the end of another row's note removes keeps its last value")
  func sibling() throws {
    let store = Store(
      state: StationState(rows: [
        StationRowState(id: 1, note: StationEditorState()),
        StationRowState(id: 2, text: "kept"),
      ]),
      interactor: Rows())
    let row = try #require(store.child(\.rows, id: 2, Row.self))
    store.instruments.arranging.rows[0].note = nil
    #expect(store.rows.map(\.id) == [1])
    #expect(row.text == "kept")
  }
}
