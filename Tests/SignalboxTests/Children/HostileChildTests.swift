import SignalboxTesting
import Testing

@testable import Signalbox

/// Children that end themselves, and code that calls back while children come and go.
@MainActor struct HostileChildTests {
  private let journal = StationJournal()

  @Test("C4 A child that removes itself in its own action harms nothing")
  func ownAction() throws {
    let store = Store(
      state: StationState(
        editor: StationEditorState(), rows: [StationRowState(id: 1), StationRowState(id: 2)]),
      interactor: Station(journal: journal))
    let row = try #require(store.child(\.rows, id: 1, StationRow.self))
    row.dispatch(.delete)
    #expect(store.rows == [StationRowState(id: 2)])
    #expect(row.text == "")
    let editor = try #require(store.child(\.editor, StationEditor.self))
    editor.dispatch(.done)
    #expect(store.editor == nil)
    #expect(editor.text == "")
    store.dispatch(.open)
    #expect(store.editor == StationEditorState())
  }

  /// Rows that remove themselves, or others, wherever they can.
  struct Fatal: Interactor {
    var journal: StationJournal
    var trigger: String

    func children(of store: MutatingStore<StationState, StationAction>) -> Children<StationState> {
      Each(\.rows) { id in
        FatalRow(
          id: id, trigger: trigger, journal: journal,
          remove: { id in store.rows.removeAll { $0.id == id } },
          add: { store.rows.append(StationRowState(id: $0)) })
      }
    }

    func onAction(_ action: StationAction, store: MutatingStore<StationState, StationAction>) {
      if case .remove(let id) = action { store.rows.removeAll { $0.id == id } }
    }
  }

  /// Runs a closure when it is released.
  @MainActor final class Will {
    private let body: @MainActor () -> Void
    init(_ body: @escaping @MainActor () -> Void) { self.body = body }
    deinit { MainActor.assumeIsolated { body() } }
  }

  struct FatalRow: Interactor {
    let id: Int
    let trigger: String
    let journal: StationJournal
    let remove: @MainActor (Int) -> Void
    let add: @MainActor (Int) -> Void
    let will: Will?

    init(
      id: Int, trigger: String, journal: StationJournal, remove: @escaping @MainActor (Int) -> Void,
      add: @escaping @MainActor (Int) -> Void
    ) {
      (self.id, self.trigger, self.journal) = (id, trigger, journal)
      (self.remove, self.add) = (remove, add)
      will =
        switch trigger {
        case "deinit": Will { remove(id + 1) }
        case "own deinit": Will { remove(id) }
        default: nil
        }
      if trigger == "init", id == 2 { remove(2) }
    }

    func onAction(
      _ action: StationRowAction, store: MutatingStore<StationRowState, StationRowAction>
    ) async throws {
      try await journal.gate()
    }

    func onError(
      _ error: any Error, action: StationRowAction,
      store: MutatingStore<StationRowState, StationRowAction>
    ) {
      journal.add("failed \(id)")
      remove(id)
      store.text = "after"
    }

    func onCancel(
      _ action: StationRowAction, store: MutatingStore<StationRowState, StationRowAction>
    ) {
      journal.add("cancelled \(id)")
      if trigger == "onCancel" { remove(id) }
      store.text = "after"
    }

    func subscription(
      for hook: StationEditorHook, store: MutatingStore<StationRowState, StationRowAction>
    ) -> Subscription {
      journal.add("begins \(id)")
      if trigger == "connect", id == 2 { remove(2) }
      if trigger == "connect others", id == 1 { remove(2) }
      return .all(
        store.publisher.text.sink { _ in
          if trigger == "hook" { remove(id) }
          store.length = 9
        },
        Subscription {
          journal.add("ends \(id)")
          if trigger == "end" { remove(id + 1) }
          if trigger == "replace" { add(id + 10) }
        })
    }
  }

  private func store(_ trigger: String) -> Store<StationState, StationAction> {
    Store(
      state: StationState(rows: [
        StationRowState(id: 1), StationRowState(id: 2), StationRowState(id: 3),
      ]),
      interactor: Fatal(journal: journal, trigger: trigger))
  }

  @Test("C4 A child that removes itself in its hook harms nothing")
  func ownHook() throws {
    let store = store("hook")
    let row = try #require(store.child(\.rows, id: 2, FatalRow.self))
    row.binder.text.wrappedValue = "x"
    #expect(store.rows.map(\.id) == [1, 3])
    #expect(row.text == "x")
    store.child(\.rows, id: 3, FatalRow.self)?.binder.text.wrappedValue = "y"
    #expect(store.rows.map(\.id) == [1])
    #expect(journal.lines == ["begins 1", "begins 2", "begins 3", "ends 2", "ends 3"])
  }

  @Test("C4 A child that removes itself in its onCancel harms nothing")
  func ownCancel() throws {
    journal.gate = StationJournal.waitUntilCancelled
    let store = store("onCancel")
    let row = try #require(store.child(\.rows, id: 2, FatalRow.self))
    row.dispatch(.save)
    row.cancelAll()
    #expect(store.rows.map(\.id) == [1, 3])
    #expect(row.text == "")
    #expect(store.runningCount == 0)
  }

  @Test("C4 A child that removes itself in its onError harms nothing")
  func ownError() async throws {
    journal.gate = { throw ChildFailure() }
    let store = store("onError")
    let row = try #require(store.child(\.rows, id: 2, FatalRow.self))
    await row.dispatch(.save)
    #expect(journal.lines.suffix(2) == ["failed 2", "ends 2"])
    #expect(store.rows.map(\.id) == [1, 3])
    #expect(row.text == "")
    #expect(store.runningCount == 0)
  }

