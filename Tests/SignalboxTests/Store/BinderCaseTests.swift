import Testing

@testable import Signalbox

/// Bindings to cases of an enum, for destinations.
@Suite(.opensGates) @MainActor struct BinderCaseTests {
  enum Destination: Equatable {
    case note(String)
    case draft(String)
    case row(id: Int)
    case range(from: Int, to: Int)
    case settings
  }

  struct State: Equatable {
    var destination: Destination?
    var other = 0
  }

  private let store = Store(state: State())

  @Test("M6 A binding to a case reads the associated value of that case only")
  func reading() {
    let note = store.binder.case(\.destination, Destination.note)
    let draft = store.binder.case(\.destination, Destination.draft)
    #expect(note.wrappedValue == nil)
    store.binder.destination.wrappedValue = .note("a")
    #expect(note.wrappedValue == "a")
    #expect(draft.wrappedValue == nil)
    store.binder.destination.wrappedValue = .draft("b")
    #expect(note.wrappedValue == nil)
    #expect(draft.wrappedValue == "b")
  }

  @Test("M6 Labels of associated values make no difference")
  func labels() {
    let row = store.binder.case(\.destination, Destination.row)
    let range = store.binder.case(\.destination, Destination.range)
    store.binder.destination.wrappedValue = .row(id: 3)
    #expect(row.wrappedValue == 3)
    #expect(range.wrappedValue == nil)
    store.binder.destination.wrappedValue = .range(from: 1, to: 2)
    #expect(row.wrappedValue == nil)
    #expect(range.wrappedValue?.0 == 1)
    #expect(range.wrappedValue?.1 == 2)
  }

  @Test("M6 Writing nil to a binding to a case removes that case and no other")
  func writing() {
    let note = store.binder.case(\.destination, Destination.note)
    note.wrappedValue = "a"
    #expect(store.destination == .note("a"))
    note.wrappedValue = nil
    #expect(store.destination == nil)
    store.binder.destination.wrappedValue = .settings
    note.wrappedValue = nil
    #expect(store.destination == .settings)
  }

  @Test("M6 A case without associated values is a Bool")
  func withoutValues() {
    let settings = store.binder.case(\.destination, .settings)
    #expect(!settings.wrappedValue)
    settings.wrappedValue = true
    #expect(store.destination == .settings)
    settings.wrappedValue = false
    #expect(store.destination == nil)
    store.binder.destination.wrappedValue = .note("a")
    settings.wrappedValue = false
    #expect(store.destination == .note("a"))
  }

  @Test("O3 Writing nil to a binding to a case removes it if the truth has it, whatever is shown")
  func pending() {
    let gate = StoreGate()
    for isTrue in [true, false] {
      let store = Store(
        state: State(destination: .note("a")),
        actionable: Handling<State, Job> { _, store in
          store.optimistic { $0.destination = .settings }
          try await gate.pass("work")
        })
      store.send("work")
      #expect(store.destination == .settings)
      let journal = StoreJournal(store)
      if isTrue {
        store.binder.case(\.destination, Destination.note).wrappedValue = nil
      } else {
        store.binder.case(\.destination, .settings).wrappedValue = false
      }
      #expect(journal.lines.contains("dropped change") == !isTrue)
      store.cancelAll()
      #expect(store.destination == (isTrue ? nil : .note("a")))
    }
  }

  private enum Route: Equatable {
    case room(BinderCaseTests.State)
    case attic
  }

  private struct House: Equatable {
    var room: BinderCaseTests.State?
    var route: Route? = .room(BinderCaseTests.State())
  }

  private struct HouseFeature: Interactor {
    let gate: StoreGate

    func children(of store: MutatingStore<House, Job>) -> Children<House> {
      Child(\.room) { RoomFeature() }
      Child(case: \.route, Route.room) { RoomFeature() }
    }

    func onAction(_ action: Job, store: MutatingStore<House, Job>) async throws {
      store.optimistic {
        $0.room = BinderCaseTests.State(destination: .note("a"))
        $0.route = .attic
      }
      try await gate.pass("work")
    }

    func onError(_ error: any Error, action: Job, store: MutatingStore<House, Job>) {}
  }

  private struct RoomFeature: Interactor {
    func onAction(_ action: Never, store: MutatingStore<BinderCaseTests.State, Never>) {}
  }

  @Test("O3 A dismissal in a child that only a pending change shows is dropped")
  func shownOnly() throws {
    let store = Store(state: House(), interactor: HouseFeature(gate: StoreGate()))
    store.send("work")
    let room = try #require(store.child(\.room, RoomFeature.self))
    let journal = StoreJournal(store)
    room.binder.case(\.destination, Destination.note).wrappedValue = nil
    #expect(room.destination == .note("a"))
    // The event of the child is the write that was dropped.
    #expect(journal.lines == ["started", "\\.room"])
    store.cancelAll()
    #expect(store.room == nil)
  }

  @Test("C12 O3 A binding to a child in a case has no child that a pending change hides")
  func hidden() {
    let store = Store(state: House(), interactor: HouseFeature(gate: StoreGate()))
    let room = store.binder.child(case: \.route, Route.room, RoomFeature.self)
    var seen: [Bool] = []
    let subscription = room.sink { seen.append($0 != nil) }
    store.send("work")
    #expect(room.wrappedValue == nil)
    store.cancelAll()
    #expect(room.wrappedValue != nil)
    #expect(seen == [false, true])
    store.send("work")
    room.wrappedValue = nil
    store.cancelAll()
    #expect(store.route == nil)
    withExtendedLifetime(subscription) {}
  }

  @Test("S10 The signal of a binding to a case delivers its changes only")
  func signal() {
    let note = store.binder.case(\.destination, Destination.note)
    var values: [String?] = []
    let subscription = note.sink { values.append($0) }
    store.binder.destination.wrappedValue = .settings
    store.binder.destination.wrappedValue = .note("a")
    store.binder.other.wrappedValue = 1
    store.binder.destination.wrappedValue = nil
    #expect(values == ["a", nil])
    subscription.cancel()
  }
}
