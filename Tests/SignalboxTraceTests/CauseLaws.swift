import ExampleTesting
import RandomPrograms
import Signalbox
import SignalboxTrace
import Testing

/// Random programs of stores, children, hooks, operators, timers and emitters, and who did what.
@MainActor @Suite(.timeLimit(.minutes(60))) struct CauseLaws {
  @Test("H4 H5 R5 law: events, why and recordings name what each change was made from")
  func causes() async throws {
    var compared = 0
    var seeds = Array(LawPrograms.seeds(25))
    while !seeds.isEmpty {
      let file = try RecordedFile(isRecorded: { type, _ in type == CauseState.self })
      let own = seeds.prefix(100)
      seeds.removeFirst(own.count)
      var ledgers: [UInt64: CauseLedger] = [:]
      for seed in own {
        let ledger = await run(seed)
        compared += ledger.compared
        ledgers[seed] = ledger
        #expect(ledger.mistakes.isEmpty, "seed \(seed): \(ledger.mistakes.prefix(5))")
        if !ledger.mistakes.isEmpty { return }
      }
      let (reader, events) = try file.read()
      #expect(reader.problems.isEmpty && reader.skipped == 0)
      for seed in own {
        let causes = ledgers[seed]?.causes ?? [:]
        // The recording has also what has happened before the program observed the events.
        let read = events.of("causes \(seed)").filter { causes[$0.id ?? 0] != nil }
        #expect(read.count > causes.count * 9 / 10, "seed \(seed)")
        for event in read where causes[event.id ?? 0] != event.cause {
          Issue.record("seed \(seed): \(event)")
        }
      }
    }
    #expect(compared > 50 * LawPrograms.seeds(25).count, "\(compared)")
  }

  private func run(_ seed: UInt64) async -> CauseLedger {
    let program = CauseProgram(seed: seed, name: "causes \(seed)")
    let ledger = CauseLedger()
    let subscription = program.store?.events.sink { ledger.take($0) }
    for _ in 0..<40 {
      await program.act()
      guard let store = program.store else { break }
      ledger.check(store.why(\.a), "a")
      ledger.check(store.why(\.b), "b")
      ledger.check(store.why(\.c), "c")
      ledger.check(store.why(child: \.rows, id: 0), "row 0")
      ledger.check(store.why(child: \.rows, id: 1), "row 1")
    }
    await program.end()
    withExtendedLifetime(subscription) {}
    return ledger
  }
}

/// Compares the causes of events with what their values know.
@MainActor private final class CauseLedger {
  private(set) var mistakes: [String] = []
  private(set) var compared = 0
  /// The cause of each event, by number.
  private(set) var causes: [Int: Int?] = [:]
  private var names: [Int: String] = [:]
  /// The last change of each value.
  private var last: [String: Int] = [:]

  func take(_ event: StoreEvent<CauseState, CauseAction>) {
    causes[event.id] = event.cause
    switch event.kind {
    case .stateChanged(let old, let new):
      let before = old.values
      for (place, value) in new.values where before[place] != value {
        last[place] = event.id
        compare(value, event.cause, "change of \(place)")
      }
    case .child(let child):
      take(event.id, event.cause, child.event.kind)
    default: take(event.id, event.cause, event.kind)
    }
  }

  private func take<State, Action>(
    _ id: Int, _ cause: Int?, _ kind: StoreEvent<State, Action>.Kind
  ) {
    switch kind {
    case .dispatched(let action as CauseAction):
      compare(action.lineage, cause, "action \(action.name)")
      names[id] = action.name
    case .hookFired(let name, let value):
      if let value = value as? Lineage { compare(value, cause, "hook \(name)") }
      names[id] = name
    case .loopStopped: mistakes.append("a loop")
    default: break
    }
  }

  private func compare(_ value: Lineage, _ cause: Int?, _ what: String) {
    compared += 1
    let path = chain(of: cause).compactMap { names[$0] }.reversed()
    if Array(path) != value.path { mistakes.append("\(what): \(Array(path)) for \(value.path)") }
  }

  private func chain(of event: Int?) -> [Int] {
    var chain: [Int] = []
    var next = event
    while let event = next {
      chain.append(event)
      next = causes[event] ?? nil
    }
    return chain
  }

  func check(_ why: Why, _ place: String) {
    guard let last = last[place] else { return }
    let steps = why.steps.compactMap(\.event)
    if steps != chain(of: last) { mistakes.append("why \(place): \(steps) for \(chain(of: last))") }
  }
}
