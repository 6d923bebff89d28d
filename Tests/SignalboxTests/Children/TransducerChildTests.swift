import SignalboxTesting
import Testing

@testable import Signalbox

/// Transducers as children of an interactor.
@MainActor struct TransducerChildTests {
  enum Lamp: Transducer {
    struct State: Equatable, Identifiable {
      var id = 0
      var isOn = false
      var log: [String] = []
    }
    enum Event: Sendable {
      case toggle, fetch
      case fetched(String)
    }
    struct Env { var fetch: @Sendable () async throws -> String }

    static func update(_ state: inout State, event: Event) -> Effect? {
      switch event {
      case .toggle:
        state.isOn.toggle()
        return nil
      case .fetch:
        state.log.append("fetch")
        return run(id: "fetch") { input, env in
          try await input.send(.fetched(env.fetch()))
        }
      case .fetched(let text):
        state.log.append(text)
        return nil
      }
    }
  }

  struct HouseState: Equatable {
    var lamp = Lamp.State()
    var spare: Lamp.State?
    var lamps: [Lamp.State] = []
    var named: [String: Lamp.State] = [:]
    var lit = 0
  }

  enum HouseHook: CaseIterable { case lit }

  struct House: Interactor {
    var env: Lamp.Env

    func children(of store: MutatingStore<HouseState, Int>) -> Children<HouseState> {
      Child(\.lamp) { Lamp.feature(env: env) }
      Child(\.spare) { Lamp.feature(env: env) }
      Each(\.lamps) { _ in Lamp.feature(env: env) }
      Each(\.named) { _ in Lamp.feature(env: env) }
    }

    func onAction(_ action: Int, store: MutatingStore<HouseState, Int>) {
      store.child(\.lamp, Lamp.self).dispatch(.toggle)
    }

    func subscription(for hook: HouseHook, store: MutatingStore<HouseState, Int>) -> Subscription {
      store.publisher.lamp.isOn.map { $0 ? 1 : 0 }.assign(to: \.lit, using: store)
    }
  }

  @Test("C10 C16 A transducer that is declared with middleware traps with a message")
  func middleware() async {
    struct Wrapped: Interactor {
      func children(of store: MutatingStore<HouseState, Int>) -> Children<HouseState> {
        Child(\.lamp, middleware: LoggingMiddleware { print($0) }) {
          Lamp.feature(env: .init { "" })
        }
      }

      func onAction(_ action: Int, store: MutatingStore<HouseState, Int>) {}
    }
    expectError(
      "Lamp was declared with middleware, which wraps the actions of interactors only.",
      from: await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await MainActor.run { _ = Store(state: HouseState(), interactor: Wrapped()) }
      })
  }

  @Test("C10 A transducer is a child at a property, and the parent's hooks watch its state")
  func fixed() {
    let store = Store(state: HouseState(), interactor: House(env: Lamp.Env { "" }))
    let lamp = store.child(\.lamp, Lamp.self)
    lamp.dispatch(.toggle)
    #expect(store.lamp.isOn)
    #expect(store.lit == 1)
    store.dispatch(0)
    #expect(!lamp.isOn)
    #expect(store.lit == 0)
  }

  @Test("C10 C4 A transducer is a child of an optional and of collections, and ends with its state")
  func moving() async throws {
    let endpoint = TestEndpoint<String, String>("fetch")
    let env = Lamp.Env { try await endpoint("") }
    let store = TestStore(
      state: HouseState(
        spare: Lamp.State(), lamps: [Lamp.State(id: 1), Lamp.State(id: 2)],
        named: ["roof": Lamp.State()]),
      interactor: House(env: env))
    let lamps = [
      try #require(store.child(\.spare, Lamp.self)),
      try #require(store.child(\.lamps, id: 2, Lamp.self)),
      try #require(store.child(\.named, id: "roof", Lamp.self)),
    ]
    for lamp in lamps {
      lamp.send(.fetch)
      // Effects run off the main actor, so their calls arrive in the order of these rests.
      await store.settle()
    }
    #expect(store.runningCount == 3)
    store.lamps.removeFirst()
    #expect(store.runningCount == 3)
    await endpoint.reply(with: "a")
    await endpoint.reply(with: "b")
    #expect(store.spare?.log == ["fetch", "a"])
    #expect(store.lamps[0].log == ["fetch", "b"])
    store.named = [:]
    #expect(store.runningCount == 0)
    await store.settle(includingCancelled: true)
    let input = lamps[2].input(of: Lamp.self)
    #expect(throws: StoreReleased.self) { try input.post(.toggle) }
    lamps[2].send(.toggle)
    #expect(lamps[2].log == ["fetch"])
  }

  @Test(
    "C10 An event in a place goes by the slow way and tells the same", arguments: [false, true])
  func events(isObserved: Bool) throws {
    let store = Store(
      state: HouseState(lamps: [Lamp.State(id: 1)]), interactor: House(env: Lamp.Env { "" }))
    var events = 0
    let subscription = isObserved ? store.events.sink { _ in events += 1 } : .empty
    let lamp = try #require(store.child(\.lamps, id: 1, Lamp.self))
    var seen: [Bool] = []
    let subscriptions = [
      lamp.publisher.isOn.sink { seen.append($0) },
      store.publisher.lamps.sink { seen.append($0[0].isOn) },
    ]
    lamp.dispatch(.toggle)
    #expect(seen == [true, true])
    #expect((events > 0) == isObserved)
    withExtendedLifetime((subscription, subscriptions)) {}
  }
}
