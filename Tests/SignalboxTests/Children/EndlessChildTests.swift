import Testing

@testable import Signalbox

/// Children that begin whenever they have ended.
@MainActor struct EndlessChildTests {
  /// A child that runs a closure when its hook is connected, and one when it ends.
  private struct Restless: Interactor {
    let begin: @MainActor () -> Void
    let end: @MainActor () -> Void

    func onAction(
      _ action: StationEditorAction,
      store: MutatingStore<StationEditorState, StationEditorAction>
    ) {}

    func subscription(
      for hook: OnlyHook, store: MutatingStore<StationEditorState, StationEditorAction>
    ) -> Subscription {
      begin()
      return Subscription(end)
    }
  }

  private struct RestlessRow: Interactor {
    let begin: @MainActor () -> Void

    func onAction(
      _ action: StationRowAction, store: MutatingStore<StationRowState, StationRowAction>
    ) {}

    func subscription(
      for hook: OnlyHook, store: MutatingStore<StationRowState, StationRowAction>
    ) -> Subscription {
      begin()
      return .empty
    }
  }

  private struct House: Interactor {
    func children(of store: MutatingStore<StationState, StationAction>) -> Children<StationState> {
      Child(\.editor) {
        Restless(begin: { store.editor = nil }, end: { store.editor = StationEditorState() })
      }
      Each(\.rows) { id in
        RestlessRow(begin: {
          store.rows[id - 1].text = "begun"
          if store.title == "growing" { store.rows.append(StationRowState(id: id + 1)) }
        })
      }
    }

    func onAction(_ action: StationAction, store: MutatingStore<StationState, StationAction>) {
      if action == .open { store.editor = StationEditorState() }
    }
  }

  @Test("S17 C4 A child that ends when it begins, and begins when it ends, is stopped and reported")
  func pingPong() {
    let store = Store(state: StationState(), interactor: House())
    let reports = LoopReports(store)
    store.dispatch(.open)
    #expect(reports.chains == [["the children of \\.editor ended and began"]])
    store.binder.title.wrappedValue = "usable"
    #expect(store.title == "usable")
    #expect(reports.chains.count == 1)
  }

  @Test("S17 C4 A child that adds the next one when it begins is stopped and reported")
  func growing() {
    let store = Store(state: StationState(), interactor: House())
    let reports = LoopReports(store)
    let parent = store.instruments.arranging
    // Each of them takes a round, because it writes to the collection when it begins.
    parent.rows = (1...120).map { StationRowState(id: $0) }
    #expect(store.rows.count == 120)
    #expect(store.rows.allSatisfy { $0.text == "begun" })
    #expect(reports.chains.isEmpty)
    parent.title = "growing"
    parent.rows.append(StationRowState(id: 121))
    #expect(reports.chains == [["the children of \\.rows ended and began"]])
    #expect(store.rows.count < 1_000)
    #expect(store.rows.last?.text == "")
    parent.title = "grown"
    parent.rows[0].length = 1
    #expect(store.rows.last?.text == "begun")
  }
}
