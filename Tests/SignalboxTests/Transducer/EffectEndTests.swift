import Foundation
import Signalbox
import Testing

/// Tests the ends of effects that supersede themselves, throw in a sequence or lose their store.
@Suite(.opensGates, .timeLimit(.minutes(60))) @MainActor struct EffectEndTests {
  private let gate = StoreGate()

  private enum Greeting: Transducer {
    struct State { var count = 0 }
    enum Event: Sendable { case hello }

    typealias Env = Service

    static func update(_ state: inout State, event: Event) -> Effect? {
      state.count += 1
      return nil
    }
  }

  /// Dispatches when it is released.
  @MainActor private final class Service {
    var input: Input<Greeting.Event, Void>?
    deinit { MainActor.assumeIsolated { [input] in _ = input?.dispatch(.hello) } }
  }

  @Test("A9 a dispatch of an environment that the store is releasing is ignored")
  func environment() {
    var store: Store<Greeting.State, Greeting.Event>?
    do {
      let service = Service()
      store = Store(state: .init(), transducer: Greeting.self, env: service)
      service.input = store?.input(of: Greeting.self)
    }
    store?.dispatch(.hello)
    #expect(store?.count == 1)
    store = nil
  }

  @Test("X4 an effect that posts the event that supersedes it sends nothing more, as reported")
  func supersedesItself() async {
    let store = Clockwork.store(gate)
    var drops: [String] = []
    var names: [Int: String] = [:]
    let watching = store.events.sink { event in
      switch event.kind {
      case .dispatched(let action): names[event.id] = action.name
      case .dropped(.action(let action)):
        drops.append("\(action) of \(event.cause.flatMap { names[$0] } ?? "nobody")")
      default: break
      }
    }
    let second = Clockwork.Event("second") { .run(id: "work") { input, _ in try input.post("d") } }
    store.send(
      Clockwork.Event("first") {
        .run(id: "work") { input, gate in
          try input.post("a")
          try input.post(second)
          try input.post("b")
          await #expect(throws: CancellationError.self) { try await input.send("c") }
          await gate.arrive(at: "done")
        }
      })
    await gate.arrival(at: "done")
    await store.settle()
    try? await store.input(of: Clockwork.self).send("end")
    #expect(store.log == ["first", "a", "second", "d", "end"])
    #expect(drops == ["b of first", "c of first"])
    watching.cancel()
  }

  @Test("X3 X6 an error in a sequence comes after the sequence's events and goes to catch")
  func throwingSequence() async {
    let store = Clockwork.store(gate)
    store.send(
      Clockwork.Event("go") {
        .events { _ in
          AsyncThrowingStream<Clockwork.Event, any Error> { continuation in
            continuation.yield("a")
            continuation.yield("b")
            continuation.finish(throwing: Refusal())
          }
        }
        .catch { Clockwork.Event("\(type(of: $0))") { nil } }
      })
    await store.settle()
    #expect(store.log == ["go", "a", "b", "Refusal"])
  }

  @Test("A9 an event whose report leads to the release of the store is released as well")
  func releasedEvent() async {
    let owner = StoreOwner(gate)
    weak var canary: StoreCanary?
    owner.watching = owner.store?.events.sink {
      if case .dispatched("last") = $0.kind { owner.store = nil }
    }
    do {
      let own = StoreCanary()
      canary = own
      let last = Clockwork.Event("last") {
        own.sing()
        return nil
      }
      await #expect(throws: StoreReleased.self) { try await owner.input.request(last) }
    }
    #expect(canary == nil)
  }

  /// The point at which a store is released.
  enum Phase: CaseIterable {
    case sink, action, sequence, handler, listener, pendingPosts, elsewhere, debounce
  }

  @Test(
    "A9 X5 a caller whose request is pending when the store is released gets an error",
    arguments: Phase.allCases)
  func release(phase: Phase) async throws {
    let owner = StoreOwner(gate)
    let input = owner.input
    let gone = StoreReleased.self
    let last = Clockwork.Event("last") {
      .sequence([.event("and on"), .run { _, _ in }, .request(id: "ask") { _, _ in "answer" }])
    }
    switch phase {
    case .sink:
      owner.watching = owner.store?.publisher.log.sink {
        if $0.last == "last" { owner.store = nil }
      }
      await #expect(throws: gone) { try await input.request(last) }
    case .action:
      let first = Clockwork.Event("first") {
        .action { _ in
          MainActor.assumeIsolated { owner.store = nil }
          return last
        }
      }
      await #expect(throws: gone) { try await input.request(first) }
    case .sequence:
      let first = Clockwork.Event("first") {
        .sequence([
          .action { _ in
            MainActor.assumeIsolated { owner.store = nil }
            return nil
          },
          .request(id: "ask") { _, _ in "answer" },
        ])
      }
      await #expect(throws: gone) { try await input.request(first) }
    case .handler:
      let first = Clockwork.Event("first") {
        .request { _, _ in throw Refusal() }
          .catch { _ in
            MainActor.assumeIsolated { owner.store = nil }
            return last
          }
      }
      await #expect(throws: gone) { try await input.request(first) }
    case .listener:
      owner.watching = owner.store?.events.sink {
        if case .dispatched("last") = $0.kind { owner.store = nil }
      }
      await #expect(throws: gone) { try await input.request(last) }
    case .pendingPosts:
      for _ in 0..<10 { try input.post(last) }
      owner.store = nil
      #expect(throws: gone) { try input.post(last) }
    case .elsewhere:
      let asking = requested(
        Clockwork.Event("first") {
          .request { _, gate in
            try await gate.pass("door")
            return ""
          }
        }, of: input)
      await gate.arrival(at: "door")
      owner.releaseElsewhere()
      await #expect(throws: gone) { try await asking.value.get() }
      gate.open("door")
    case .debounce:
      let asking = requested(
        Clockwork.Event("first") {
          .request { _, _ in "" }.debounce(for: .seconds(3_600), id: "late")
        }, of: input)
      owner.store = nil
      await #expect(throws: gone) { try await asking.value.get() }
    }
    #expect(owner.store == nil)
    owner.watching?.cancel()
  }
}

@MainActor private final class StoreOwner {
  var store: ClockworkStore?
  var watching: Subscription?
  let input: Input<Clockwork.Event, String>

  init(_ gate: StoreGate) {
    let store = Clockwork.store(gate)
    self.store = store
    input = store.input(of: Clockwork.self)
  }

  /// Releases the last reference to the store on another thread.
  func releaseElsewhere() {
    let last = Handover(store)
    store = nil
    Thread.detachNewThread { last.release() }
  }
}

/// Holds a store until another thread releases it.
private final class Handover: @unchecked Sendable {
  // Written here, and afterwards by one thread only.
  private var store: ClockworkStore?
  init(_ store: ClockworkStore?) { self.store = store }
  func release() { store = nil }
}
