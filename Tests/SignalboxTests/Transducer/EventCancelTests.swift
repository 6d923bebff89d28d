import Signalbox
import Testing

/// Tests what a handle of an event, and the task that awaits its dispatch, cancel.
@Suite(.opensGates, .timeLimit(.minutes(60))) @MainActor struct EventCancelTests {
  private func ask(_ name: String, id: String? = nil, _ overlap: Overlap = .concurrent)
    -> Clockwork.Event
  {
    Clockwork.Event("start \(name)") {
      .task(id: id, overlap: overlap) { gate in
        try await gate.pass(name)
        return Clockwork.Event("\(name) is through") { nil }
      }
    }
  }

  @Test("X7 the handle of an event cancels the effect that the event has started")
  func handle() async {
    let store = Clockwork.store()
    let task = store.send(ask("a"))
    #expect(store.runningCount == 1 && task.isFinished)
    task.cancel()
    #expect(store.runningCount == 0)
    await task.settled
    #expect(store.log == ["start a"])
  }

  @Test("X7 it cancels what followed from the event in the same dispatch, and nothing else")
  func followUps() {
    let store = Clockwork.store()
    let other = store.send(ask("other"))
    let inner = ask("b")
    let outer = ask("a")
    let task = store.send(
      Clockwork.Event("go") { .merge([.event(inner), .sequence([.event(outer), .event("c")])]) })
    #expect(store.runningCount == 3)
    task.cancel()
    #expect(store.runningCount == 1)
    task.cancel()
    other.cancel()
    #expect(store.runningCount == 0)
  }

  @Test("X7 it cancels what followed from an effect that has ended")
  func laterEffects() async {
    let (gate, log) = (StoreGate(), SignalLog<String>())
    let store = Clockwork.store(gate)
    let subscription = store.publisher.log.sink { log.add($0.last ?? "") }
    let next = ask("next")
    let task = store.send(
      Clockwork.Event("go") {
        .task { gate in
          try await gate.pass("first")
          return next
        }
      })
    await gate.arrival(at: "first")
    gate.open("first")
    await log.reach(2)
    #expect(store.log == ["go", "start next"] && store.runningCount == 1)
    task.cancel()
    #expect(store.runningCount == 0)
    withExtendedLifetime(subscription) {}
  }

  @Test("X7 an event that follows starts nothing after a cancel in its own delivery")
  func cancelledInDelivery() async {
    let (gate, log) = (StoreGate(), SignalLog<String>())
    let store = Clockwork.store(gate)
    let next = ask("next")
    var task: ActionTask?
    let subscription = store.publisher.log.sink {
      if $0.last == "start next" { task.take()?.cancel() }
      log.add($0.last ?? "")
    }
    task = store.send(
      Clockwork.Event("go") {
        .run { input, gate in
          try await gate.pass("first")
          try await input.send(Clockwork.Event("both") { .merge([.event(next), .event("last")]) })
        }
      })
    await gate.arrival(at: "first")
    gate.open("first")
    await log.reach(4)
    #expect(store.log == ["go", "both", "start next", "last"] && store.runningCount == 0)
    store.send(ask("other"))
    #expect(store.runningCount == 1)
    withExtendedLifetime(subscription) {}
  }

  @Test("A2 X7 an event that makes the work that awaits it stale is not cancelled with it")
  func stale() async {
    let store = Store(state: Tower(), interactor: Keeper())
    store.send(.wind)
    #expect(store.clock.log == ["go"] && store.runningCount == 1)
    await mainActorCatchesUp()
    #expect(store.runningCount == 1)
  }

  @Test("X7 an effect that another caller has joined goes on for that caller")
  func joined() {
    let store = Clockwork.store()
    let first = store.send(ask("a", id: "a", .join))
    let second = store.send(ask("a", id: "a", .join))
    first.cancel()
    #expect(store.isRunning(id: "a"))
    second.cancel()
    #expect(!store.isRunning(id: "a"))
  }

  @Test(
    "X7 the dispatch of an event is awaited with its effects, and cancelling the task ends them")
  func awaited() async {
    let store = Clockwork.store()
    let event = ask("a")
    var hasReturned = false
    let task = Task.atOnce {
      await store.dispatch(event)
      hasReturned = true
    }
    #expect(store.runningCount == 1 && !hasReturned)
    task.cancel()
    #expect(store.runningCount == 0)
    await task.value
    #expect(hasReturned)
  }

  @Test("X7 a dispatch in a cancelled task starts effects that end at once")
  func cancelledBefore() async {
    let store = Clockwork.store()
    let event = ask("a")
    let task = Task { await store.dispatch(event) }
    task.cancel()
    await task.value
    #expect(store.log == ["start a"] && store.runningCount == 0)
  }

  @Test("X7 an effect that cancels itself knows it when `send` returns")
  func itself() async {
    for _ in 0..<500 {
      let log = SignalLog<Bool>()
      let store = Clockwork.store()
      store.send(
        Clockwork.Event("go") {
          .run(id: "go") { input, _ in
            try await input.send(Clockwork.Event("stop") { .cancel("go") })
            let isCancelled = Task.isCancelled
            await log.add(isCancelled)
          }
        })
      await log.reach(1)
      #expect(log.entries == [true])
    }
  }
}

private struct Tower: Equatable { var clock = Clockwork.State() }

/// Winds a clock, which calls for another winding that supersedes this one.
private struct Keeper: Interactor {
  enum Action: CancellableAction {
    case wind, windAgain
    var cancelIdentifier: String? { "wind" }
  }
  enum Hook: CaseIterable { case clock }

  func children(of store: MutatingStore<Tower, Action>) -> Children<Tower> {
    Child(\.clock) { Clockwork.feature(env: StoreGate()) }
  }

  func onAction(_ action: Action, store: MutatingStore<Tower, Action>) async {
    guard action == .wind else { return }
    await store.child(\.clock, Clockwork.self).dispatch(
      Clockwork.Event("go") {
        .task { gate in
          try await gate.pass("go")
          return nil
        }
      })
  }

  func subscription(for hook: Hook, store: MutatingStore<Tower, Action>) -> Subscription {
    store.publisher.clock.sink { _ in store.send(.windAgain) }
  }
}
