import Signalbox
import SignalboxTesting

/// Measures explorations of every order of answers.
@MainActor enum Explorations {
  static let comparisons = [
    comparison("720 orders of 6 calls", calls: 6, mayFail: false, .seconds(1)),
    comparison("5,040 orders of 7 calls", calls: 7, mayFail: false, .seconds(8)),
    comparison("3,840 orders of 5 calls that may fail", calls: 5, mayFail: true, .seconds(4)),
  ]

  private static func comparison(
    _ work: String, calls: Int, mayFail: Bool, _ limit: Duration
  ) -> Comparison {
    Comparison("I7", work) {
      Sides(
        Subject(
          "explore",
          awaiting: { count in
            for _ in 0..<count { await run(calls: calls, mayFail: mayFail) }
          }), limits: [.time(limit)])
    }
  }

  static let series = [
    series("calls", mayFail: false, upTo: 6), series("calls that may fail", mayFail: true, upTo: 5),
  ]

  private static func series(_ title: String, mayFail: Bool, upTo most: Int) -> Curve.Series {
    Curve.Series(title, .ours) { calls in
      guard calls <= most else { return nil }
      let orders = (1...calls).reduce(1, *) * (mayFail ? 1 << calls : 1)
      return Subject(
        title,
        awaiting: { count in
          for _ in 0..<count { await run(calls: calls, mayFail: mayFail) }
        }
      ).inPieces(orders)
    }
  }

  private struct Found: Equatable { var answers: [Int] = [] }

  private struct Refusal: Error {}

  private struct Asking: Actionable {
    let ask: @MainActor (Int) async throws -> Int

    func onAction(_ number: Int, store: MutatingStore<Found, Int>) async {
      store.answers.append((try? await ask(number)) ?? -number)
    }
  }

  private static func run(calls: Int, mayFail: Bool) async {
    let report = await explore { world in
      let endpoint = world.endpoint("ask", failing: mayFail ? Refusal() : nil) { (number: Int) in
        number
      }
      let store = TestStore(state: Found(), actionable: Asking(ask: { try await endpoint($0) }))
      for number in 1...calls { store.send(number) }
      world.finally("all have answered") { store.answers.count == calls }
      await world.run()
    }
    precondition(report.isExhaustive && report.failure == nil, report.description)
  }
}

extension Growth {
  static let explorations = Curve(
    name: "explorations", title: "Time of one order of an exploration", axis: "number of calls",
    sizes: [1, 2, 3, 4, 5, 6], series: Explorations.series)
}
