import SignalboxTesting
import Testing

@testable import Signalbox

/// What a write through the store of a parent costs, and what is left of it (C11).
@MainActor @Suite(.opensGates) struct ParentWriteTests {
  private let gate = StoreGate()

  @Test("C11 M2 A change in place through the parent's store copies nothing")
  func inPlace() {
    let store = Store(state: ManorState(), interactor: ManorFeature())
    let room = store.child(\.room, ManorRoom.self)
    store.instruments.arranging.log = Array(repeating: "", count: 1000)
    store.instruments.arranging.log.reserveCapacity(2000)
    func address() -> UInt {
      unsafe store.instruments.arranging.log.withUnsafeBufferPointer {
        UInt(bitPattern: $0.baseAddress)
      }
    }
    let before = address()
    room.send(ManorErrand(description: "errand") { $0.log.append("a") })
    #expect(address() == before)
    #expect(store.log.count == 1001)
  }

  @Test("C11 M2 So does one in a parent that is an element itself")
  func inPlaceOfElement() throws {
    let store = Store(
      state: ManorState(rooms: [ManorRoomState(id: 1, cells: [ManorRoomState(id: 1)])]),
      interactor: ManorFeature())
    let room = try #require(store.child(\.rooms, id: 1, ManorRoom.self))
    let seen = StateRecorder(store.publisher.rooms.map { $0[0].cells.count })
    let cell = try #require(room.child(\.cells, id: 1, ManorCell.self))
    cell.send(
      ManorErrand(description: "errand") { parent in
        parent.rooms[0].cells.append(ManorRoomState(id: 2))
        parent.rooms[0].text = "b"
      })
    #expect(store.rooms[0].cells.map(\.id) == [1, 2])
    #expect(store.rooms[0].text == "b")
    #expect(seen.values.last == 2)
  }

  @Test("C11 S6 M3 Writes through the parent's store are compared as any other")
  func compared() {
    let store = Store(state: ManorState(log: ["a"]), interactor: ManorFeature())
    let room = store.child(\.room, ManorRoom.self)
    let logs = StateRecorder(store.publisher.log)
    let flags = StateRecorder(store.publisher.isBusy)
    room.send(
      ManorErrand(description: "errand") { parent in
        parent.log = ["a"]
        parent.isBusy = false
        parent.batch {
          parent.isBusy.toggle()
          parent.isBusy.toggle()
        }
        parent.isBusy.toggle()
        parent.update { $0.log = ["a"] }
        parent.set(\.log, ["a"], forceUpdate: true)
      })
    #expect(logs.values == [["a"]])
    #expect(flags.values == [true])
  }

  @Test("C11 A9 A10 Nothing of a child's work is left in the parent when it has ended")
  func leavesNothing() async {
    final class Token {}
    let gate = gate
    let store = Store(state: ManorState(), interactor: ManorFeature(gate: gate))
    let room = store.child(\.room, ManorRoom.self)
    weak var token: Token?
    do {
      let held = Token()
      token = held
      room.send(
        ManorErrand(description: "errand") { parent in
          parent.log.append("a")
          parent.mark(\.isBusy)
          try await gate.pass("door")
          withExtendedLifetime(held) {}
        })
    }
    room.send(ManorErrand(description: "new") { $0.send(.wait("parent")) })
    gate.open("door")
    await gate.departure(from: "door")
    await gate.arrival(at: "parent")
    gate.open("parent")
    await store.settle()
    #expect(token == nil)
  }
}
