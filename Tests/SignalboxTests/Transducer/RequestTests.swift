import Signalbox
import Testing

@Suite(.opensGates, .timeLimit(.minutes(60))) @MainActor struct RequestTests {
  private let gate = StoreGate()
  private let store: ClockworkStore
  private let input: Input<Clockwork.Event, String>

  init() {
    store = Clockwork.store(gate)
    input = store.input(of: Clockwork.self)
  }

  /// An event whose request waits at a door and answers with its name.
  private func ask(
    _ name: String, id: String? = "ask", _ overlap: Overlap = .latest
  ) -> Clockwork.Event {
    Clockwork.Event(name) { Clockwork.ask(name, id: id, overlap) }
  }

  private func fails<E: Error>(
    _ result: Result<String, any Error>, with type: E.Type,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(throws: type, sourceLocation: sourceLocation) { try result.get() }
  }

  @Test("X5 a request is answered with the output of the last event of the chain")
  func lastEvent() async throws {
    let answer = try await input.request(
      Clockwork.Event("a") {
        .sequence([.event(Clockwork.Event("b") { .event("c") }), .event("d")])
      })
    #expect(answer == "d of 4")
    let other = try await input.request(
      Clockwork.Event("e") { .run { _, gate in try await gate.pass("never") } })
    #expect(other == "e of 5")
    store.cancelAll()
  }

  @Test("X5 a request waits for the request that ends its chain")
  func endingRequest() async throws {
    let last = ask("b")
    let asking = requested(Clockwork.Event("a") { .event(last) }, of: input)
    await gate.arrival(at: "b")
    gate.open("b")
    #expect(try await asking.value.get() == "answer to b")
    let debounced = ask("late").effect?()?.debounce(for: .zero, id: "debounce")
    let waiting = requested(Clockwork.Event("c") { debounced }, of: input)
    await gate.arrival(at: "late")
    gate.open("late")
    #expect(try await waiting.value.get() == "answer to late")
  }

  @Test("X5 a superseded request gets the answer of its replacement, however many there are")
  func superseded() async throws {
    var tasks: [Task<Result<String, any Error>, Never>] = []
    for number in 0..<1_000 { tasks.append(requested(ask("\(number)"), of: input)) }
    await gate.arrival(at: "999")
    gate.open("999")
    for task in tasks { #expect(try await task.value.get() == "answer to 999") }
    for number in 0..<1_000 { gate.open("\(number)") }
    #expect(store.runningCount == 0)
  }

  @Test("X5 a request that joins gets the answer of the work that it joined")
  func joined() async throws {
    let first = requested(ask("first"), of: input)
    let second = requested(ask("second", .join), of: input)
    let third = requested(ask("third", .join), of: input)
    await gate.arrival(at: "first")
    second.cancel()
    fails(await second.value, with: CancellationError.self)
    #expect(store.isRunning(id: "ask"))
    gate.open("first")
    #expect(try await first.value.get() == "answer to first")
    #expect(try await third.value.get() == "answer to first")
  }

  @Test("X5 ignored and cancelled requests throw at once")
  func ignoredAndCancelled() async {
    let first = requested(ask("first"), of: input)
    fails(await requested(ask("second", .first), of: input).value, with: CancellationError.self)
    let queued = requested(ask("third", .queue), of: input)
    store.cancel(id: "ask")
    fails(await first.value, with: CancellationError.self)
    fails(await queued.value, with: CancellationError.self)
    #expect(store.log == ["first", "second", "third"])
  }

  @Test("X5 cancelling the caller cancels the request, but a joined one is left to the others")
  func cancelledCaller() async throws {
    let alone = requested(ask("alone"), of: input)
    alone.cancel()
    fails(await alone.value, with: CancellationError.self)
    #expect(!store.isRunning(id: "ask"))
    let first = requested(ask("first"), of: input)
    let second = requested(ask("second", .join), of: input)
    first.cancel()
    fails(await first.value, with: CancellationError.self)
    await gate.arrival(at: "first")
    gate.open("first")
    #expect(try await second.value.get() == "answer to first")
    let third = requested(ask("third"), of: input)
    let fourth = requested(ask("fourth"), of: input)
    third.cancel()
    fails(await third.value, with: CancellationError.self)
    #expect(store.isRunning(id: "ask"))
    await gate.arrival(at: "fourth")
    gate.open("fourth")
    #expect(try await fourth.value.get() == "answer to fourth")
  }

  @Test("X5 a request whose caller was already cancelled is not dispatched")
  func cancelledBefore() async {
    let task = Task { [input] () -> Result<String, any Error> in
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      do { return .success(try await input.request("a")) } catch { return .failure(error) }
    }
    fails(await task.value, with: CancellationError.self)
    #expect(store.log == [])
  }

  @Test("X5 A9 after a store is released, pending requests and new posts, sends and requests throw")
  func released() async throws {
    var store: ClockworkStore? = Clockwork.store(gate)
    let input = try #require(store).input(of: Clockwork.self)
    let waiting = requested(ask("a"), of: input)
    let queued = requested(ask("b", .queue), of: input)
    store = nil
    fails(await waiting.value, with: StoreReleased.self)
    fails(await queued.value, with: StoreReleased.self)
    #expect(throws: StoreReleased.self) { try input.post("c") }
    await #expect(throws: StoreReleased.self) { try await input.send("d") }
    await #expect(throws: StoreReleased.self) { try await input.request("e") }
  }

  @Test("A9 a store that answered a request leaves nothing of its state behind")
  func release() async throws {
    final class Token {}
    enum Keeper: Transducer {
      typealias State = Token
      typealias Event = Int
      static func update(_ state: inout Token, event: Int) -> Effect? {
        .request { _, _ in event + 1 }
      }
      static func output(state: Token, event: Int) -> Int { event }
    }
    var token: Token? = Token()
    weak let state = token
    var store = token.map { Store(state: $0, transducer: Keeper.self, env: ()) }
    token = nil
    #expect(try await store?.input(of: Keeper.self).request(1) == 2)
    #expect(state != nil)
    store = nil
    #expect(state == nil)
  }

  @Test("X5 a request inside an effect is answered, also by a successor of the same name")
  func nested() async throws {
    let inner = ask("inner", id: "inner")
    let asking = requested(
      Clockwork.Event("outer") {
        .request(id: "outer") { input, _ in "outer: " + (try await input.request(inner)) }
      }, of: input)
    await gate.arrival(at: "inner")
    gate.open("inner")
    #expect(try await asking.value.get() == "outer: answer to inner")
  }

  @Test("X5 a request that would wait for itself throws", arguments: [Overlap.join, .queue])
  func itself(overlap: Overlap) async {
    let again = ask("again", overlap)
    let asking = requested(
      Clockwork.Event("outer") {
        .request(id: "ask") { input, _ in try await input.request(again) }
      },
      of: input)
    fails(await asking.value, with: EndlessWait.self)
    await store.settle()
    #expect(store.log == ["outer", "again"])
  }

  @Test("X5 X6 the error of a request goes to its caller or through catch into the chain")
  func throwing() async throws {
    var unhandled = 0
    let watching = store.events.sink { if case .unhandled = $0.kind { unhandled += 1 } }
    let failing = requested(ask("a"), of: input)
    await gate.arrival(at: "a")
    gate.fail("a")
    fails(await failing.value, with: Refusal.self)
    #expect(unhandled == 0)
    let effect = ask("b").effect?()?.catch { _ in "caught" }
    let caught = requested(Clockwork.Event("b") { effect }, of: input)
    await gate.arrival(at: "b")
    gate.fail("b")
    #expect(try await caught.value.get() == "caught of 3")
    let again = ask("d")
    let retry = ask("c").effect?()?.catch { _ in again }
    let retried = requested(Clockwork.Event("c") { retry }, of: input)
    await gate.arrival(at: "c")
    gate.fail("c")
    await gate.arrival(at: "d")
    gate.open("d")
    #expect(try await retried.value.get() == "answer to d")
    store.send(ask("e"))
    await gate.arrival(at: "e")
    gate.fail("e")
    await store.settle()
    #expect(unhandled == 1)
    watching.cancel()
  }
}
