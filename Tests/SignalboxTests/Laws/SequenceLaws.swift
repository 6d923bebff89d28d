import RandomPrograms
import Signalbox
import SignalboxTesting
import Testing

/// Compares explorations of sequences with a plain enumeration of small programs.
@MainActor struct SequenceLaws {
  @Test(
    "I12 law: the same orders, outcomes, occurrences and minimum as in an enumeration",
    .timeLimit(.minutes(60)), arguments: LawPrograms.seeds(300))
  func enumeration(seed: UInt64) async {
    let program = SequenceProgram(seed: seed)
    let all = SequenceEnumeration(of: program)
    guard all.orders <= SequenceEnumeration.most else { return }
    let report = await program.explored()
    #expect(report.isExhaustive)
    #expect(report.orders == all.orders, "\(program)")
    #expect(report.sequences == all.sequences.count, "\(program)")
    let outcomes = Dictionary(
      uniqueKeysWithValues: report.outcomes.map { ($0.description, $0.orders) })
    #expect(outcomes == all.outcomes, "\(program)")
    let occurrences = report.occurrences.filter { $0.sequences > 0 }
    #expect(
      Dictionary(uniqueKeysWithValues: occurrences.map { ($0.description, $0.sequences) })
        == all.occurrences.mapValues(\.count), "\(program)")
    guard let minimum = all.minimum else {
      #expect(report.failure == nil, "\(program)")
      return
    }
    #expect(report.failure.map(SequenceEnumeration.Size.init) == minimum, "\(program)")
    #expect(
      report.description.hasPrefix("fails in \(all.failures) of \(all.orders) order"), "\(program)")
    let again = await program.explored(replay: report.failure?.replay)
    #expect(again.failure.map(SequenceEnumeration.Size.init) == minimum, "\(program)")
  }

  @Test(
    "I12 law: at any limit, a failure that was found has the fewest actions of all failures",
    .timeLimit(.minutes(60)), arguments: LawPrograms.seeds(100, from: 10_000))
  func limits(seed: UInt64) async {
    let program = SequenceProgram(seed: seed)
    let all = SequenceEnumeration(of: program)
    guard all.orders > 2, all.orders <= SequenceEnumeration.most else { return }
    var random = SeededRandom(seed: seed)
    let limit = 1 + random.below(all.orders - 1)
    let report = await program.explored(limit: limit)
    #expect(report.orders == limit)
    #expect(!report.isExhaustive)
    #expect(
      report.limitText?.wholeMatch(of: /.* at least ([0-9]+) more did not run\./)
        .flatMap { Int($0.1) }.map((1...(all.orders - limit)).contains) == true, "\(program)")
    if let failure = report.failure {
      #expect(SequenceEnumeration.Size(failure).actions == all.minimum?.actions, "\(program)")
    }
  }
}

/// Actions that write and ask, and a condition that may fail.
private struct SequenceProgram: CustomStringConvertible {
  enum Step {
    case write(String)
    case ask(String)
    /// The rest is for a log without this entry.
    case stop(after: String)
  }

  var actions: [[Step]]
  let length: Int
  let mayFail: Bool
  /// What must never be in the log, one directly after the other.
  let forbidden: (String, String)
  /// Whether the condition holds only at the end.
  let isFinal: Bool

  init(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    mayFail = random.oneIn(3)
    length = random.oneIn(10) ? 0 : 1 + random.below(mayFail ? 2 : 3)
    let words = ["x", "y"]
    actions = random.list(1 + random.below(3)) { random in
      random.list(random.oneIn(8) ? 0 : 1 + random.below(3)) { random in
        switch random.below(5) {
        case 0, 1: .write(random.pick(words))
        case 2, 3: .ask(random.pick(words))
        default: .stop(after: random.pick(words))
        }
      }
    }
    forbidden = (random.pick(words), random.pick(words))
    isFinal = random.oneIn(2)
  }

  var description: String {
    "\(actions), up to \(length), \(mayFail ? "may fail, " : "")\(isFinal ? "finally" : "always") "
      + "not \(forbidden)"
  }

  func holds(for log: [String]) -> Bool {
    !zip(log, log.dropFirst()).contains { $0 == forbidden }
  }

