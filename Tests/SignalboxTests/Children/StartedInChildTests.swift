import Signalbox
import Testing

private struct StartedRoom: Equatable, Sendable { var count = 0 }

private struct StartedHouse: Equatable, Sendable { var room = StartedRoom() }

private struct StartedRoomFeature: Interactor {
  func onAction(_ gate: StoreGate, store: MutatingStore<StartedRoom, StoreGate>) async throws {
    try await gate.pass("door")
  }
}

private struct StartedHouseFeature: Interactor {
  func children(of store: MutatingStore<StartedHouse, StoreGate>) -> Children<StartedHouse> {
    Child(\.room) { StartedRoomFeature() }
  }

  func onAction(_ gate: StoreGate, store: MutatingStore<StartedHouse, StoreGate>) {
    store.child(\.room, StartedRoomFeature.self).send(gate)
  }
}

/// Work that an action of a parent starts in a child.
@Suite(.opensGates) @MainActor struct StartedInChildTests {
  @Test("A2 C1 A handle to an action settles when the work that it started in a child has")
  func settles() async {
    let gate = StoreGate()
    let store = Store(state: StartedHouse(), interactor: StartedHouseFeature())
    let task = store.send(gate)
    await gate.arrival(at: "door")
    let settled = await task.settling()
    #expect(task.isFinished && !settled.hasHappened)
    gate.open("door")
    await settled.arrival
  }
}
