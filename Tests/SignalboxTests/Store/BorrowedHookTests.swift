import Signalbox
import Testing

/// Tests the attribution of sinks that other code makes while a hook runs.
@MainActor struct BorrowedHookTests {
  @Test("H2 A4 a queued action owns what it subscribes to, even if a hook let it start")
  func queuedAction() {
    let gate = StoreGate()
    let (stop, values) = (Emitter<Void>(), Emitter<Int>())
    var head: ActionTask?
    var kept: Set<Subscription> = []
    var told: [Int] = []
    let store = DeskStore(
      state: Desk(),
      interactor: Hooking<Desk, Job, OneHook>(
        connect: { _, _ in stop.sink { head?.cancel() } },
        handle: { job, _ in
          if job.text == "b" { values.sink { told.append($0) }.store(in: &kept) }
          try await gate.pass("door")
        }))
    let journal = StoreJournal(store)
    head = store.send(Job("a", id: "x"))
    store.send(Job("b", id: "x", .queue))
    stop.send()
    values.send(1)
    store.deactivateHooks()
    values.send(2)
    #expect(told == [1, 2])
    #expect(!journal.lines.contains("hook only 1"))
    for _ in 0..<2 { gate.open("door") }
  }

  @Test(
    "H2 H3 a hook owns what it subscribes to when a signal finishes, and that ends with the hook")
  func completionOfAHook() {
    let (first, second) = (Emitter<Int>(), Emitter<Int>())
    var kept: Set<Subscription> = []
    var told: [Int] = []
    let store = DeskStore(
      state: Desk(),
      interactor: Hooking<Desk, Job, OneHook>(connect: { _, _ in
        first.sink(
          receiveCompletion: { second.sink { told.append($0) }.store(in: &kept) },
          receiveValue: { _ in })
      }))
    let journal = StoreJournal(store)
    first.finish()
    second.send(1)
    #expect(journal.lines.contains("hook only 1"))
    store.deactivateHooks()
    second.send(2)
    #expect(told == [1])
  }

  @Test("H2 a bystander owns what it subscribes to when a hook finishes its signal")
  func completionOfABystander() {
    let (first, second) = (Emitter<Int>(), Emitter<Int>())
    var kept: Set<Subscription> = []
    var told: [Int] = []
    let bystander = first.sink(
      receiveCompletion: { second.sink { told.append($0) }.store(in: &kept) },
      receiveValue: { _ in })
    let store = DeskStore(
      state: Desk(),
      interactor: Hooking<Desk, Job, OneHook>(connect: { _, _ in
        first.finish()
        return .empty
      }))
    let journal = StoreJournal(store)
    second.send(1)
    store.deactivateHooks()
    second.send(2)
    #expect(told == [1, 2])
    #expect(journal.lines == ["started"])
    bystander.cancel()
  }

  @Test(
    "H4 what a hook writes after subscribing to a current value is caused by the value it received")
  func causeAfterANestedValue() {
    let values = Emitter<Int>()
    var kept: Set<Subscription> = []
    let store = DeskStore(
      state: Desk(title: "now"),
      interactor: Hooking<Desk, Job, OneHook>(connect: { _, store in
        values.sink {
          store.publisher.title.includingCurrent().sink { _ in }.store(in: &kept)
          store.count = $0
        }
      }))
    let journal = StoreJournal(store)
    values.send(1)
    #expect(
      journal.tree == [
        "started", "hook only 1", "hook only now ← hook only 1", "change ← hook only 1",
      ])
  }

  @Test("H5 what a hook does outside of its deliveries and their tasks follows from no value")
  func causeAfterTheDelivery() {
    let values = Emitter<Int>()
    var handle: DeskHandle?
    let store = DeskStore(
      state: Desk(),
      interactor: Hooking<Desk, Job, OneHook>(connect: { _, store in
        handle = store
        return values.sink { _ in }
      }))
    let journal = StoreJournal(store)
    values.send(1)
    values.send(2)
    handle?.count = 1  // as a callback from outside does
    #expect(journal.tree == ["started", "hook only 1", "hook only 2", "change"])
  }

  private struct Room: Equatable { var lamp = 0 }

  private struct LampFeature: Interactor {
    func onAction(_ level: Int, store: MutatingStore<Int, Int>) { store.state = level }
  }

  private struct RoomFeature: Interactor {
    enum Hook: CaseIterable { case only }
    let values: Emitter<Int>
    let receive: @MainActor (Store<Int, Int>) -> Void

    func children(of store: MutatingStore<Room, Never>) -> Children<Room> {
      Child(\.lamp) { LampFeature() }
    }

    func subscription(for hook: Hook, store: MutatingStore<Room, Never>) -> Subscription {
      values.sink { _ in receive(store.child(\.lamp, LampFeature.self)) }
    }
  }

  @Test("H5 C6 what a callback does through a child that a hook asked for follows from no value")
  func childAfterTheDelivery() {
    let values = Emitter<Int>()
    var lamp: Store<Int, Int>?
    let feature = RoomFeature(values: values) { child in
      lamp = child
      child.dispatch(1)
    }
    let store = Store(state: Room(), interactor: feature)
    let journal = StoreJournal(store)
    values.send(1)
    lamp?.dispatch(2)
    let causes = journal.events.compactMap { event in
      if case .child(let child) = event.kind, case .dispatched = child.event.kind {
        event.cause != nil
      } else {
        nil
      }
    }
    #expect(causes == [true, false])
  }
}
