import Signalbox
import Testing

/// Tests the order in which the effects of a merge start, including nested ones.
@Suite(.opensGates, .timeLimit(.minutes(60))) @MainActor struct MergeOrderTests {
  private let gate = StoreGate()
  private let store: ClockworkStore

  init() { store = Clockwork.store(gate) }

  private func log(of effect: Clockwork.Effect) -> [String] {
    let before = store.log.count
    store.send(Clockwork.Event("go") { effect })
    return Array(store.log.dropFirst(before + 1))
  }

  /// An event from which others follow, each from the one before.
  private func chain(_ names: String...) -> Clockwork.Effect {
    var effect: Clockwork.Effect?
    for name in names.reversed() {
      let next = effect
      effect = .event(Clockwork.Event(name) { next })
    }
    return effect ?? .sequence([])
  }

  @Test("X3 a merge starts its effects in order, including nested ones, before what follows")
  func nested() {
    #expect(
      log(
        of: .merge([
          .sequence([.event("a"), .event("b")]), chain("c", "c1"),
          .merge([.event("d"), .sequence([.merge([.event("e")]), .event("f")])]), .event("g"),
        ])) == ["a", "b", "c", "d", "e", "f", "g", "c1"])
  }

  @Test("X3 a sequence in a merge pauses after an effect with consequences until its next turn")
  func sequenceWaits() {
    #expect(
      log(
        of: .merge([
          .sequence([
            .event("a"), chain("b", "b1"), .event("c"), chain("d", "d1", "d2"), .event("e"),
          ]),
          chain("x", "x1", "x2"),
        ])) == ["a", "b", "x", "b1", "c", "d", "x1", "d1", "x2", "d2", "e"])
  }

  @Test("X3 an effect after a merge in a sequence waits for all that follows from the merge")
  func mergeWithin() {
    let inner = Clockwork.Effect.sequence([
      .merge([chain("a", "a1"), chain("b", "b1", "b2")]), .event("c"),
    ])
    #expect(
      log(of: .merge([inner, chain("x", "x1", "x2", "x3")])) == [
        "a", "b", "x", "a1", "b1", "x1", "b2", "c", "x2", "x3",
      ])
    #expect(log(of: inner) == ["a", "b", "a1", "b1", "b2", "c"])
  }

  @Test("X3 H4 an event has not finished while an effect of its merges has not begun")
  func finishesLast() {
    let waiting = Clockwork.Effect.sequence([chain("a", "a1"), .event("c")])
    let other = chain("x", "x1", "x2")
    let effects: [Clockwork.Effect] = [
      .merge([waiting, other]),
      .merge([.merge([waiting, chain("y", "y1")]), other]),
      .merge([.sequence([.merge([chain("a", "a1"), chain("b", "b1")]), .event("c")]), other]),
    ]
    for effect in effects {
      let journal = StoreJournal(store)
      _ = log(of: effect)
      let ends = journal.lines.filter { ["dispatched c", "finished go"].contains($0) }
      #expect(ends == ["dispatched c", "finished go"], "\(journal.lines)")
    }
  }

  @Test("X3 a cancel in a nested sequence ends earlier work and not work that starts later")
  func cancelFirst() async {
    let run = Clockwork.Effect.run(id: "work") { input, gate in
      try await gate.pass("door")
      try await input.send("done")
    }
    _ = log(of: .merge([.sequence([.cancel("other"), .cancel("work")]), run]))
    #expect(store.isRunning(id: "work"))
    await gate.arrival(at: "door")
    gate.open("door")
    await store.settle()
    #expect(store.log == ["go", "done"])
    _ = log(of: .merge([run, .merge([.sequence([.cancel("work")])])]))
    #expect(!store.isRunning(id: "work"))
  }

  @Test("X2 a chain of 10,000 events, each in a merge or a sequence, takes constant stack")
  func longChain() {
    for nesting in Descent.allCases {
      let store = Store(state: 0, transducer: Descending.self)
      store.dispatch(.init(count: 10_000, nesting: nesting))
      #expect(store.state == 10_000, "\(nesting)")
    }
  }

  @Test("X2 effects nested 10,000 levels deep take constant stack")
  func deep() {
    var effect = Clockwork.Effect.event("a")
    for level in 0..<10_000 {
      effect = level.isMultiple(of: 2) ? .merge([effect]) : .sequence([effect])
    }
    #expect(log(of: .merge([effect, .event("b")])) == ["a", "b"])
    // Released level by level, because the runtime would release nested values recursively.
    while let inner = effect.effects.first { effect = inner }
  }

  @Test("X2 H4 the events of a long chain of merges are finished as the chain proceeds")
  func finished() {
    let store = Store(state: 0, transducer: Descending.self)
    var unfinished = 0
    var most = 0
    let watching = store.events.sink {
      switch $0.kind {
      case .dispatched: unfinished += 1
      case .finished: unfinished -= 1
      default: break
      }
      most = max(most, unfinished)
    }
    for nesting in Descent.allCases where !nesting.leavesSomething {
      store.dispatch(.init(count: 100, nesting: nesting))
      #expect(unfinished == 0, "\(nesting)")
    }
    #expect(most <= 3)
    watching.cancel()
  }
}

/// The effect that contains each event of a chain.
private enum Descent: CaseIterable {
  case merge, mergeOfMerge, sequence, mergeOfSequence
  case leaving, leavingTwice

  /// Whether each event leaves something to do for the end.
  var leavesSomething: Bool { self == .leaving || self == .leavingTwice }
}

/// Counts down with one event for each step.
private enum Descending: Transducer {
  typealias State = Int
  struct Event {
    var count: Int
    let nesting: Descent
  }

  static func update(_ state: inout Int, event: Event) -> Effect? {
    guard event.count > 0 else { return nil }
    state += 1
    var next = event
    next.count -= 1
    return switch event.nesting {
    case .merge: .merge([.event(next)])
    case .mergeOfMerge: .merge([.merge([.event(next)]), .merge([])])
    case .sequence: .sequence([.event(next)])
    case .mergeOfSequence: .merge([.sequence([]), .sequence([.event(next)])])
    case .leaving: .merge([.sequence([.event(next), .cancel("x")])])
    case .leavingTwice: .sequence([.merge([.event(next), .cancel("x")]), .cancel("y")])
    }
  }
}
