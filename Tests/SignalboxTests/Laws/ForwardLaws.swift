import RandomPrograms
import Testing

@testable import Signalbox

/// Random programs of children of `forward` that come and go while their work is under way.
///
/// An oracle computes which work goes on, and which events arrive.
@MainActor struct ForwardLaws {
  @Test(
    "X3 law: no event of a child that is gone arrives, and what gives nothing back is not lost",
    .timeLimit(.minutes(60)), arguments: LawPrograms.seeds(100))
  func programs(seed: UInt64) async {
    await ForwardProgram(seed: seed).check(steps: 60)
  }
}

/// A random program that a store and the oracle carry out together.
@MainActor private final class ForwardProgram {
  private let seed: UInt64
  private var author: ForwardAuthor
  private var steps: [ForwardStep] = []
  private var oracle = ForwardOracle()
  private let stage = ForwardStage()

  init(seed: UInt64) {
    self.seed = seed
    author = ForwardAuthor(seed: seed)
  }

  func check(steps count: Int) async {
    var isRight = true
    while isRight, steps.count < count {
      isRight = await take(author.step(waiting: oracle.waiting.sorted(), runs: oracle.runs))
    }
    // All rooms go, and all bodies return.
    if isRight {
      isRight = await take(.change(ForwardPart.allCases.map { .init(part: $0, comes: false) }))
    }
    while isRight, let number = oracle.waiting.min() {
      isRight = await take(.order(number, .end(leaves: false)))
    }
    if isRight {
      expectEmptyBooks(stage.store)
      #expect(stage.store.engine.storage.sites.isEmpty, "seed \(seed)")
    }
    for number in stage.service.bodies.waiting {
      stage.service.bodies.tell(number, .end(leaves: false))
    }
  }

  /// - Returns: whether everything is as the oracle says after a step.
  private func take(_ step: ForwardStep) async -> Bool {
    steps.append(step)
    let isCurrent = if case .order(let number, _) = step { oracle.isCurrent(number) } else { true }
    oracle.take(step)
    await stage.take(step, isCurrent: isCurrent)
    var difference = difference
    // If a body were not started, the test would wait for it until its time limit.
    if difference == nil {
      for number in oracle.waiting { await stage.service.bodies.arrival(of: .body(number)) }
      let bodies = stage.service.bodies.waiting
      if bodies != oracle.waiting { difference = "bodies: \(bodies), expected \(oracle.waiting)" }
    }
    #expect(difference == nil, "seed \(seed): \(steps)")
    return difference == nil
  }

  /// What differs from what the oracle says; `nil` if nothing does.
  private var difference: String? {
    let log = stage.store.log
    if log != oracle.log { return "log: \(log), expected \(oracle.log)" }
    if stage.service.saved != oracle.saved { return "saved: \(stage.service.saved)" }
    if stage.drops != oracle.drops { return "drops: \(stage.drops), expected \(oracle.drops)" }
    let count = stage.store.runningCount
    return count == oracle.runningCount ? nil : "count: \(count), expected \(oracle.runningCount)"
  }
}
