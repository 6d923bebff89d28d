import Testing

@testable import Signalbox

/// Changes that effects show in children of `forward` whose states go (O8, X3).
@Suite(.opensGates, .timeLimit(.minutes(60))) @MainActor struct OptimisticForwardTests {
  private enum Guest: Transducer {
    struct State: Equatable { var stars = 0 }

    enum Event: Sendable { case run, notify, wait, star }
    typealias Env = StoreGate

    static func update(_ state: inout State, event: Event) -> Effect? {
      switch event {
      case .run: return .run { _, gate in try await gate.pass("run") }.optimistic(.star)
      case .notify: return .fireAndForget { gate in try? await gate.pass("note") }.optimistic(.star)
      case .wait:
        return .fireAndForget { _ in }.optimistic(.star).debounce(for: .seconds(3600), id: "wait")
      case .star:
        state.stars += 1
        return nil
      }
    }
  }

  private enum Table: Transducer {
    struct State: Equatable {
      var seats = [Guest.State(), Guest.State()]
      var named: [String: Guest.State] = ["a": Guest.State()]
    }

    enum Event: Sendable {
      case seat(Int, Guest.Event)
      case named(String, Guest.Event)
      case hideLast
      case removeLast
      case rename(String, Bool)
    }
    typealias Env = StoreGate

    static func update(_ state: inout State, event: Event) -> Effect? {
      switch event {
      case .seat(let index, let event):
        return forward(
          event, to: Guest.self, at: \.seats[index], in: &state, as: { .seat(index, $0) },
          env: { $0 })
      case .named(let name, let event):
        return forward(
          event, to: Guest.self, at: \.named[name], in: &state, as: { .named(name, $0) },
          env: { $0 })
      case .hideLast:
        return .run(id: "hide") { _, gate in try await gate.pass("hide") }.optimistic(.removeLast)
      case .removeLast: state.seats.removeLast()
      case .rename(let name, let isThere): state.named[name] = isThere ? Guest.State() : nil
      }
      return nil
    }
  }

  private let gate = StoreGate()
  private let store: Store<Table.State, Table.Event>

  init() { store = Store(state: Table.State(), transducer: Table.self, env: gate) }

  @Test("O8 O5 X3 a change of an element that goes is gone, and its work ends")
  func removed() {
    store.send(.seat(1, .run))
    #expect(store.seats.map(\.stars) == [0, 1] && store.runningCount == 1)
    store.send(.removeLast)
    #expect(store.seats.map(\.stars) == [0] && store.runningCount == 0)
  }

  @Test("O8 O5 a change of an element that a pending change hides is shown when that one goes")
  func hidden() {
    store.send(.hideLast)
    store.send(.seat(1, .run))
    #expect(store.seats.map(\.stars) == [0] && store.runningCount == 2)
    store.cancel(id: "hide")
    #expect(store.seats.map(\.stars) == [0, 1] && store.runningCount == 1)
    store.cancelAll()
    #expect(store.seats.map(\.stars) == [0, 0])
  }

  @Test("X3 O8 work that shows a change ends with its child, as what waits to start it does")
  func shown() {
    store.send(.named("a", .notify))
    store.send(.named("a", .wait))
    #expect(store.named["a"]?.stars == 1 && store.runningCount == 2)
    store.send(.rename("a", false))
    #expect(store.runningCount == 0)
    store.send(.rename("a", true))
    #expect(store.named["a"]?.stars == 0)
  }
}
