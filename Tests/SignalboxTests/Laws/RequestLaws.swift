import Signalbox
import Testing

/// Random programs of requests that overlap, wait for one another, fail, go on with others and are
/// cancelled in all ways, against an oracle of who is answered by whom.
@MainActor struct RequestLaws {
  @Test(
    "X5 law: every request is answered by whom it should be, or throws what it should",
    .timeLimit(.minutes(10)), arguments: 1...200)
  func allOverlaps(seed: Int) async {
    await RequestProgram(seed: seed).check(steps: 60)
  }
}

/// One random program, carried out by a store and by the oracle at once.
@MainActor private final class RequestProgram {
  private let seed: Int
  private var author: RequestAuthor
  private var steps: [RequestStep] = []
  private var oracle = RequestOracle()
  private let stage = RequestStage()

  init(seed: Int) {
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

  /// All is cancelled, or the store is released: nobody hangs.
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
    // Nobody is left behind in the service either.
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
    // To wait for what should be and is not is to wait for ever.
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