  @MainActor func explored(limit: Int = 10_000, replay: String? = nil) async -> ExplorationReport {
    var report: ExplorationReport?
    _ = await kitFailures {
      report = await explore(
        sequencesOf: Array(actions.indices), upTo: length, limit: limit, replay: replay
      ) { world in
        let ask = world.endpoint("ask", failing: mayFail ? Refusal() : nil) { (text: String) in
          text
        }
        let store = TestStore(
          state: Desk(),
          actionable: Handling<Desk, Int> { action, store in
            for step in actions[action] {
              switch step {
              case .write(let text): store.log.append(text)
              case .ask(let text): store.log.append((try? await ask(text)) ?? "no")
              case .stop(let text): if store.log.contains(text) { return }
              }
            }
          })
        if isFinal {
          world.finally("the log") { holds(for: store.log) }
        } else {
          world.always("the log") { holds(for: store.log) }
        }
        world.finally("the outcome") {
          world.outcome(store.log.joined())
          return true
        }
        return store
      }
    }
    // `explore` always returns.
    return report!
  }
}

/// All orders of a program, found by recursion.
private struct SequenceEnumeration {
  struct Size: Equatable {
    var actions: Int
    var steps: Int
  }

  private struct Moment {
    var log: [String] = []
    /// What is asked, and what the action does after the answer.
    var pending: [(text: String, rest: ArraySlice<SequenceProgram.Step>)] = []
    var sequence: [Int] = []
    var steps = 0
    var occurred: Set<String> = []
    /// The size at which the condition failed first.
    var failure: Size?

    mutating func go(on steps: ArraySlice<SequenceProgram.Step>) {
      for index in steps.indices {
        switch steps[index] {
        case .write(let text): log.append(text)
        case .stop(let text): if log.contains(text) { return }
        case .ask(let text):
          pending.append((text, steps[(index + 1)...]))
          return
        }
      }
    }
  }

  /// The number of orders beyond which a program takes too long.
  static let most = 200

  private let program: SequenceProgram
  private(set) var orders = 0
  private(set) var failures = 0
  private(set) var minimum: Size?
  private(set) var sequences: Set<[Int]> = []
  private(set) var outcomes: [String: Int] = [:]
  private(set) var occurrences: [String: Set<[Int]>] = [:]

  init(of program: SequenceProgram) {
    self.program = program
    visit(Moment())
  }

  private mutating func visit(_ moment: Moment) {
    guard orders <= Self.most else { return }
    var moment = moment
    let isEnd = moment.pending.isEmpty
    if moment.failure == nil, !program.isFinal, !program.holds(for: moment.log) {
      moment.failure = Size(actions: moment.sequence.count, steps: moment.steps)
    }
    if isEnd { end(moment) }
    for index in moment.pending.indices {
      for word in program.mayFail ? ["answers", "fails"] : ["answers"] {
        var next = moment
        let call = next.pending.remove(at: index)
        next.steps += 1
        next.occurred.insert("ask \(word)")
        next.log.append(word == "answers" ? call.text : "no")
        next.go(on: call.rest)
        visit(next)
      }
    }
    guard moment.sequence.count < program.length else { return }
    for (number, action) in program.actions.enumerated() {
      var next = moment
      next.steps += 1
      next.sequence.append(number)
      next.occurred.insert("\(number)")
      next.go(on: action[...])
      visit(next)
    }
  }

  private mutating func end(_ moment: Moment) {
    orders += 1
    sequences.insert(moment.sequence)
    outcomes["\"\(moment.log.joined())\"", default: 0] += 1
    for name in moment.occurred { occurrences[name, default: []].insert(moment.sequence) }
    var failure = moment.failure
    if program.isFinal, !program.holds(for: moment.log) {
      failure = Size(actions: moment.sequence.count, steps: moment.steps)
    }
    guard let failure else { return }
    failures += 1
    if let minimum, (minimum.actions, minimum.steps) <= (failure.actions, failure.steps) { return }
    minimum = failure
  }
}

extension SequenceEnumeration.Size {
  fileprivate init(_ failure: (steps: [String], replay: String)) {
    self.init(
      actions: failure.steps.count { $0.hasPrefix("send(") }, steps: failure.steps.count)
  }
}
