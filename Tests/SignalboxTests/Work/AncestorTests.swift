import Testing

@testable import Signalbox

/// Tests that work holds nothing of the ended work that started it (A10).
@MainActor struct AncestorTests {
  /// An action in a chain, with a payload whose release is observed.
  private struct Link {
    final class Payload {}
    let number: Int
    let payload = Payload()
  }

  private struct WeakPayload {
    weak var payload: Link.Payload?
  }

  @Test(
    "A10 actions that dispatch their successor hold none of the earlier actions", arguments: 0...3)
  func chain(kept window: Int) async {
    var handles: [MutatingStore<Int, Link>] = []
    var tasks: [ActionTask] = []
    var payloads: [WeakPayload] = []
    var most = 0
    let store = Store(
      state: 0,
      actionable: Handling<Int, Link> { link, store in
        handles = (handles + [store]).suffix(window)
        payloads.append(WeakPayload(payload: link.payload))
        if payloads.count % 100 == 0 {
          most = max(most, payloads.count { $0.payload != nil })
        }
        await Task {}.value
        guard link.number > 0 else { return }
        tasks = (tasks + [store.send(Link(number: link.number - 1))]).suffix(window)
      })
    let task = store.send(Link(number: 1_000))
    await task.settled
    #expect(payloads.count == 1_001)
    #expect(most <= 2 * window + 3, "\(most)")
    #expect(store.runningCount == 0)
  }

  @Test("A10 actions that each leave a run behind hold none of the earlier actions")
  func polling() async {
    let gate = StoreGate()
    let end = StoreMoment()
    var payloads: [WeakPayload] = []
    var most = 0
    var runs: [ActionTask] = []
    let store = Store(
      state: 0,
      actionable: Handling<Int, Link> { link, store in
        payloads.append(WeakPayload(payload: link.payload))
        most = max(most, payloads.count { $0.payload != nil })
        let run = store.run { _ in try await gate.pass("door") }
        runs.append(run)
        if runs.count > 3 {
          let first = runs.removeFirst()
          gate.open("door")
          await first.value
        } else {
          await Task {}.value
        }
        if link.number > 0 { store.send(Link(number: link.number - 1)) } else { end.happen() }
      })
    let task = store.send(Link(number: 300))
    await end.arrival
    // Runs keep the actions that made them, because their errors go to those actions.
    #expect(most <= 8, "\(most)")
    for _ in 0..<3 { gate.open("door") }
    await task.settled
    #expect(store.runningCount == 0)
    #expect(payloads.count { $0.payload != nil } == 0)
  }

  @Test("A10 effects that poll hold none of the earlier events")
  func pollingEffects() async {
    let store = Store(state: .init(), transducer: Polling.self)
    store.send(.poll(Polling.Payload()))
    await store.settle()
    // How many effects run at a time depends on the threads. A chain would keep all 300.
    #expect(store.count == 300 && store.most < 150, "\(store.most)")
  }

  private enum Polling: Transducer {
    final class Payload: Sendable {}
    struct State {
      var count = 0
      var most = 0
      var payloads: [Weak] = []
    }
    struct Weak {
      weak var payload: Payload?
    }
    enum Event: Sendable {
      case poll(Payload)
      case hidden
    }

    static func update(_ state: inout State, event: Event) -> Effect? {
      guard case .poll(let payload) = event else { return nil }
      state.count += 1
      state.payloads.append(Weak(payload: payload))
      state.most = max(state.most, state.payloads.count { $0.payload != nil })
      guard state.count < 300 else { return nil }
      return .merge([
        .task { _ in
          await Task {}.value
          return .poll(Payload())
        },
        .task { _ in
          for _ in 0..<4 { await Task {}.value }
          return .hidden
        },
      ])
    }
  }

  @Test(
    "A2 A10 settled waits for what a long chain has left running, even if the chain is not held")
  func settledOfAChain() async {
    let gate = StoreGate()
    let end = StoreMoment()
    let store = Store(
      state: 0,
      actionable: Handling<Int, Int> { number, store in
        if number % 10 == 5 { store.run { _ in try await gate.pass("door") } }
        await Task {}.value
        if number > 0 { store.send(number - 1) } else { end.happen() }
      })
    let task = store.send(100)
    let settled = StoreMoment()
    let waiter = Task.atOnce {
      await task.settled
      settled.happen()
    }
    await end.arrival
    #expect(!settled.hasHappened && store.runningCount == 10)
    for _ in 0..<10 {
      #expect(!settled.hasHappened)
      gate.open("door")
    }
    await waiter.value
    #expect(store.runningCount == 0)
  }

  @Test("A10 a wait of settle() that is cancelled leaves nothing behind")
  func cancelledSettle() async {
    let gate = StoreGate()
    let store = DeskStore(
      state: Desk(), actionable: Handling { _, _ in try await gate.pass("door") })
    let task = store.send("a")
    for _ in 0..<100 {
      let waiter = Task.atOnce { await store.settle() }
      waiter.cancel()
      await waiter.value
    }
    let waiters = Mirror(reflecting: store.engine.book).children.first { $0.label == "onIdle" }
    #expect(waiters.map { Mirror(reflecting: $0.value).children.count } == 0)
    gate.open("door")
    await task.value
  }
}
