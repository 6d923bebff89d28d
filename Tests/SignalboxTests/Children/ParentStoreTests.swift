import SignalboxTesting
import Testing

@testable import Signalbox

/// What work of a child does through the store of its parent (C11).
@MainActor @Suite(.opensGates) struct ParentStoreTests {
  private let gate = StoreGate()

  private func manor(
    _ state: ManorState = ManorState(),
    onError: @escaping @MainActor (ManorStore) -> Void = { _ in },
    onCancel: @escaping @MainActor (ManorStore) -> Void = { _ in }
  ) -> TestStore<ManorState, ManorAction> {
    TestStore(
      state: state,
      interactor: ManorFeature(gate: gate, onError: onError, onCancel: onCancel))
  }

  /// How code uses the store of a parent.
  enum Use: CaseIterable {
    case assign, append, set, update, batch, whole, wholeInPlace, dispatch, awaitDispatch, send, run
    case cancel, mark, child

    @MainActor func use(_ store: ManorStore) async {
      switch self {
      case .assign: store.log = ["new"]
      case .append: store.log.append("new")
      case .set: store.set(\.log, ["new"], forceUpdate: true)
      case .update: store.update { $0.log = ["new"] }
      case .batch: store.batch { store.log = ["new"] }
      case .whole: store.state = ManorState(log: ["new"])
      case .wholeInPlace: store.state.log.append("new")
      case .dispatch: Self.dispatch(store)
      case .awaitDispatch: await store.dispatch(.note("new"))
      case .send: store.send(.note("new"))
      case .run: store.run { $0.log = ["new"] }
      case .cancel: store.cancel(id: "errand")
      case .mark: store.mark(\.isBusy)
      case .child: store.child(\.room, ManorRoom.self).binder.text.wrappedValue = "new"
      }
    }

    @MainActor private static func dispatch(_ store: ManorStore) { store.dispatch(.note("new")) }
  }

  /// Where a child lives.
  enum Site: CaseIterable {
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

  @Test("C11 A6 Work that was superseded does nothing in the parent", arguments: Use.allCases)
  func superseded(use: Use) async throws {
    let store = manor()
    let room = store.child(\.room, ManorRoom.self)
    let gate = gate
    var isCurrent: Bool?
    room.send(
      ManorErrand(description: "old") { parent in
        try await gate.pass("old")
        isCurrent = parent.isCurrent
        await use.use(parent)
      })
    room.send(ManorErrand(description: "new") { _ in })
    gate.open("old")
    await store.settle(includingCancelled: true)
    #expect(store.state == ManorState())
    #expect(isCurrent == false)
    // A handle to a child that stale work asks for is a store that only has a state.
    store.expectDropped(use == .child ? 0 : 1)
  }

  @Test("C11 C4 Work of a child that is gone does nothing in the parent", arguments: Site.allCases)
  func gone(site: Site) async throws {
    let store = manor(site.state)
    let child = try site.child(of: store)
    let gate = gate
    child.send(
      ManorErrand(description: "late") { parent in
        try await gate.pass("late")
        parent.log.append("late")
        parent.send(.note("late"))
      })
    store.state = ManorState()
    store.state = site.state
    gate.open("late")
    await store.settle(includingCancelled: true)
    #expect(store.state == site.state)
    store.expectDropped(2)
  }

  @Test("C11 A6 Stale work reads its own writes in the parent's store")
  func readsItsWrites() async {
    let store = manor()
    let room = store.child(\.room, ManorRoom.self)
    let gate = gate
    var read: [String] = []
    room.send(
      ManorErrand(description: "old") { parent in
        try await gate.pass("old")
        parent.log.append("a")
        parent.log[parent.log.count - 1] += "b"
        read = parent.log
      })
    room.send(ManorErrand(description: "new") { _ in })
    gate.open("old")
    await store.settle(includingCancelled: true)
    #expect(read == ["ab"])
    #expect(store.log.isEmpty)
    store.expectDropped(2)
  }