  @Test("C4 A child whose interactor removes its own state in its deinit harms nothing")
  func itself() {
    var store: Store? = store("own deinit")
    store?.dispatch(.remove(1))
    #expect(store?.rows.map(\.id) == [2, 3])
    #expect(journal.lines.last == "ends 1")
    // Now the parent ends first.
    store = nil
    #expect(journal.lines.suffix(2) == ["ends 2", "ends 3"])
  }

  @Test("C4 An interactor that is made only to look for hooks may remove its own state")
  func whileLooking() {
    struct Parent: Interactor {
      func children(of store: MutatingStore<StationState, Never>) -> Children<StationState> {
        Each(\.rows) { id in Row(will: Will { store.rows.removeAll { $0.id == id } }) }
      }
      func onAction(_ action: Never, store: MutatingStore<StationState, Never>) {}
    }
    struct Row: Interactor {
      let will: Will
      func onAction(_ action: Never, store: MutatingStore<StationRowState, Never>) {}
    }
    let store = Store(
      state: StationState(rows: [StationRowState(id: 1), StationRowState(id: 2)]),
      interactor: Parent())
    #expect(store.rows.map(\.id) == [2])
  }

  @Test("C4 A child whose interactor removes another in its deinit harms nothing")
  func ownDeinit() {
    var store: Store? = store("deinit")
    store?.dispatch(.remove(1))
    #expect(store?.rows.isEmpty == true)
    #expect(journal.lines.suffix(3) == ["ends 1", "ends 2", "ends 3"])
    store = self.store("deinit")
    journal.lines = []
    store = nil
    #expect(journal.lines == ["ends 1", "ends 2", "ends 3"])
  }

  @Test("C4 A child that is removed while it begins ends, and so do others")
  func whileBeginning() {
    #expect(store("init").rows.map(\.id) == [1, 3])
    #expect(journal.lines == ["begins 1", "begins 3", "ends 1", "ends 3"])
    journal.lines = []
    #expect(store("connect").rows.map(\.id) == [1, 3])
    #expect(
      journal.lines == ["begins 1", "begins 2", "ends 2", "begins 3", "ends 1", "ends 3"])
    journal.lines = []
    #expect(store("connect others").rows.map(\.id) == [1, 3])
    #expect(journal.lines == ["begins 1", "begins 3", "ends 1", "ends 3"])
  }

  @Test("C4 Children that end or begin while others end are looked after in the same commit")
  func whileEnding() {
    var store = store("end")
    store.dispatch(.remove(1))
    #expect(store.rows.isEmpty)
    #expect(journal.lines.suffix(3) == ["ends 1", "ends 2", "ends 3"])
    journal.lines = []
    store = self.store("replace")
    journal.lines = []
    store.dispatch(.remove(2))
    #expect(store.rows.map(\.id) == [1, 3, 12])
    #expect(journal.lines == ["ends 2", "begins 12"])
  }

  @Test("C4 A child of a child may remove the row that it is in")
  func grandchild() throws {
    struct Parent: Interactor {
      func children(of store: MutatingStore<StationState, Never>) -> Children<StationState> {
        Each(\.rows) { id in Row(remove: { store.rows.removeAll { $0.id == id } }) }
      }
      func onAction(_ action: Never, store: MutatingStore<StationState, Never>) {}
    }
    struct Row: Interactor {
      let remove: @MainActor () -> Void

      func children(of store: MutatingStore<StationRowState, Never>) -> Children<StationRowState> {
        Child(\.note) { StationEditor(onDone: remove) }
      }
      func onAction(_ action: Never, store: MutatingStore<StationRowState, Never>) {}
    }
    let store = Store(
      state: StationState(rows: [
        StationRowState(id: 1, note: StationEditorState()), StationRowState(id: 2),
      ]),
      interactor: Parent())
    let row = try #require(store.child(\.rows, id: 1, Row.self))
    let note = try #require(row.child(\.note, StationEditor.self))
    note.dispatch(.done)
    #expect(store.rows == [StationRowState(id: 2)])
    #expect(note.text == "")
    #expect(row.note == StationEditorState())
  }

  @Test("C6 Values in a state with a deinit may remove their own child")
  func valueDeinit() throws {
    struct Holder: Identifiable {
      let id: Int
      var will: Will?
      var count = 0
    }
    struct Root { var holders: [Holder] = [] }
    struct Parent: Interactor {
      func children(of store: MutatingStore<Root, Never>) -> Children<Root> {
        Each(\.holders) { _ in Part() }
      }
      func onAction(_ action: Never, store: MutatingStore<Root, Never>) {}
    }
    struct Part: Interactor {
      func onAction(_ action: Int, store: MutatingStore<Holder, Int>) {
        store.will = nil
        store.count = action
      }
    }
    let store = Store(state: Root(), interactor: Parent())
    let parent = store.instruments.arranging
    parent.holders = (0..<3).map { id in
      Holder(id: id, will: Will { parent.holders.removeAll { $0.id == id } })
    }
    let part = try #require(store.child(\.holders, id: 1, Part.self))
    part.dispatch(5)
    #expect(store.holders.map(\.id) == [0, 2])
    #expect(part.count == 0)
    parent.holders = []
    #expect(store.holders.isEmpty)
  }
}
