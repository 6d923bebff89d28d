import Signalbox
import Testing

/// A random program that a store and the oracle carry out together.
@MainActor final class WorkProgram {
  private let seed: UInt64
  private var author: WorkAuthor
  private var steps: [WorkStep] = []
  private var oracle = WorkOracle()
  private let stage = WorkStage()

  init(seed: UInt64, overlaps: [Overlap]) {
    self.seed = seed
    author = WorkAuthor(seed: seed, overlaps: overlaps)
  }

  func check(steps count: Int) async {
    var isRight = true
    // A task that waits until the store is idle keeps the store.
    let isReleased = seed.isMultiple(of: 2)
    while isRight, steps.count < count {
      let step = author.step(waiting: oracle.waiting.sorted())
      steps.append(step)
      oracle.take(step)
      await stage.take(step)
      isRight = await isAsTheOracleSays()
      if isRight, !isReleased { isRight = await isSettledAsExpected() }
    }
    if isRight { await end(isReleased: isReleased) } else { await giveUp() }
  }

  /// Cancels everything or releases the store.
  ///
  /// Then the bodies that still wait return.
  private func end(isReleased: Bool) async {
    if !isReleased {
      oracle.take(.outside(.cancelAll))
      await stage.take(.outside(.cancelAll))
      await stage.settled
    }
    weak let store = stage.store
    // Callers that await a dispatch also keep the store.
    for caller in stage.callers { oracle.take(.outside(.cancelHandle(caller))) }
    await stage.cancelCallers()
    stage.releaseStore()
    #expect(store == nil, "\(place)")
    oracle.take(.outside(.cancelAll))
    #expect(await resumedAsExpected() == expectedResumed, "\(place)")
    let stale = WorkPiece(number: -1, overlap: .concurrent, isKept: false)
    for number in stage.service.waiting.sorted() {
      await stage.take(.order(number, .begin(stale)))
      await stage.take(.order(number, number.isMultiple(of: 2) ? .end : .fail))
    }
    #expect(stage.service.waiting.isEmpty, "stale work begins nothing, \(place)")
    await stage.captured.arrival()
  }

  private func giveUp() async {
    stage.releaseStore()
    for number in stage.service.waiting.sorted() { await stage.take(.order(number, .end)) }
  }

  private var place: Comment { "seed \(seed): \(steps)" }

  private var expectedResumed: Set<String> {
    var resumed: Set<String> = []
    for number in oracle.handles {
      let isAwaited = stage.tasks[number] == nil
      if oracle.outcomes[number] != nil {
        resumed.formUnion(
          isAwaited ? ["dispatch of \(number)"] : ["value of \(number)", "result of \(number)"])
      }
      if !isAwaited, oracle.isSettled(number) { resumed.insert("settled of \(number)") }
    }
    return resumed
  }

  private func resumedAsExpected() async -> Set<String> {
    await stage.arrival(of: expectedResumed)
    return stage.resumed
  }

  /// Whether tasks that wait for an idle store are resumed exactly when it is idle.
  private func isSettledAsExpected() async -> Bool {
    if oracle.runningCount == 0 { await stage.settled } else { stage.settle() }
    let isSettled = oracle.runningCount == 0
    #expect(stage.isSettled == isSettled, "settle, \(place)")
    return stage.isSettled == isSettled
  }

  private func isAsTheOracleSays() async -> Bool {
    var isRight = true
    func expect<T: Equatable>(_ value: T?, _ expected: T, _ what: String) {
      isRight = isRight && value == expected
      #expect(value == expected, "\(what), \(place)")
    }
    expect(stage.store?.log, oracle.log, "log")
    expect(stage.drops, oracle.drops, "dropped")
    expect(stage.unhandled, oracle.unhandled, "unhandled")
    expect(stage.store?.runningCount, oracle.runningCount, "runningCount")
    expect(stage.service.waiting, oracle.waiting, "bodies in the service")
    for id in WorkAuthor.ids {
      expect(stage.store?.isRunning(id: id), oracle.isRunning(id), "isRunning \(id)")
    }
    for (number, task) in stage.tasks {
      let outcome = oracle.outcomes[number]
      expect(task.isFinished, outcome != nil, "isFinished of \(number)")
      expect(task.isCancelled, outcome == .cancelled, "isCancelled of \(number)")
    }
    // Callers whose work has not ended would otherwise be awaited until the time limit.
    guard isRight else { return false }
    expect(await resumedAsExpected(), expectedResumed, "resumed")
    let outcomes = oracle.outcomes.filter { stage.tasks[$0.key] != nil }
    expect(stage.results, outcomes, "results")
    return isRight
  }
}
