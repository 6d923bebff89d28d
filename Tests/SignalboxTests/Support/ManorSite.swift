import Signalbox
import SignalboxTesting
import Testing

/// Where a child lives.
enum ManorSite: CaseIterable {
  case optional, array, dictionary, nested

  var state: ManorState {
    let room = ManorRoomState(id: 1)
    return switch self {
    case .optional: ManorState(annex: room)
    case .array: ManorState(rooms: [room])
    case .dictionary: ManorState(halls: ["a": room])
    case .nested:
      ManorState(rooms: [ManorRoomState(id: 1, cells: [ManorRoomState(id: 1, cells: [room])])])
    }
  }

  @MainActor func child(
    of store: TestStore<ManorState, ManorAction>
  ) throws -> TestStore<ManorRoomState, ManorErrand> {
    switch self {
    case .optional: return try #require(store.child(\.annex, ManorRoom.self))
    case .array: return try #require(store.child(\.rooms, id: 1, ManorRoom.self))
    case .dictionary: return try #require(store.child(\.halls, id: "a", ManorRoom.self))
    case .nested:
      let room = try #require(store.child(\.rooms, id: 1, ManorRoom.self))
      let cell = try #require(room.child(\.cells, id: 1, ManorCell.self))
      return try #require(cell.child(\.cells, id: 1, ManorCell.self))
    }
  }
}

extension StoreGate {
  /// A manor whose errands wait at this gate.
  @MainActor func manor(
    _ state: ManorState = ManorState(),
    onError: @escaping @MainActor (ManorStore) -> Void = { _ in },
    onCancel: @escaping @MainActor (ManorStore) -> Void = { _ in }
  ) -> TestStore<ManorState, ManorAction> {
    TestStore(
      state: state,
      interactor: ManorFeature(gate: self, onError: onError, onCancel: onCancel))
  }
}
