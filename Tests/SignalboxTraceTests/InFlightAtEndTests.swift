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
    let end = [3: TraceEvent.Kind.cancelled(.action(.string("b")), .superseded(by: 2))]
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
    let source = try source(
      [
        .began(.run(.string("poll"))), .began(.run(.string("save"))), .began(.run(nil)),
        .began(.run(.string("load"))), .began(.run(.string("load"))),
      ],
      then: [
        2: .cancelled(.run(.string("save")), .requested(by: 2)),
        4: .cancelled(.run(.string("load")), .superseded(by: 5)),
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

  @Test("R7 a run is in progress at the end of a test if any of its name is")
  func sameNames() throws {
    let run = TraceEvent.Work.run(.string("poll"))
    let action = TraceEvent.Work.action(.string("load"))
    let isRunning = #"#expect(store.isRunning(id: "poll"))"#
    let isNotRunning = #"#expect(!store.isRunning(id: "poll"))"#
    let concurrent = try source(
      [.began(run), .began(run)], then: [1: .finished(run, seconds: 1)])
    #expect(concurrent.contains(isRunning))
    let superseded = try source(
      [.began(run), .began(action)],
      then: [1: .cancelled(run, .superseded(by: 2)), 2: .finished(action, seconds: 1)])
    #expect(superseded.contains(isNotRunning))
    // The action may have the name of the run.
    let named = try source([.began(action), .began(run)], then: [2: .finished(run, seconds: 1)])
    #expect(!named.contains("isRunning"))
  }

  @Test("R7 a test that ends early asserts nothing at its end")
  func early() throws {
    let source = try source([
      .called(endpoint: "load", call: 1, request: .string("a")), .lost(count: 1, []),
    ])
    #expect(!source.contains("pending") && !source.contains("finish()"))
  }

  /// - Parameter ends: how work ends afterwards, by the number of the event that began it.
  private func source(
    _ kinds: [TraceEvent.Kind], then ends: [Int: TraceEvent.Kind] = [:], setup: [String] = []
  ) throws -> String {
    let start = TraceEvent(store: 1, id: 0, time: 0, kind: .started(.integer(1)))
    var events = [start]
    for (index, kind) in kinds.enumerated() {
      events.append(
        TraceEvent(store: 1, id: index + 1, cause: 0, work: index + 1, time: 0, kind: kind))
    }
    for (work, end) in ends.sorted(by: { $0.key < $1.key }) {
      events.append(
        TraceEvent(store: 1, id: events.count, cause: work, work: work, time: 0, kind: end))
    }
    let surroundings = Trace.Surroundings(setup: setup, state: "State()", subject: "subject")
    var steps = TestSteps(of: 1, in: events)
    steps.read(surroundings)
    var writer = TestWriter(surroundings, optionals: steps.optionals, state: "State")
    return try writer.source(
      of: steps.all, from: .integer(1), inFlight: steps.inFlight, name: "test")
  }
}
