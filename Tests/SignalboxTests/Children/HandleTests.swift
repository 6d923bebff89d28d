import SignalboxTesting
import Testing

@testable import Signalbox

/// What is done through handles to children, and on whose behalf.
@MainActor struct HandleTests {
  private enum DeskAction: CancellableAction, Equatable {
    case load(String)
    case reset

    var cancelIdentifier: String? { self == .reset ? nil : "load" }
  }

  /// Gets its handles before it waits.
  private struct Desk: Interactor {
    let gate: @MainActor () async throws -> Void

    func children(of store: MutatingStore<StationState, DeskAction>) -> Children<StationState> {
      Child(\.settings) { StationSettings() }
      Each(\.rows) { _ in StationRow() }
    }

    func onAction(
      _ action: DeskAction, store: MutatingStore<StationState, DeskAction>
    ) async throws {
      guard case .load(let text) = action else { return }
      let row = store.child(\.rows, id: 1, StationRow.self)
      let note = row?.child(\.note, StationEditor.self)
      let settings = store.child(\.settings, StationSettings.self)
      let binding = row?.binder.text
      try? await gate()
      row?.send(.type(text))
      note?.send(.type(text))
      settings.send(.louder)
      if let binding { binding.wrappedValue += "!" }
      settings.binder.log.wrappedValue.append(text)
    }
  }

  @Test("A6 C6 A superseded action does nothing through handles that it has got before")
  func superseded() async {
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let store = TestStore(
      state: StationState(rows: [StationRowState(id: 1, note: StationEditorState())]),
      interactor: Desk { for await _ in gate {} })
    var dropped: [String] = []
    let subscription = store.events.sink { event in
      guard case .child(let child) = event.kind else { return }
      if "\(child.event)".contains("dropped(") { dropped.append(child.path) }
    }
    store.send(.load("a"))
    store.send(.load("b"))
    open.finish()
    await store.settle(includingCancelled: true)
    #expect(store.rows[0].text == "b!")
    #expect(store.rows[0].note?.text == "b")
    #expect(store.settings.volume == 2)
    #expect(store.settings.log == ["b"])
    #expect(
      dropped.sorted() == [
        "\\.rows[id: 1]", "\\.rows[id: 1]", "\\.rows[id: 1].note", "\\.settings", "\\.settings",
      ])
    withExtendedLifetime(subscription) {}
  }

  @Test("A6 The handles of an action that ended on its own, and of other code, keep working")
  func ended() async throws {
    let store = TestStore(
      state: StationState(rows: [StationRowState(id: 1)]), interactor: Desk {})
    let row = try #require(store.child(\.rows, id: 1, StationRow.self))
    await store.dispatch(.load("a"))
    await store.dispatch(.load("b"))
    row.send(.type("c"))
    #expect(store.rows[0].text == "a!b!c")
  }

  @Test("H4 C8 A handle that a sink has got is not caused by what the sink was told then")
  func cause() throws {
    let store = Store(state: StationState(), interactor: Station())
    var causes: [Int?] = []
    var row: Store<StationRowState, StationRowAction>?
    let subscriptions = [
      store.events.sink { event in
        guard case .child(let child) = event.kind, case .dispatched = child.kind else { return }
        causes.append(event.cause)
      },
      store.publisher.rows.sink { [unowned store] _ in
        if row != nil { return }
        row = store.child(\.rows, id: 1, StationRow.self)
        row?.send(.type("now"))
      },
    ]
    store.instruments.arranging.rows = [StationRowState(id: 1)]
    try #require(row).send(.type("later"))
    #expect(causes.count == 2)
    #expect(causes.first != .some(nil))
    #expect(causes.last == .some(nil))
    withExtendedLifetime(subscriptions) {}
  }

  private enum Lamp: Transducer {
    struct State: Equatable { var log: [String] = [] }
    enum Event: Sendable { case note(String) }

    static func update(_ state: inout State, event: Event) -> Effect? {
      if case .note(let text) = event { state.log.append(text) }
      return nil
    }
  }

  /// Gets handles to a lamp and a row before it waits.
  private struct Switchboard: Interactor {
    struct State: Equatable {
      var lamp = Lamp.State()
      var row = StationRowState()
    }

    let gate: @MainActor () async throws -> Void
    let done: @MainActor () -> Void

    func children(of store: MutatingStore<State, DeskAction>) -> Children<State> {
      Child(\.lamp) { Lamp.feature() }
      Child(\.row) { StationRow() }
    }

    func onAction(_ action: DeskAction, store: MutatingStore<State, DeskAction>) async throws {
      guard case .load(let text) = action else { return }
      let lamp = store.child(\.lamp, Lamp.self)
      let row = store.child(\.row, StationRow.self)
      let input = lamp.input(of: Lamp.self)
      try? await gate()
      Self.dispatch(.note(text), to: lamp)
      try? input.post(.note("posted \(text)"))
      if text == "a" {
        row.cancelAll()
        row.deactivateHooks()
      }
      done()
    }

    /// In an asynchronous function, `dispatch` would be the one that waits.
    static func dispatch(
      _ event: Lamp.Event, to lamp: Store<Lamp.State, Lamp.Event>
    ) { lamp.dispatch(event) }
  }

  @Test("A6 C10 A superseded action reaches no transducer and ends no hooks")
  func supersededTransducer() async throws {
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let store = Store(
      state: Switchboard.State(),
      interactor: Switchboard(gate: { for await _ in gate {} }, done: { end.yield() }))
    let row = store.child(\.row, StationRow.self)
    store.send(.load("a"))
    store.send(.load("b"))
    open.finish()
    var ended = ends.makeAsyncIterator()
    for _ in 0..<2 { await ended.next() }
    Switchboard.dispatch(.note("c"), to: store.child(\.lamp, Lamp.self))
    #expect(store.lamp.log == ["b", "posted b", "c"])
    row.binder.text.wrappedValue = "abc"
    #expect(row.length == 3)
  }

  private enum SaveHook: CaseIterable { case title }

  /// Dispatches to a child in an action that its hook dispatches.
  private struct Saver: Interactor {
    func children(of store: MutatingStore<StationState, StationAction>) -> Children<StationState> {
      Child(\.settings) { StationSettings() }
    }

    func onAction(_ action: StationAction, store: MutatingStore<StationState, StationAction>) {
      store.child(\.settings, StationSettings.self).send(.louder)
    }

    func subscription(for hook: SaveHook, store: MutatingStore<StationState, StationAction>)
      -> Subscription
    {
      store.publisher.title.assign(toAction: .open, using: store)
    }
  }

  @Test("H4 C8 What an action does through a handle during a delivery is caused by the action")
  func causeInDelivery() throws {
    let store = Store(state: StationState(), interactor: Saver())
    var events: [StoreEvent<StationState, StationAction>] = []
    let subscription = store.events.sink { events.append($0) }
    store.binder.title.wrappedValue = "south"
    let action = try #require(
      events.first { if case .dispatched = $0.kind { true } else { false } })
    let inner = try #require(events.first { if case .child = $0.kind { true } else { false } })
    #expect(inner.cause == action.id)
    withExtendedLifetime(subscription) {}
  }
}
