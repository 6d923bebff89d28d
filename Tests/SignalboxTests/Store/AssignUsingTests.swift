import Signalbox
import Testing

@MainActor struct AssignUsingTests {
  typealias One = Hooking<Desk, Job, OneHook>

  private func makeStore(
    _ connect: @escaping @MainActor (DeskHandle) -> Subscription
  ) -> DeskStore {
    DeskStore(
      state: Desk(),
      interactor: One(
        connect: { _, store in connect(store) },
        handle: { job, store in store.log.append("\(job)") }))
  }

  @Test("H3 assign(to:using:) writes each value to the property until the hook ends")
  func assignToProperty() {
    let emitter = Emitter<Int>()
    let store = makeStore { emitter.assign(to: \.count, using: $0) }
    emitter.send(1)
    emitter.send(2)
    #expect(store.count == 2)
    store.deactivateHooks()
    emitter.send(3)
    #expect(store.count == 2)
  }

  @Test("S6 assign(to:using:) of an equal value notifies no observer, unless it is forced")
  func assignForced() {
    let emitter = Emitter<Int>()
    var told: [Int] = []
    let store = makeStore { emitter.assign(to: \.count, using: $0) }
    let forced = makeStore { emitter.assign(to: \.count, using: $0, forceUpdate: true) }
    let subscriptions = [
      store.publisher.count.sink { told.append($0) },
      forced.publisher.count.sink { told.append(-$0) },
    ]
    emitter.send(1)
    emitter.send(1)
    #expect(told == [1, -1, -1])
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test(
    "H4 assign(toAction:using:) dispatches an action for each value, with the hook as its cause")
  func assignToAction() {
    let emitter = Emitter<Int>()
    let store = makeStore { emitter.assign(toAction: { Job("got \($0)") }, using: $0) }
    let journal = StoreJournal(store)
    emitter.send(1)
    #expect(store.log == ["got 1"])
    #expect(
      journal.tree == [
        "started", "hook only 1", "dispatched got 1 ← hook only 1", "change ← dispatched got 1",
        "finished got 1 ← dispatched got 1",
      ])
  }

  @Test("H4 assign(toAction:using:) of a fixed action dispatches it for each value")
  func assignToFixedAction() {
    let emitter = Emitter<Int>()
    let store = makeStore { emitter.assign(toAction: "tick", using: $0) }
    emitter.send(1)
    emitter.send(1)
    #expect(store.log == ["tick", "tick"])
  }

  @Test("A9 assign does not keep its store alive, and writes nothing after the store was released")
  func assignHoldsNothing() {
    let emitter = Emitter<Int>()
    let actions = Emitter<Int>()
    var elsewhere: [Subscription] = []
    var store: DeskStore? = makeStore { store in
      elsewhere = [
        emitter.assign(to: \.count, using: store),
        actions.assign(toAction: { Job("\($0)") }, using: store),
      ]
      return .empty
    }
    weak let weakStore = store
    store = nil
    #expect(weakStore == nil)
    emitter.send(1)
    actions.send(2)
    #expect(elsewhere.count == 2)
  }
}
