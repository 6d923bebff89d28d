import SignalboxTesting
import Testing

@testable import Signalbox

/// Optional children and children in collections.
@MainActor struct MovingChildTests: RowTests {
  let station = StationWithRows()

  @Test("C1 Parent and child see each other's writes at once, in an array and in a dictionary")
  func oneState() throws {
    let row = try #require(self.row(2))
    row.dispatch(.type("hello"))
    #expect(store.rows[1].text == "hello")
    #expect(store.rows[1].length == 5)
    parent.rows[1].text = "bye"
    #expect(row.text == "bye")
    #expect(row.length == 3)
    parent.sensors["roof"] = StationRowState()
    let roof = try #require(store.child(\.sensors, id: "roof", StationRow.self))
    roof.dispatch(.type("x"))
    #expect(store.sensors["roof"]?.text == "x")
    #expect(store.sensors["roof"]?.length == 1)
    roof.binder.text.wrappedValue = "yz"
    #expect(store.sensors["roof"]?.length == 2)
  }

  @Test("C1 S1 S7 The observers of all states see a write in a place as one commit, in their order")
  func oneOrder() throws {
    parent.rows.removeLast()
    let row = try #require(self.row(2))
    let note = row.child(\.inner, StationDepth.self)
    var seen: [String] = []
    let subscriptions = [
      store.publisher.rows.sink {
        seen.append("rows \($0.last?.text ?? "") \($0.last?.inner.depth ?? 0)")
      },
      row.publisher.text.sink { seen.append("text \($0)") },
      store.publisher.title.sink { seen.append("title \($0)") },
      row.publisher.sink { seen.append("row \($0.text) \($0.inner.depth)") },
      note.publisher.depth.sink { seen.append("depth \($0)") },
      store.publisher.rows[0].sink { seen.append("first \($0.text)") },
    ]
    row.binder.inner.wrappedValue.depth = 4
    #expect(seen == ["rows  4", "row  4", "depth 4"])
    seen = []
    note.dispatch(.deepen)
    #expect(seen == ["rows  5", "row  5", "depth 5"])
    seen = []
    row.binder.inner.wrappedValue.depth = 5
    #expect(seen.isEmpty)
    parent.rows[1].inner.depth = 6
    #expect(seen == ["rows  6", "row  6", "depth 6"])
    seen = []
    parent.rows[0].text = "a"
    #expect(seen.filter { !$0.hasPrefix("rows") } == ["first a", "first a"])
    seen = []
    parent.state = StationState(rows: [StationRowState(id: 2, text: "new")])
    #expect(
      seen == [
        "rows new 0", "text new", "row new 0", "depth 0", "first new", "rows new 0", "row new 0",
        "first new",
      ])
    withExtendedLifetime(subscriptions) {}
  }

  @Test("C1 S6 A batch tells the observers of a row once, and of nothing that is back")
  func batch() throws {
    let row = try #require(self.row(2))
    var seen: [String] = []
    let subscriptions = [
      row.publisher.text.sink { seen.append("text \($0)") },
      row.publisher.isSaving.sink { seen.append("saving \($0)") },
    ]
    parent.batch {
      row.binder.text.wrappedValue = "a"
      row.binder.text.wrappedValue = ""
      row.binder.isSaving.wrappedValue = true
    }
    #expect(seen == ["saving true"])
    seen = []
    parent.batch {
      parent.rows[1].text = "b"
      parent.rows.insert(StationRowState(id: 9), at: 0)
      row.binder.text.wrappedValue += "c"
    }
    #expect(seen == ["text bc"])
    #expect(store.rows[2].text == "bc")
    withExtendedLifetime(subscriptions) {}
  }

  @Test("C4 Children with hooks are begun in the commit in which they appear, in their order")
  func begin() {
    #expect(journal.lines == ["begins 1", "begins 2", "begins 3"])
    journal.lines = []
    parent.batch {
      parent.rows.append(StationRowState(id: 5))
      parent.rows.append(StationRowState(id: 4))
      #expect(journal.lines.isEmpty)
    }
    #expect(journal.lines == ["begins 5", "begins 4"])
    journal.lines = []
    store.dispatch(.open)
    #expect(journal.lines == ["editor begins"])
    parent.editor?.text = "abc"
    #expect(store.editor?.length == 3)
    store.dispatch(.close)
    #expect(journal.lines == ["editor begins", "editor ends"])
    #expect(store.child(\.editor, StationEditor.self) == nil)
  }

  @Test("C4 The hooks and the work of a child have ended before anything is told of its end")
  func endBeforeTelling() throws {
    journal.gate = StationJournal.waitUntilCancelled
    let row = try #require(self.row(2))
    row.dispatch(.save)
    journal.lines = []
    var seen: [String] = []
    let subscription = store.publisher.rows.sink { [journal] rows in
      journal.add("told \(rows.count)")
      seen.append("\(row.runningCount) \(row.text) \(row.isSaving)")
    }
    store.dispatch(.remove(2))
    #expect(journal.lines == ["ends 2", "told 2"])
    #expect(seen == ["0  true"])
    // The mark of the gone work is not written anywhere else.
    #expect(store.rows.allSatisfy { !$0.isSaving })
    withExtendedLifetime(subscription) {}
  }

  @Test("C4 A child that appears is not told of the commit in which it appears")
  func appearing() throws {
    parent.rows.append(StationRowState(id: 7, text: "abc"))
    #expect(store.rows[3].length == 0)
    parent.rows[3].text = "abcd"
    #expect(store.rows[3].length == 4)
  }

  @Test("C5 Moving is not leaving, nor is going and coming back within one commit")
  func moving() throws {
    let row = try #require(self.row(3))
    journal.lines = []
    parent.rows.reverse()
    row.dispatch(.type("x"))
    #expect(store.rows[0].text == "x")
    parent.batch {
      let old = parent.rows.removeFirst()
      #expect(row.text == "x")
      row.binder.text.wrappedValue = "lost"
      parent.rows.append(old)
    }
    #expect(journal.lines.isEmpty)
    row.dispatch(.type("y"))
    #expect(store.rows[2].text == "xy")
    let old = parent.rows.removeLast()
    parent.rows.append(old)
    #expect(journal.lines == ["ends 3", "begins 3"])
    row.dispatch(.type("z"))
    #expect(store.rows[2].text == "xy")
    #expect(row.text == "xy")
  }

  @Test("C5 An element that changes its id is another child")
  func changedID() throws {
    let row = try #require(self.row(2))
    journal.lines = []
    row.binder.id.wrappedValue = 8
    #expect(journal.lines == ["ends 2", "begins 8"])
    #expect(self.row(2) == nil)
    self.row(8)?.dispatch(.type("x"))
    #expect(store.rows[1].text == "x")
    #expect(row.text == "")
  }

  @Test("C7 Elements that only are there have no children")
  func cost() {
    struct Quiet: Interactor {
      var made: @MainActor (Int) -> Void
      func children(of store: MutatingStore<StationState, Never>) -> Children<StationState> {
        Each(\.rows) { id in
          made(id)
          return QuietRow()
        }
      }
      func onAction(_ action: Never, store: MutatingStore<StationState, Never>) async {}
    }
    struct QuietRow: Interactor {
      func onAction(
        _ action: StationRowAction, store: MutatingStore<StationRowState, StationRowAction>
      ) async {
        store.text = "touched"
      }
    }
    var made: [Int] = []
    let store = Store(
      state: StationState(rows: (0..<100).map { StationRowState(id: $0) }),
      interactor: Quiet { made.append($0) })
    // One is made to find out whether its kind declares children.
    #expect(made == [0])
    let row = store.child(\.rows, id: 50, QuietRow.self)
    row?.dispatch(.delete)
    #expect(store.rows[50].text == "touched")
    #expect(made == [0, 50])
  }

  @Test("C8 Two elements with one id are reported once, and the first is the child")
  func duplicates() throws {
    var reports: [String] = []
    let subscription = store.events.sink {
      if case .duplicateChild(let path) = $0.kind { reports.append(path) }
    }
    parent.rows.append(StationRowState(id: 1))
    parent.rows.append(StationRowState(id: 1))
    #expect(reports == ["\\.rows[id: 1]"])
    try #require(self.row(1)).dispatch(.type("x"))
    #expect(store.rows.map(\.text) == ["x", "", "", "", ""])
    withExtendedLifetime(subscription) {}
  }

  @Test("C2 C4 Children of children live and end with them")
  func nested() throws {
    let row = try #require(self.row(1))
    row.binder.note.wrappedValue = StationEditorState(text: "a")
    let note = try #require(row.child(\.note, StationEditor.self))
    note.dispatch(.type("b"))
    #expect(store.rows[0].note == StationEditorState(text: "ab", length: 2))
    parent.rows.swapAt(0, 2)
    note.dispatch(.type("c"))
    #expect(store.rows[2].note == StationEditorState(text: "abc", length: 3))
    journal.lines = []
    store.dispatch(.remove(1))
    #expect(journal.lines == ["editor ends", "ends 1"])
    #expect(note.text == "abc")
    note.dispatch(.type("d"))
    #expect(note.text == "abc")
  }

  @Test("C8 H3 deactivateHooks ends the hooks of children, and those that begin later connect none")
  func deactivated() throws {
    let row = try #require(self.row(1))
    row.binder.note.wrappedValue = StationEditorState()
    journal.lines = []
    store.deactivateHooks()
    #expect(journal.lines == ["ends 1", "editor ends", "ends 2", "ends 3"])
    row.dispatch(.type("ab"))
    #expect(row.length == 0)
    row.binder.note.wrappedValue = nil
    row.binder.note.wrappedValue = StationEditorState()
    parent.rows.append(StationRowState(id: 4))
    let new = try #require(self.row(4))
    new.dispatch(.type("ab"))
    #expect(new.length == 0)
    #expect(new.text == "ab")
    #expect(journal.lines.count == 4)
  }

  @Test("C8 D1 The log says in which child something happened")
  func names() async throws {
    let store = TestStore(
      state: StationState(rows: [StationRowState(id: 3)]), interactor: Station(journal: journal))
    try #require(store.child(\.rows, id: 3, StationRow.self)).send(.fail)
    store.expectError { $0 is ChildFailure }
    let failure = await failures { store.expect { $0.title = "other" } }.only
    #expect(failure.contains("\\.rows[id: 3]: dispatched .fail"), "\(failure)")
  }

  @Test("C5 C6 A child that changes its own id in a batch keeps its latest writes")
  func ownIDInBatch() throws {
    let row = try #require(self.row(2))
    let late = row.instruments.arranging
    parent.batch {
      parent.rows[0].length = 1
      late.text = "typed"
      late.id = 8
    }
    #expect(row.text == "typed")
    #expect(store.rows[1].text == "typed")
    #expect(self.row(2) == nil)
  }
}
