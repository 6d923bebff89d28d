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

  private enum TwoHooks: CaseIterable { case first, second }

  /// Notes which hooks are connected and which end.
  private final class Twofold: Interactor {
    let journal: StationJournal
    let first: @MainActor () -> Void

    init(journal: StationJournal, first: @escaping @MainActor () -> Void) {
      (self.journal, self.first) = (journal, first)
    }

    func onAction(_ action: Never, store: MutatingStore<StationEditorState, Never>) {}

    func subscription(for hook: TwoHooks, store: MutatingStore<StationEditorState, Never>)
      -> Subscription
    {
      journal.add("begins \(hook)")
      if hook == .first { first() }
      return Subscription { [journal] in journal.add("ends \(hook)") }
    }
  }

  private struct Desk: Interactor {
    let make: @MainActor (MutatingStore<StationState, Never>) -> Twofold

    func children(of store: MutatingStore<StationState, Never>) -> Children<StationState> {
      Each(\.rows) { _ in DeskRow { make(store) } }
    }

    func onAction(_ action: Never, store: MutatingStore<StationState, Never>) {}
  }

  private struct DeskRow: Interactor {
    let make: @MainActor () -> Twofold

    func children(of store: MutatingStore<StationRowState, Never>) -> Children<StationRowState> {
      Child(\.note, interactor: make)
    }

    func onAction(_ action: Never, store: MutatingStore<StationRowState, Never>) {}
  }

  private enum Ending: CaseIterable { case row, parent, hooks }

  @Test(
    "H3 C4 A child that ends while its hooks are connected connects no more",
    arguments: Ending.allCases)
  private func hooks(ending: Ending) {
    let journal = StationJournal()
    var store: Store<StationState, Never>?
    weak var interactor: Twofold?
    store = Store(
      state: StationState(rows: [StationRowState(id: 1)]),
      interactor: Desk { parent in
        let made = Twofold(journal: journal) {
          switch ending {
          case .row: parent.rows = []
          case .parent: store = nil
          case .hooks: store?.deactivateHooks()
          }
        }
        interactor = made
        return made
      })
    store?.instruments.arranging.rows[0].note = StationEditorState()
    #expect(journal.lines == ["begins first", "ends first"])
    if ending == .hooks { store = nil }
    #expect(interactor == nil)
    store?.binder.title.wrappedValue = "usable"
    // The interactors' closure holds the variable.
    store = nil
  }
}
