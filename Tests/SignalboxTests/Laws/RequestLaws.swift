import RandomPrograms
import Signalbox
import Testing

/// Random programs of requests that overlap, wait, fail, chain and are cancelled.
///
/// An oracle computes which work answers which request.
@MainActor struct RequestLaws {
  @Test(
    "X5 law: every request gets the answer or the error that the rules say",
    .timeLimit(.minutes(60)), arguments: LawPrograms.seeds(200))
  func allOverlaps(seed: UInt64) async {
    await RequestProgram(seed: seed).check(steps: 60)
  }
}

/// A random program that a store and the oracle carry out together.
@MainActor private final class RequestProgram {
  private let seed: UInt64
  private var author: RequestAuthor
  private var steps: [RequestStep] = []
  private var oracle = RequestOracle()
  private let stage = RequestStage()

  init(seed: UInt64) {
    self.seed = seed
    author = RequestAuthor(seed: seed)
  }

  func check(steps count: Int) async {
    var isRight = true
    while isRight, steps.count < count {
      let step = author.step(
        waiting: oracle.waiting.sorted(), sleeping: oracle.sleeping, calls: oracle.pendingOutside)
      steps.append(step)
      let isCurrent =
        if case .order(let number, _) = step { oracle.isCurrent(number) } else { true }
      oracle.take(step)
      await stage.take(step, isCurrent: isCurrent)
      isRight = await isAsTheOracleSays()
    }
    if isRight { await end() }
    stage.releaseStore()
    for number in stage.service.waiting { stage.service.tell(number, .end) }
  }

  /// Cancels everything or releases the store, and expects that no caller hangs.
  private func end() async {
    let outside = oracle.pendingOutside
    let isReleased = seed.isMultiple(of: 2)
    oracle.take(.cancelAll)
    if isReleased { stage.releaseStore() } else { stage.store?.cancelAll() }
    await stage.results(of: outside)
    for call in outside {
      #expect(stage.results[call] == (isReleased ? .released : .cancelled), "\(call), \(place)")
    }
    if let store = stage.store { expectEmptyBooks(store) }
    // No body waits in the service any more.
    for number in oracle.waiting { await stage.service.arrival(of: .body(number)) }
  }

  private var place: Comment { "seed \(seed): \(steps)" }

  private func isAsTheOracleSays() async -> Bool {
    var isRight = true
    func expect<T: Equatable>(_ value: T?, _ expected: T, _ what: String) {
      isRight = isRight && value == expected
      #expect(value == expected, "\(what), \(place)")
    }
    expect(stage.store?.runningCount, oracle.runningCount, "runningCount")
    for id in RequestAuthor.ids {
      let name = RequestName(id: id, number: -1)
      expect(stage.store?.isRunning(id: name), oracle.isRunning(id), "isRunning \(id)")
    }
    // A missing result would otherwise make the test wait until its time limit.
    guard isRight else { return false }
    await stage.results(of: oracle.results.keys)
    for number in oracle.waiting { await stage.service.arrival(of: .body(number)) }
    expect(stage.results, oracle.results, "results")
    expect(stage.service.waiting, oracle.waiting, "bodies in the service")
    expect(stage.unhandled, oracle.unhandled, "unhandled")
    expect(stage.drops, oracle.drops, "dropped")
    return isRight
  }
}
