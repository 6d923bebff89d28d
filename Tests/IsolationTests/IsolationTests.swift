import Signalbox
import SignalboxTesting
import Testing

/// `.ci/settings` compiles this module with all settings.
@MainActor struct IsolationTests {
  @Test("M7 H1 hooks whose names are isolated are connected and followed")
  func hooks() async {
    let sensor = Emitter<Double>()
    let store = TestStore(state: Room(), interactor: Heating(sensor: sensor.signal))
    await store.hook(RoomHook.measured) {
      sensor.send(17)
    } expecting: {
      $0.celsius = 17
      $0.isHeated = true
    }
    #expect(store.firedHooks == ["measured", "cold"])
  }

  @Test("M7 A4 isolated names name actions")
  func names() async {
    let set = TestEndpoint<String, Void>("set", heedsCancellation: false)
    let heating = Heating(set: { mode in try? await set("\(mode)") })
    let store = TestStore(state: Room(), interactor: heating)
    store.send(.set(.on))
    let second = store.send(.set(.off))
    #expect(store.isRunning(id: RoomWork.setting))
    #expect(store.runningCount == 1)
    await set.reply(to: "on", with: ())
    #expect(store.mode == .off)
    store.cancel(id: RoomWork.setting)
    #expect(second.isCancelled)
    #expect(!store.isRunning(id: RoomWork.setting))
    await set.reply(with: ())
  }

  @Test("M7 a type of the user may be a signal and compared by its members")
  func comparedSignal() {
    #expect(Feed(id: 1) == Feed(id: 1))
    #expect(Feed(id: 1) != Feed(id: 2))
  }

  @Test("M7 S6 an isolated == keeps equal assignments silent")
  func equality() {
    let store = Store<Room, Never>(state: Room())
    var told: [Mode] = []
    let subscription = store.publisher.mode.sink { told.append($0) }
    store.binder.mode.wrappedValue = .off
    #expect(told.isEmpty)
    store.binder.mode.wrappedValue = .on
    #expect(told == [.on])
    subscription.cancel()
  }

  @Test("M7 T5 isolated actions are received, and isolated states compared")
  func assertions() async {
    let store = TestStore(state: Room(), interactor: Heating(), exhaustive: true)
    await store.dispatch(.measure) { $0.celsius = 21 }
    #expect(store.didTrigger(.measure))
    await store.finish()
  }

  @Test("M7 C4 rooms with isolated ids are children")
  func children() throws {
    let sensor = Emitter<Double>()
    let store = Store(state: [Room(id: 1), Room(id: 2)], interactor: House(sensor: sensor.signal))
    let room = try #require(store.child(\.self, id: 2, Heating.self))
    sensor.send(16)
    #expect(room.isHeated)
    #expect(store.state == [Room(id: 1, celsius: 16, isHeated: true), room.state])
  }

  @Test("M7 C10 isolated transducers are children")
  func features() async {
    let store = Store(state: Tally.State(), interactor: Tally())
    await store.child(\.counter, Counter.self).dispatch(.go)
    await store.dispatch("a")
    #expect(store.counter.count == 1)
    #expect(store.others["a"]?.count == 2)
  }

  @Test("M7 X3 the children of an isolated transducer do their work")
  func transducers() async {
    let store = TestStore(
      state: Counters.State(), transducer: Counters.self, env: .init(next: { $0 + 1 }))
    await store.dispatch(.left(.go))
    await store.dispatch(.right(.go))
    await store.settle()
    #expect(store.state == .init(left: .init(count: 1), right: .init(count: 1)))
  }
}

/// The compiler makes `==` of the members.
private struct Feed: SignalConvertible, Equatable {
  let id: Int
  var signal: Signal<Int> { Signal.just(id) }
}
