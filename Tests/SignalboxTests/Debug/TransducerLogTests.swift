import Signalbox
import Testing

// There is only one log. These tests filter it by the type of the state, and run serially.
extension DebugStoreTests {
  @Test("D1 H4 the log of a child in its parent has events, names of effects, and causes")
  func childTransducer() async {
    let gate = StoreGate()
    let log = await logged(.include([LookupBook.Book.self])) {
      let store = Store(state: .init(), transducer: LookupBook.self, env: gate)
      store.send(.lookup(.look("cat")))
      store.send(.lookup(.look("dog")))
      await gate.arrival(at: "dog")
      gate.fail("dog")
      await store.settle()
      await gate.arrival(at: "cat")
      gate.open("cat")
    }
    // Each entry without its state.
    #expect(
      log.map { String($0.prefix { $0 != "\n" }) } == [
        "Book: started",
        "Book: Event.lookup(Event.look(\"cat\"))",
        "Book: changed ← Event.lookup(Event.look(\"cat\"))",
        "Book: Event.lookup(Event.found) ← Event.lookup(Event.look(\"cat\"))",
        "Book: Event.lookup(Event.found) finished after … ms",
        "Book: run look at \\Book.lookup ← Event.lookup(Event.look(\"cat\"))",
        "Book: Event.lookup(Event.look(\"cat\")) finished after … ms",
        "Book: Event.lookup(Event.look(\"dog\"))",
        "Book: changed ← Event.lookup(Event.look(\"dog\"))",
        "Book: Event.lookup(Event.found) ← Event.lookup(Event.look(\"dog\"))",
        "Book: Event.lookup(Event.found) finished after … ms",
        "Book: run look at \\Book.lookup ← Event.lookup(Event.look(\"dog\"))",
        "Book: run look at \\Book.lookup superseded by run look at \\Book.lookup",
        "Book: Event.lookup(Event.look(\"dog\")) finished after … ms",
        "Book: run look at \\Book.lookup failed: Refusal(reason: \"no\")",
        "Book: Event.lookup(Event.failed) ← Event.lookup(Event.look(\"dog\"))",
        "Book: Event.lookup(Event.failed) finished after … ms",
      ])
  }

  @Test("D1 the log calls the store by its transducer, and effects by their names")
  func transducer() async {
    let gate = StoreGate()
    let log = await logged(.include([Porter.State.self])) {
      let store = Store(state: .init(), transducer: Porter.self, env: gate)
      store.send(.open)
      await gate.arrival(at: "a")
      store.send(.close)
      gate.open("a")
      await gate.arrival(at: "posted")
      try? await store.input(of: Porter.self).send(.ring)
    }
    let lines = log.map { masked($0.split(separator: "\n").first.map(String.init) ?? "") }
    #expect(
      lines == [
        "Porter: started", "Porter: Event.open", "Porter: changed ← Event.open",
        "Porter: run \"door\" ← Event.open", "Porter: Event.open finished after … ms",
        "Porter: Event.close", "Porter: changed ← Event.close",
        "Porter: run \"door\" cancelled by Event.close",
        "Porter: Event.close finished after … ms",
        "Porter: dropped Event.ring of stale run \"door\"", "Porter: Event.ring",
        "Porter: changed ← Event.ring", "Porter: Event.ring finished after … ms",
      ])
  }

  @Test("D1 a cause keeps its name however much follows from it")
  func longLivedCause() async {
    let log = await logged(.include([Porter.State.self])) {
      let store = Store(state: .init(), transducer: Porter.self, env: StoreGate())
      store.send(.ringForLong)
      await store.settle()
    }
    #expect(log.contains("Porter: Event.ring ← Event.ringForLong"))
    #expect(!log.contains { $0.contains("← #") })
  }
}

private enum Porter: Transducer {
  struct State { var count = 0 }
  enum Event {
    case open
    case close
    case ring
    case ringForLong
  }
  typealias Env = StoreGate

  static func update(_ state: inout State, event: Event) -> Effect? {
    state.count += 1
    switch event {
    case .open:
      return run(id: "door") { input, gate in
        try? await gate.pass("a")
        try input.post(.ring)
        await gate.arrive(at: "posted")
      }
    case .close: return .cancel("door")
    case .ring: return nil
    case .ringForLong:
      return run { input, _ in for _ in 1...1_500 { try await input.send(.ring) } }
    }
  }
}
