import SignalboxTesting
import Testing

@testable import Signalbox

/// For which work a closure acts that a child calls or that is called for it (C11).
@MainActor @Suite(.opensGates) struct ParentClosureTests {
  private let gate = StoreGate()

  @Test("C11 onError and onCancel of a child reach the parent")
  func errorAndCancel() async {
    let store = gate.manor(
      onError: { $0.log.append("failed") }, onCancel: { $0.log.append("cancelled") })
    let gate = gate
    let room = store.child(\.room, ManorRoom.self)
    var causes: [String] = []
    let subscription = store.events.sink { event in
      if case .stateChanged(_, let state) = event.kind, let cause = event.cause {
        causes.append("\(state.log.last ?? "") \(cause)")
      } else if case .child(let child) = event.kind {
        switch child.event.kind {
        case .failed: causes.append("error \(event.id)")
        case .cancelled: causes.append("cancel \(event.id)")
        default: break
        }
      }
    }
    room.send(ManorErrand(description: "fails") { _ in throw ChildFailure() })
    await store.settle()
    room.send(ManorErrand(description: "waits") { _ in try await gate.pass("door") })
    room.cancel(id: "errand")
    #expect(store.log == ["failed", "cancelled"])
    let numbers = causes.map { $0.split(separator: " ")[1] }
    #expect(causes.count == 4)
    #expect(numbers.count == 4 && numbers[0] == numbers[1] && numbers[2] == numbers[3])
    withExtendedLifetime(subscription) {}
  }

  @Test("C11 Code that runs outside of all work uses the parent's store as it always did")
  func outside() async throws {
    let bell = Emitter<String>()
    let store = TestStore(
      state: ManorState(rooms: [ManorRoomState(id: 1)]),
      interactor: ManorFeature(gate: gate, bell: bell))
    let gate = gate
    let room = store.child(\.room, ManorRoom.self)
    // Stale work sends to an emitter. The hooks that receive the value are not stale.
    room.send(
      ManorErrand(description: "old") { _ in
        try await gate.pass("old")
        bell.send("late bell")
      })
    room.send(ManorErrand(description: "new") { _ in })
    gate.open("old")
    await store.settle(includingCancelled: true)
    #expect(store.log == ["late bell rang", "late bell rang"])
  }

  @Test("C11 Work that a hook starts within a delivery is the caller")
  func startedInADelivery() async throws {
    let store = gate.manor()
    let gate = gate
    let room = store.child(\.room, ManorRoom.self)
    let start = Emitter<Void>()
    let subscription = start.signal.sink {
      room.send(
        ManorErrand(description: "old") { parent in
          parent.log.append("at once")
          parent.mark(\.isBusy)
          try await gate.pass("old")
          parent.log.append("late")
        })
    }
    start.send()
    #expect(store.isBusy)
    room.send(ManorErrand(description: "new") { _ in })
    #expect(!store.isBusy)
    gate.open("old")
    await store.settle(includingCancelled: true)
    #expect(store.log == ["at once"])
    store.expectDropped(1)
    withExtendedLifetime(subscription) {}
  }

  @Test("C11 A closure that ends its own child may go on until it waits")
  func endsItself() async throws {
    let store = gate.manor(ManorState(annex: ManorRoomState(id: 1)))
    let gate = gate
    try #require(store.child(\.annex, ManorRoom.self)).send(
      ManorErrand(description: "done") { parent in
        parent.annex = nil
        parent.log.append("at once")
        parent.send(.note("sent"))
        try await gate.pass("door")
        parent.log.append("late")
      })
    #expect(store.log == ["at once", "sent"])
    gate.open("door")
    await store.settle(includingCancelled: true)
    #expect(store.log == ["at once", "sent"])
    store.expectDropped(1)
  }

  @Test("C11 onCancel may call a closure that ends its own child and goes on")
  func cancelEndsItself() throws {
    let store = gate.manor(
      ManorState(annex: ManorRoomState(id: 1)),
      onCancel: {
        $0.annex = nil
        $0.log.append("closed")
        $0.send(.note("sent"))
      })
    let annex = try #require(store.child(\.annex, ManorRoom.self))
    annex.send(ManorErrand(description: "waits") { [gate] _ in try await gate.pass("door") })
    annex.cancel(id: "errand")
    #expect(store.annex == nil)
    #expect(store.log == ["closed", "sent"])
  }

  @Test("C11 A closure may go on if an action of the parent that it sent ended its child")
  func endedByAnAction() async throws {
    struct Doorman: Interactor {
      func children(of store: ManorStore) -> Children<ManorState> {
        Child(\.annex) {
          ManorRoom(
            manor: store, onError: { _ in }, onCancel: { _ in }, bell: .never)
        }
      }

      func onAction(_ action: ManorAction, store: ManorStore) { store.annex = nil }
    }
    let store = Store(state: ManorState(annex: ManorRoomState(id: 1)), interactor: Doorman())
    try #require(store.child(\.annex, ManorRoom.self)).send(
      ManorErrand(description: "done") { parent in
        parent.send(.note("close"))
        parent.log.append("closed")
      })
    #expect(store.annex == nil)
    #expect(store.log == ["closed"])
  }

  @Test("C11 An action of the parent that a child's work has sent does not act for the child")
  func actionOfTheParent() async throws {
    struct Helper: Interactor {
      let gate: StoreGate

      func children(of store: ManorStore) -> Children<ManorState> {
        Child(\.room) {
          ManorRoom(
            manor: store, onError: { _ in }, onCancel: { _ in }, bell: .never)
        }
        Child(\.annex) {
          ManorRoom(
            manor: store, onError: { _ in }, onCancel: { _ in }, bell: .never)
        }
      }

      func onAction(_ action: ManorAction, store: ManorStore) async throws {
        try await gate.pass("parent")
        // Uses a closure that has captured the store of `children(of:)`.
        store.child(\.annex, ManorRoom.self)?.send(
          ManorErrand(description: "annex") { $0.log.append("from the annex") })
      }
    }
    let store = TestStore(
      state: ManorState(annex: ManorRoomState(id: 1)), interactor: Helper(gate: gate))
    let room = store.child(\.room, ManorRoom.self)
    let gate = gate
    room.send(
      ManorErrand(description: "old") { parent in
        parent.send(.note("later"))
        try await gate.pass("old")
      })
    room.send(ManorErrand(description: "new") { _ in })
    gate.open("parent")
    gate.open("old")
    await store.settle(includingCancelled: true)
    #expect(store.log == ["from the annex"])
  }
}
