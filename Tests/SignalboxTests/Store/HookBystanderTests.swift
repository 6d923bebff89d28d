import Signalbox
import Testing

/// Tests that sinks made by other code while a hook runs do not belong to the hook (H2, H3).
@MainActor struct HookBystanderTests {
  typealias One = Hooking<Desk, Job, OneHook>

  @Test("H2 a sink that a bystander makes when a hook notifies it does not belong to the hook")
  func bystanders() {
    let announcements = Emitter<Void>()
    let values = Emitter<Int>()
    var received: [Int] = []
    var made: [Subscription] = []
    let bystander = announcements.sink { made.append(values.sink { received.append($0) }) }
    let store = DeskStore(
      state: Desk(),
      interactor: One(connect: { _, _ in
        announcements.send()
        return .empty
      }))
    let journal = StoreJournal(store)
    values.send(1)
    #expect(journal.lines == ["started"])
    store.deactivateHooks()
    values.send(2)
    #expect(received == [1, 2])
    bystander.cancel()
  }

  @Test("H2 a sink that is made by an action that a hook dispatched does not belong to the hook")
  func actionsOfHooks() {
    let trigger = Emitter<Void>()
    let values = Emitter<Int>()
    var received: [Int] = []
    var made: [Subscription] = []
    let store = DeskStore(
      state: Desk(),
      interactor: One(
        connect: { _, store in trigger.assign(toAction: "subscribe", using: store) },
        handle: { _, _ in made.append(values.sink { received.append($0) }) }))
    let journal = StoreJournal(store)
    trigger.send()
    values.send(1)
    #expect(journal.lines.filter { $0.hasPrefix("hook") } == ["hook only ()"])
    store.deactivateHooks()
    values.send(2)
    #expect(received == [1, 2])
  }

  @Test("H2 a value that passes through a custom signal is received once")
  func ownSignals() {
    let emitter = Emitter<Int>()
    let doubled = Signal<Int> { subscriber in emitter.sink { subscriber.receive($0 * 2) } }
    let store = DeskStore(
      state: Desk(),
      interactor: One(connect: { _, store in doubled.sink { store.count = $0 } }))
    let journal = StoreJournal(store)
    emitter.send(1)
    #expect(journal.lines == ["started", "hook only 2", "change"])
  }
}
