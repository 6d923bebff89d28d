import Observation
import Testing

@testable import Signalbox

/// Bindings to optional children, and the handles that views receive.
@MainActor struct BinderChildTests {
  private let store = Store(state: StationState(), interactor: Station())

  @Test("C4 A binding to an optional child gives a handle while it is there, and nil ends it")
  func optional() throws {
    let editor = store.binder.child(\.editor, StationEditor.self)
    #expect(editor.wrappedValue == nil)
    store.dispatch(.open)
    let handle = try #require(editor.wrappedValue)
    handle.binder.text.wrappedValue = "x"
    #expect(store.editor?.text == "x")
    editor.wrappedValue = handle
    #expect(store.editor?.text == "x")
    editor.wrappedValue = nil
    #expect(store.editor == nil)
    #expect(editor.wrappedValue == nil)
    #expect(handle.text == "x")
  }

  @Test("M5 A binding to an optional child tracks whether it is there, and nothing of its state")
  func presence() throws {
    let editor = store.binder.child(\.editor, StationEditor.self)
    store.dispatch(.open)
    let child = try #require(store.child(\.editor, StationEditor.self))
    var changes = 0
    func track() {
      withObservationTracking {
        _ = editor.wrappedValue
      } onChange: {
        MainActor.assumeIsolated { changes += 1 }
      }
    }
    track()
    child.binder.text.wrappedValue = "x"
    #expect(changes == 0)
    editor.wrappedValue = nil
    #expect(changes == 1)
  }

  @Test("C4 C10 So does a binding to an optional child whose events a transducer handles")
  func transducer() throws {
    enum Counter: Transducer {
      struct State { var count = 1 }
      enum Event { case next }

      static func update(_ state: inout State, event: Event) -> Effect? {
        state.count += 1
        return nil
      }
    }
    struct Desk { var counter: Counter.State? = Counter.State() }
    struct Keeper: Interactor {
      func children(of store: MutatingStore<Desk, Never>) -> Children<Desk> {
        Child(\.counter) { Counter.feature() }
      }
      func onAction(_ action: Never, store: MutatingStore<Desk, Never>) {}
    }
    let store = Store(state: Desk(), interactor: Keeper())
    let counter = store.binder.child(\.counter, Counter.self)
    try #require(counter.wrappedValue).dispatch(.next)
    #expect(store.counter?.count == 2)
    counter.wrappedValue = nil
    #expect(store.state.counter == nil)
    #expect(counter.wrappedValue == nil)
  }

  @Test("M5 Reading the ids of elements tracks which there are, and nothing else of them")
  func ids() throws {
    store.instruments.arranging.rows = [StationRowState(id: 1), StationRowState(id: 2)]
    var changes = 0
    withObservationTracking {
      #expect(store.ids(\.rows) == [1, 2])
    } onChange: {
      MainActor.assumeIsolated { changes += 1 }
    }
    store.child(\.rows, id: 1, StationRow.self)?.binder.text.wrappedValue = "x"
    #expect(changes == 0)
    store.instruments.arranging.rows.append(StationRowState(id: 3))
    #expect(changes == 1)
  }

  @Test("C6 A handle that is still held is given out again, so a view that receives it is the same")
  func sameHandle() throws {
    store.instruments.arranging.rows = [StationRowState(id: 1)]
    let row = try #require(store.child(\.rows, id: 1, StationRow.self))
    #expect(store.child(\.rows, id: 1, StationRow.self) === row)
    store.instruments.arranging.rows = []
    store.instruments.arranging.rows = [StationRowState(id: 1)]
    #expect(store.child(\.rows, id: 1, StationRow.self) !== row)
  }
}
