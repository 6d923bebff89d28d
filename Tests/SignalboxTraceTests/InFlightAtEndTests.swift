import Signalbox
import SignalboxInspection
import Testing

@testable import SignalboxTrace

/// What a test that is written from a recording asserts at its end.
struct InFlightAtEndTests {
  @Test("R7 a test whose work has all ended asserts that no call of its endpoints is pending")
  func calls() throws {
    let begin: [TraceEvent.Kind] = [
      .called(endpoint: "load", call: 1, request: .string("a")),
      .answered(endpoint: "load", call: 1, .response(.integer(1))), .began(.action(.string("b"))),
    ]
    let end = TraceEvent.Kind.cancelled(.action(.string("b")), .superseded(by: 2))
    let source = try source(begin, then: end)
    #expect(
      source.hasSuffix(
        """
          await store.settle()
          #expect(load.pending.isEmpty)
          await store.finish()
        }

        """))
    // The calls of work in flight are not in a recording.
    #expect(try !self.source(begin).contains("pending"))
    // A call that does not heed cancellation is pending after the work has ended.
    let deaf = #"let load = TestEndpoint<String, Int>("load", heedsCancellation: false)"#
    #expect(try !self.source(begin, then: end, setup: [deaf]).contains("pending"))
  }

  @Test("R7 a test asserts which named runs are in progress at its end")
  func runs() throws {
    let source = try source([
      .began(.run(.string("poll"))), .began(.run(.string("save"))), .began(.run(nil)),
      .began(.run(.string("load"))), .began(.run(.string("load"))),
      .cancelled(.run(.string("load")), .superseded(by: 5)),
      .cancelled(.run(.string("save")), .requested(by: 2)),
    ])
    #expect(
      source.hasSuffix(
        """
          #expect(store.isRunning(id: "poll"))
          #expect(!store.isRunning(id: "save"))
          #expect(store.isRunning(id: "load"))
          await store.finish()
        }

        """))
  }

  @Test("R7 a test that ends early asserts nothing at its end")
  func early() throws {
    let source = try source([
      .called(endpoint: "load", call: 1, request: .string("a")), .lost(count: 1, []),
    ])
    #expect(!source.contains("pending") && !source.contains("finish()"))
  }

  /// - Parameter end: the end of the work that the last event has begun.
  private func source(
    _ kinds: [TraceEvent.Kind], then end: TraceEvent.Kind? = nil, setup: [String] = []
  ) throws -> String {
    let start = TraceEvent(store: 1, id: 0, time: 0, kind: .started(.integer(1)))
    var events = [start]
    for (index, kind) in kinds.enumerated() {
      events.append(
        TraceEvent(store: 1, id: index + 1, cause: 0, work: index + 1, time: 0, kind: kind))
    }
    if let end {
      let last = kinds.count
      events.append(TraceEvent(store: 1, id: last + 1, cause: 0, work: last, time: 0, kind: end))
    }
    let surroundings = Trace.Surroundings(setup: setup, state: "State()", subject: "subject")
    var steps = TestSteps(of: 1, in: events)
    steps.read(surroundings)
    var writer = TestWriter(surroundings, optionals: steps.optionals, state: "State")
    return try writer.source(
      of: steps.all, from: .integer(1), inFlight: steps.inFlight, name: "test")
  }
}
