import SignalboxTesting
import Testing

@testable import Signalbox

/// What work of a child does through the store of its parent (C11).
@MainActor @Suite(.opensGates) struct ParentStoreTests {
  private let gate = StoreGate()

  @Test("C11 A6 Work that was superseded does nothing in the parent", arguments: ManorUse.allCases)
  func superseded(use: ManorUse) async throws {
    let store = gate.manor()
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

  @Test(
    "C11 C4 Work of a child that is gone does nothing in the parent", arguments: ManorSite.allCases)
  func gone(site: ManorSite) async throws {
    let store = gate.manor(site.state)
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
    let store = gate.manor()
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
    arguments: ManorSite.allCases)
  func cause(site: ManorSite) async throws {
    let store = gate.manor(site.state)
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
    let store = gate.manor()
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
    let store = gate.manor()
    let gate = gate
    let errand = store.child(\.room, ManorRoom.self).send(
      ManorErrand(description: "errand") { $0.send(.wait("action")) })
    await gate.arrival(at: "action")
    let settled = await errand.settling()
    #expect(!settled.hasHappened)
    gate.open("action")
    await settled.arrival
    #expect(store.log == ["waited at action"])
  }

  @Test("C11 A2 A handle settles when the work that was started in the parent's children has")
  func settlesBeside() async {
    let store = gate.manor()
    let gate = gate
    let errand = store.child(\.room, ManorRoom.self).send(
      ManorErrand(description: "errand") { parent in
        let inner = ManorErrand(description: "inner", isNamed: false) { _ in
          try await gate.pass("inner")
        }
        parent.child(\.room, ManorRoom.self).send(inner)
      })
    await gate.arrival(at: "inner")
    let settled = await errand.settling()
    #expect(errand.isFinished && !settled.hasHappened)
    gate.open("inner")
    await settled.arrival
  }

  @Test("C11 A13 A mark that a closure sets lasts as long as the work that calls it")
  func mark() async {
    let store = gate.manor()
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

  @Test("C11 A6 Handles that work got through the parent's store end with it")
  func handles() async throws {
    let store = gate.manor()
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
    let store = gate.manor()
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
}
