import Testing

@testable import Signalbox

/// Tests what a store, its effects and their callers hold, and what they leave behind.
@Suite(.opensGates, .timeLimit(.minutes(60))) @MainActor struct EffectBooksTests {
  private let gate = StoreGate()

  /// An event whose release is observed.
  private func event(
    _ canary: StoreCanary, _ effect: Clockwork.Effect? = nil
  ) -> Clockwork.Event {
    Clockwork.Event("go") {
      canary.sing()
      return effect
    }
  }

  private func ask(_ door: String, _ overlap: Overlap = .latest) -> Clockwork.Effect {
    .request(id: "ask", overlap: overlap) { _, gate in
      try await gate.pass(door)
      return door
    }
  }

  @Test("A9 a store that answered requests from outside is gone when it is released")
  func outside() async throws {
    var store: ClockworkStore? = Clockwork.store(gate)
    weak let engine = store?.engine
    let input = try #require(store).input(of: Clockwork.self)
    let asking = requested(Clockwork.Event("a") { .request { _, _ in "b" } }, of: input)
    #expect(try await asking.value.get() == "b")
    store = nil
    #expect(engine == nil)
  }

  @Test("A9 a kept input holds nothing that its effect has captured")
  func keptInputs() async {
    var inputs: [Input<Clockwork.Event, String>] = []
    var canaries: [WeakCanary] = []
    for isCancelled in [false, true] {
      let (stream, continuation) = AsyncStream.makeStream(of: Input<Clockwork.Event, String>.self)
      let event = { (canary: StoreCanary) -> Clockwork.Event in
        Clockwork.Event("go") {
          .run { input, _ in
            continuation.yield(input)
            // Sleeps until it is cancelled.
            if isCancelled { for await _ in AsyncStream<Never>.makeStream().stream {} }
          }
          .catch { _ in
            canary.sing()
            return nil
          }
        }
      }
      let store = Clockwork.store(gate)
      let work = StartedTasks.ends {
        let canary = StoreCanary()
        canaries.append(WeakCanary(canary: canary))
        store.send(event(canary))
      }
      for await input in stream {
        inputs.append(input)
        break
      }
      if isCancelled { store.cancelAll() }
      await work.arrival()
    }
    #expect(inputs.count == 2 && canaries.allSatisfy { $0.canary == nil })
    withExtendedLifetime(inputs) {}
  }

  @Test("A10 work that follows from work without end holds nothing of the earlier work")
  func succession() async throws {
    let store = Clockwork.store(gate)
    weak var first: StoreCanary?
    do {
      let canary = StoreCanary()
      first = canary
      store.send(event(canary, .task { _ in Self.next(1_000) }))
    }
    await gate.arrival(at: "end")
    #expect(store.log.count == 1_001)
    #expect(first == nil)
    gate.open("end")
    await store.settle()
  }

  private nonisolated static func next(_ rest: Int) -> Clockwork.Event {
    Clockwork.Event("\(rest)") {
      if rest > 1 { return .task { _ in next(rest - 1) } }
      return .run { _, gate in try await gate.pass("end") }
    }
  }

  @Test("A10 a run that dispatches an action that makes a run, without end, holds none of them")
  func successionOfRuns() async {
    struct Errand {
      let rest: Int
      let canary: StoreCanary?
    }
    let gate = gate
    let store = Store(
      state: 0,
      actionable: Handling<Int, Errand> { errand, store in
        store.run { store in
          try await gate.pass("\(errand.rest)")
          store.send(Errand(rest: errand.rest - 1, canary: nil))
        }
      })
    weak var first: StoreCanary?
    do {
      let canary = StoreCanary()
      first = canary
      store.send(Errand(rest: 20, canary: canary))
    }
    for rest in (1...20).reversed() {
      await gate.arrival(at: "\(rest)")
      gate.open("\(rest)")
    }
    await gate.arrival(at: "0")
    #expect(first == nil)
    store.cancelAll()
  }

  @Test("A10 X5 a caller that waits for the last of many superseding requests holds no earlier one")
  func superseded() async throws {
    let store = Clockwork.store(gate)
    let input = store.input(of: Clockwork.self)
    let first = requested(Clockwork.Event("first") { [effect = ask("0")] in effect }, of: input)
    var ends = StoreEnds()
    for number in 1...100 {
      let canary = StoreCanary()
      ends.watch(canary)
      store.send(event(canary, ask("\(number)")))
    }
    let last = ask("last")
    store.send(Clockwork.Event("last") { last })
    for number in 0...100 {
      await gate.arrival(at: "\(number)")
      gate.open("\(number)")
    }
    await ends.arrival()
    await gate.arrival(at: "last")
    gate.open("last")
    #expect(try await first.value.get() == "last")
  }

  @Test("A10 X5 callers that join and are cancelled, without end, do not accumulate")
  func cancelledCallers() async throws {
    let store = Clockwork.store(gate)
    let input = store.input(of: Clockwork.self)
    let running = ask("0")
    store.send(Clockwork.Event("first") { running })
    var canaries: [WeakCanary] = []
    for _ in 0..<1_000 {
      let canary = StoreCanary()
      canaries.append(WeakCanary(canary: canary))
      let caller = requested(event(canary, ask("1", .join)), of: input)
      caller.cancel()
      _ = await caller.value
    }
    #expect(canaries.count { $0.canary != nil } < 100)
    #expect(store.runningCount == 1)
    store.cancelAll()
  }

  @Test("M2 superseded work keeps no copy of the state, and none is made for it")
  func noCopies() async {
    let store = Store(state: Shelf(), transducer: Collector.self, env: gate)
    // Reads the storage directly, because reading through the store may copy observed values.
    let address = {
      unsafe store.engine.storage.read(\.books).withUnsafeBufferPointer {
        UInt(bitPattern: $0.baseAddress)
      }
    }
    let before = address()
    for number in 0..<10 { store.send(.add(number)) }
    #expect(address() == before)
    #expect(store.engine.storage.read(\.books.count) == 10)
    store.cancelAll()
    store.send(.add(10))
    #expect(address() == before)
    store.cancelAll()
    expectEmptyBooks(store)
  }

  @Test("A10 20,000 events with effects of every kind leave nothing behind")
  func flat() async {
    let store = Clockwork.store(gate)
    let effects: [Clockwork.Effect] = [
      .run { _, _ in }, .task { _ in nil }, .request(id: "a") { _, _ in "" },
      .fireAndForget { _ in }, .run(id: "b", overlap: .queue) { _, _ in },
      .event("x").debounce(for: .seconds(3_600), id: "late"),
      .request(id: "c", overlap: .join) { _, _ in "" }.catch { _ in nil },
      .events { _ in AsyncStream { $0.finish() } }, .cancel("a"),
    ]
    for number in 0..<20_000 {
      store.send(Clockwork.Event("go") { effects[number % effects.count] })
    }
    store.cancel(id: "late")
    await store.settle()
    expectEmptyBooks(store)
  }
}

private struct WeakCanary {
  weak let canary: StoreCanary?
}

/// An array with room for more.
///
/// If its address changes, it was copied.
private struct Shelf {
  var books: [Int] = []
  init() { books.reserveCapacity(100) }
}

private enum Collector: Transducer {
  typealias State = Shelf
  typealias Env = StoreGate
  enum Event { case add(Int) }

  static func update(_ state: inout Shelf, event: Event) -> Effect? {
    guard case .add(let book) = event else { return nil }
    state.books.append(book)
    return .run(id: "work") { _, gate in try await gate.pass("door") }
  }
}
