import Observation
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

  /// What runs while a hook's sink is running, without being part of the hook.
  enum Bystander: CaseIterable { case tracker, onCancel, effect }

  @Test(
    "H2 H3 trackers, callbacks and effects that a hook leads to make sinks of their own",
    arguments: Bystander.allCases, [false, true])
  func called(by bystander: Bystander, isWatched: Bool) {
    let trigger = Emitter<Void>()
    let values = Emitter<Int>()
    let received = StateRecorder<Int>()
    let tools = Store(state: Clockwork.State(), transducer: Clockwork.self, env: StoreGate())
    let subscribe: @MainActor () -> Void = { received.listen(to: values) }
    let gate = StoreGate()
    let store = DeskStore(
      state: Desk(),
      interactor: Cancelling(
        gate: gate, subscribe: subscribe,
        connect: { store in
          trigger.sink {
            switch bystander {
            case .tracker: store.count += 1
            case .onCancel: store.cancel(id: "wait")
            case .effect:
              tools.dispatch(
                Clockwork.Event("ask") {
                  .action { _ in
                    MainActor.assumeIsolated { subscribe() }
                    return nil
                  }
                })
            }
          }
        }))
    let journal = isWatched ? StoreJournal(store) : nil
    withObservationTracking {
      _ = store.count
    } onChange: {
      MainActor.assumeIsolated { if bystander == .tracker { subscribe() } }
    }
    if bystander == .onCancel { store.send(Job("wait", id: "wait")) }
    trigger.send()
    values.send(1)
    #expect(journal?.lines.filter { $0.hasPrefix("hook") } ?? ["hook only ()"] == ["hook only ()"])
    store.deactivateHooks()
    values.send(2)
    #expect(received.values == [1, 2])
    gate.open("wait")
  }

  private struct Cancelling: Interactor {
    let gate: StoreGate
    let subscribe: @MainActor () -> Void
    let connect: @MainActor (DeskHandle) -> Subscription

    func onAction(_ action: Job, store: DeskHandle) async throws { try await gate.pass("wait") }

    func onCancel(_ action: Job, store: DeskHandle) { subscribe() }

    func subscription(for hook: OneHook, store: DeskHandle) -> Subscription { connect(store) }
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
