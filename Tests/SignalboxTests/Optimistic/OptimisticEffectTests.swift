import Testing

@testable import Signalbox

/// Tests the optimistic effects of a transducer (O8).
@Suite(.opensGates, .timeLimit(.minutes(60))) @MainActor struct OptimisticEffectTests {
  private enum Stars: Transducer {
    struct State: Equatable {
      var starred: Set<Int> = []
      var titles: [String] = []
      var problem = ""
    }

    enum Event: Sendable {
      case star(Int)
      case starred(Int)
      case answered(Int)
      case failed
      case reset
    }

    struct Env: Sendable { let gate: StoreGate }

    static func update(_ state: inout State, event: Event) -> Effect? {
      switch event {
      case .star(let id):
        return .task(id: id) { env in
          try await env.gate.pass("\(id)")
          return .answered(id)
        }
        .optimistic(.starred(id)).catch { _ in .failed }
      case .starred(let id): state.starred.insert(id)
      case .answered(let id): state.titles.append("\(id)")
      case .failed: state.problem = "failed"
      case .reset: state.starred = []
      }
      return nil
    }
  }

  private let gate = StoreGate()

  @Test("O8 O2 an effect shows what an event would change until its work fails or returns")
  func effect() async {
    let store = Store(state: Stars.State(), transducer: Stars.self, env: Stars.Env(gate: gate))
    for id in [1, 2] { store.send(.star(id)) }
    #expect(store.starred == [1, 2])
    for id in [1, 2] { await gate.arrival(at: "\(id)") }
    store.send(.reset)
    #expect(store.starred == [1, 2])
    gate.fail("1")
    gate.open("2")
    await store.settle()
    #expect(store.state == Stars.State(starred: [2], titles: ["2"], problem: "failed"))
  }

  /// Has the stars as a child.
  private enum Sky: Transducer {
    struct State: Equatable { var stars = Stars.State() }
    enum Event: Sendable { case stars(Stars.Event) }
    typealias Env = Stars.Env

    static func update(_ state: inout State, event: Event) -> Effect? {
      switch event {
      case .stars(let event):
        forward(event, to: Stars.self, at: \.stars, in: &state, as: Event.stars) { $0 }
      }
    }
  }

  @Test("O8 an effect of a child shows its change in the state of the parent")
  func child() async {
    let store = Store(state: Sky.State(), transducer: Sky.self, env: Stars.Env(gate: gate))
    store.send(.stars(.star(1)))
    #expect(store.stars.starred == [1] && store.instruments.truth.stars.starred == [])
    await gate.arrival(at: "1")
    gate.fail("1")
    await store.settle()
    #expect(store.state == Sky.State(stars: Stars.State(problem: "failed")))
  }

  @Test("O8 an effect on a state that a view has traps")
  func view() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        let owner = StateOwner(read: { Stars.State() }, write: { _ in })
        Store(stateOf: owner, transducer: Stars.self, env: Stars.Env(gate: StoreGate()))
          .send(.star(1))
      }
    }
    expectError("the state belongs to a view, and the store has only a copy of it", from: result)
  }

  @Test("O8 O2 superseded work takes its change back when its successor has shown its own")
  func superseded() async {
    let store = Store(state: Stars.State(), transducer: Stars.self, env: Stars.Env(gate: gate))
    var seen: [Set<Int>] = []
    let subscription = store.publisher.starred.sink { seen.append($0) }
    for _ in 1...2 { store.send(.star(1)) }
    #expect(seen == [[1]])
    store.cancelAll()
    #expect(seen == [[1], []])
    subscription.cancel()
  }
}
