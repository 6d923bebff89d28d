import Signalbox
import SignalboxTesting
import Testing

/// Tests which request waits for which when requests supersede or continue one another.
@Suite(.opensGates, .timeLimit(.minutes(60))) @MainActor struct RequestSuccessionTests {
  private let gate = StoreGate()
  private let store: ClockworkStore
  private let input: Input<Clockwork.Event, String>

  init() {
    store = Clockwork.store(gate)
    input = store.input(of: Clockwork.self)
  }

  private func ask(
    _ name: String, id: String? = "ask", _ overlap: Overlap = .latest
  ) -> Clockwork.Effect {
    Clockwork.ask(name, id: id, overlap)
  }

  private func event(_ name: String, _ effect: Clockwork.Effect) -> Clockwork.Event {
    Clockwork.Event(name) { effect }
  }

  @Test("X5 an effect whose request supersedes it ends, and its caller gets the new answer")
  func ownSuccessor() async throws {
    let again = event("again", ask("again"))
    let asking = requested(
      event(
        "first",
        .request(id: "ask") { input, gate in
          await #expect(throws: CancellationError.self) { try await input.request(again) }
          await gate.arrive(at: "done")
          return "of the first"
        }), of: input)
    await gate.arrival(at: "done")
    await gate.arrival(at: "again")
    gate.open("again")
    #expect(try await asking.value.get() == "answer to again")
  }

  enum Detour: CaseIterable { case debounced, caught }

  @Test(
    "X5 a request that would wait for itself through another one throws",
    arguments: Detour.allCases, [Overlap.join, .queue])
  func itselfByDetour(detour: Detour, overlap: Overlap) async {
    let again = ask("again", overlap)
    let detour: Clockwork.Effect =
      switch detour {
      case .debounced: again.debounce(for: .zero, id: "late")
      case .caught:
        .request { _, _ in throw Refusal() }.catch { [event = event("again", again)] _ in event }
      }
    let second = event("second", detour)
    let asking = requested(
      event("first", .request(id: "ask") { input, _ in try await input.request(second) }),
      of: input)
    await #expect(throws: EndlessWait.self) { try await asking.value.get() }
    await store.settle()
    #expect(store.runningCount == 0)
  }

  @Test("X5 a request that superseded another one cannot wait for the caller of that one")
  func waitsForTakenOver() async {
    let first = event("first", ask("first", id: "asked"))
    let asking = requested(
      event("outer", .request(id: "outer") { input, _ in try await input.request(first) }),
      of: input)
    await gate.arrival(at: "first")
    let queued = event("queued", ask("queued", id: "outer", .queue))
    store.send(
      event("second", .request(id: "asked") { input, _ in try await input.request(queued) }))
    await #expect(throws: EndlessWait.self) { try await asking.value.get() }
    await store.settle()
    #expect(store.runningCount == 0)
  }

  @Test("X5 a run that joined a request ends with it, even if the request continues with another")
  func joinedByRun() async throws {
    let journal = StoreJournal(store)
    let next = event("next", ask("next", id: "other"))
    let asking = requested(event("first", ask("first").catch { _ in next }), of: input)
    await gate.arrival(at: "first")
    store.send(event("run", .run(id: "ask", overlap: .join) { _, _ in }))
    gate.fail("first")
    await gate.arrival(at: "next")
    #expect(journal.lines.count { $0.hasPrefix("failed run ask") } == 2, "\(journal.lines)")
    gate.open("next")
    #expect(try await asking.value.get() == "answer to next")
  }

  @Test("X5 cancelling the caller of a superseded debounced request cancels no later request")
  func supersededCaller() async throws {
    let clock = TestClock()
    func late(_ name: String) -> Clockwork.Event {
      event(name, ask(name).debounce(for: .seconds(1), id: "late", clock: clock))
    }
    store.send(late("0"))
    let first = requested(late("1"), of: input)
    let second = requested(late("2"), of: input)
    let third = requested(late("3"), of: input)
    // The wait begins on another thread, and the clock waits only for the work of test stores.
    await clock.nextSleep(timeout: .seconds(600))
    await clock.run()
    await gate.arrival(at: "3")
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value.get() }
    #expect(store.isRunning(id: "ask"))
    gate.open("3")
    #expect(try await second.value.get() == "answer to 3")
    #expect(try await third.value.get() == "answer to 3")
  }

  @Test("X5 a request that continues with another is left to all callers that joined it")
  func joinedBefore() async throws {
    for isLast in [false, true] {
      let retry = event("retry", ask("retry", id: "other"))
      let first = ask("first", .join).catch { _ in retry }
      let tasks = (0..<3).map { _ in requested(event("ask", first), of: input) }
      await gate.arrival(at: "first")
      gate.fail("first")
      await gate.arrival(at: "retry")
      for task in tasks.dropLast() {
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value.get() }
      }
      #expect(store.isRunning(id: "other"))
      if isLast { tasks[2].cancel() } else { gate.open("retry") }
      let answer = try? await tasks[2].value.get()
      #expect(answer == (isLast ? nil : "answer to retry"))
      #expect(store.runningCount == 0)
    }
  }

  @Test("X5 A9 a request throws if its store is released in the middle of the chain")
  func releasedWithin() async throws {
    var store: ClockworkStore? = Clockwork.store(gate)
    let input = try #require(store).input(of: Clockwork.self)
    let sink = store?.publisher.log.sink { if $0.last == "b" { store = nil } }
    let asking = requested(
      event("a", .event(event("b", .sequence([.event("c"), ask("d")])))), of: input)
    await #expect(throws: StoreReleased.self) { try await asking.value.get() }
    sink?.cancel()
  }

  @Test("X5 a debounced request answers as an immediate one does")
  func debouncedSequence() async throws {
    let effects: [(ending: String, make: (String) -> Clockwork.Effect)] = [
      ("answer", { .sequence([ask($0), .cancel("nothing"), .fireAndForget { _ in }]) }),
      ("answer", { .merge([.event("b"), ask($0)]) }),
      ("c", { _ in .sequence([]) }), ("c", { _ in .sequence([.run { _, _ in }]) }),
      ("b", { .sequence([ask($0), .event("b")]) }),
    ]
    for (index, (ending, make)) in effects.enumerated() {
      for isDebounced in [false, true] {
        let door = "\(index) \(isDebounced)"
        let effect = make(door)
        let asking = requested(
          event("c", isDebounced ? effect.debounce(for: .zero, id: "late") : effect), of: input)
        if ending == "answer" {
          await gate.arrival(at: door)
          gate.open(door)
        }
        // Work that ends in an event is not awaited.
        let expected = isDebounced && ending == "b" ? "c" : ending
        #expect(try await asking.value.get().hasPrefix(expected), "\(effect)")
        store.cancelAll()
      }
    }
  }
}