  @Test(
    "C11 H4 What work does in the parent is caused by it, wherever it runs",
    arguments: Site.allCases)
  func cause(site: Site) async throws {
    let store = manor(site.state)
    let child = try site.child(of: store)
    let gate = gate
    var causes: [Int?] = []
    var works: [Int?] = []
    var dispatched: [String: Int] = [:]
    let subscription = store.events.sink { event in
      switch event.kind {
      case .stateChanged:
        causes.append(event.cause)
        works.append(event.work)
      case .child(let child):
        if case .dispatched(let errand as ManorErrand) = child.event.kind {
          dispatched[errand.description] = event.id
        }
      default: break
      }
    }
    child.send(
      ManorErrand(description: "errand") { parent in
        parent.log.append("at once")
        try await gate.pass("door")
        parent.log.append("after a suspension")
        async let one: Void = Self.note("in a child task", in: parent)
        await one
        await withTaskGroup { group in
          group.addTask { await Self.note("in a group", in: parent) }
          await group.waitForAll()
        }
        parent.update { $0.log.append("in an update") }
        parent.batch { parent.log.append("in a batch") }
        parent.set(\.log, parent.log + ["set"])
      })
    gate.open("door")
    await store.settle()
    let errand = try #require(dispatched["errand"])
    #expect(store.log.count == 7)
    #expect(causes == Array(repeating: errand, count: 7))
    #expect(works == Array(repeating: errand, count: 7))
    withExtendedLifetime(subscription) {}
  }

  private static func note(_ text: String, in store: ManorStore) async { store.log.append(text) }

  @Test("C11 Work that a child's work started in the parent goes on")
  func startedBefore() async {
    let store = manor()
    let room = store.child(\.room, ManorRoom.self)
    let gate = gate
    room.send(
      ManorErrand(description: "old") { parent in
        parent.send(.wait("action"))
        parent.run { run in
          try await gate.pass("run")
          run.log.append("ran")
        }
        try await gate.pass("old")
      })
    room.send(ManorErrand(description: "new") { _ in })
    for door in ["old", "action", "run"] { gate.open(door) }
    await store.settle(includingCancelled: true)
    #expect(store.log.sorted() == ["ran", "waited at action"])
    store.expectDropped(0)
  }

  @Test(
    "C11 A2 A handle to a child's action settles when the work that it started in the parent has")
  func settles() async {
    let store = manor()
    let gate = gate
    let errand = store.child(\.room, ManorRoom.self).send(
      ManorErrand(description: "errand") { $0.send(.wait("action")) })
    var isSettled = false
    let waiting = Task {
      await errand.settled
      isSettled = true
    }
    await gate.arrival(at: "action")
    #expect(!isSettled)
    gate.open("action")
    await waiting.value
    #expect(store.log == ["waited at action"])
  }

  @Test("C11 A13 A mark that a closure sets lasts as long as the work that calls it")
  func mark() async {
    let store = manor()
    let gate = gate
    let room = store.child(\.room, ManorRoom.self)
    room.send(
      ManorErrand(description: "errand") { parent in
        parent.mark(\.isBusy)
        try await gate.pass("door")
      })
    #expect(store.isBusy)
    gate.open("door")
    await store.settle()
    #expect(!store.isBusy)
    room.send(
      ManorErrand(description: "errand") { parent in
        parent.mark(\.isBusy)
        try await gate.pass("door")
      })
    #expect(store.isBusy)
    room.cancel(id: "errand")
    #expect(!store.isBusy)
  }

  @Test("C11 onError and onCancel of a child reach the parent")
  func errorAndCancel() async {
    let store = manor(
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
    let store = manor()
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
    let store = manor(ManorState(annex: ManorRoomState(id: 1)))
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

  @Test("C11 A6 Handles that work got through the parent's store end with it")
  func handles() async throws {
    let store = manor()
    let room = store.child(\.room, ManorRoom.self)
    let gate = gate
    room.send(
      ManorErrand(description: "old") { parent in
        let handle = parent.child(\.room, ManorRoom.self)
        handle.binder.text.wrappedValue = "early"
        try await gate.pass("old")
        handle.binder.text.wrappedValue = "late"
      })
    room.send(ManorErrand(description: "new") { _ in })
    gate.open("old")
    await store.settle(includingCancelled: true)
    #expect(store.room.text == "early")
    store.expectDropped(1)
  }

  @Test("C11 A transducer's effects act for the work that runs them")
  func transducer() async throws {
    let store = manor()
    let gate = gate
    let lamp = store.child(\.lamp, ManorLamp.self)
    var causes: [Int?] = []
    var events: [Int] = []
    let subscription = store.events.sink { event in
      switch event.kind {
      case .stateChanged(let old, let new): if old.log != new.log { causes.append(event.cause) }
      case .child(let child):
        if case .dispatched(let lampEvent as ManorLamp.Event) = child.event.kind,
          lampEvent == .blink
        {
          events.append(event.id)
        }
      default: break
      }
    }
    lamp.send(.blink)
    #expect(store.log == ["blinked"])
    #expect(causes == events)
    lamp.send(.light)
    await gate.arrival(at: "lamp")
    lamp.send(.douse)
    gate.open("lamp")
    await store.settle(includingCancelled: true)
    #expect(store.log == ["blinked"])
    store.expectDropped(1)
    withExtendedLifetime(subscription) {}
  }

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
