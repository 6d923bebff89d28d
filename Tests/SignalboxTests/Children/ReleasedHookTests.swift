import Signalbox
import Testing

private struct CabinRow: Equatable, Sendable { var count = 0 }

private struct Cabin: Equatable, Sendable {
  var fixed = CabinRow()
  var row: CabinRow? = CabinRow()
}

private enum CabinHook: CaseIterable { case only }

/// A child whose hook writes when it is released.
private struct CabinPart: Interactor {
  func onAction(_ gate: StoreGate?, store: MutatingStore<CabinRow, StoreGate?>) async throws {
    try await gate?.pass("door")
  }

  func subscription(for hook: CabinHook, store: MutatingStore<CabinRow, StoreGate?>) -> Subscription
  {
    let will = SignalLastWill { MainActor.assumeIsolated { store.count = 7 } }
    return store.publisher.count.sink { _ in withExtendedLifetime(will) {} }
  }
}

private struct CabinRoot: Interactor {
  func children(of store: MutatingStore<Cabin, StoreGate>) -> Children<Cabin> {
    Child(\.fixed) { CabinPart() }
    Child(\.row) { CabinPart() }
  }

  func onAction(_ gate: StoreGate, store: MutatingStore<Cabin, StoreGate>) {
    store.child(\.fixed, CabinPart.self).send(gate)
  }
}

/// The ends of children, and the work that their parent starts in them.
@Suite(.opensGates) @MainActor struct ReleasedHookTests {
  @Test("C18 C6 What the release of a hook writes reaches no child that has ended with its parent")
  func release() throws {
    var store: Store? = Store(state: Cabin(), interactor: CabinRoot())
    let children = [
      try #require(store?.child(\.fixed, CabinPart.self)),
      try #require(store?.child(\.row, CabinPart.self) ?? nil),
    ]
    var told: [Int] = []
    let subscriptions = children.map { $0.publisher.count.dropFirst().sink { told.append($0) } }
    store = nil
    #expect(children.map(\.count) == [0, 0] && told.isEmpty)
    withExtendedLifetime(subscriptions) {}
  }

  @Test("A2 C1 A handle to an action settles when the work that it started in a child has")
  func settles() async {
    let gate = StoreGate()
    let store = Store(state: Cabin(), interactor: CabinRoot())
    let task = store.send(gate)
    var isSettled = false
    let waiting = Task {
      await task.settled
      isSettled = true
    }
    await gate.arrival(at: "door")
    #expect(task.isFinished && !isSettled)
    gate.open("door")
    await waiting.value
    #expect(isSettled)
  }
}
