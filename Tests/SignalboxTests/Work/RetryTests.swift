import Signalbox
import Testing

/// Tests a retry that `onError` dispatches in place of the failed action.
@MainActor struct RetryTests {
  private nonisolated static let overlaps: [Overlap] = [
    .latest, .first, .join, .queue, .concurrent,
  ]

  @Test(
    "A8 A4 a retry from onError starts whatever its overlap, and the error stays the result",
    arguments: overlaps, [false, true])
  func retry(overlap: Overlap, suspends: Bool) async {
    var tries = 0
    var running: [Int] = []
    var retries: [Int: ActionTask] = [:]
    weak var weakStore: DeskStore?
    let store = DeskStore(
      state: Desk(),
      actionable: HandlingErrors(
        handle: { _, store in
          if suspends { await Task {}.value }
          tries += 1
          if tries < 3 { throw Refusal(reason: "try \(tries)") }
          store.log.append("done")
        },
        recover: { error, job, store in
          running.append(weakStore?.runningCount ?? -1)
          #expect(store.isCurrent)
          store.log.append("\(error)")
          let failed = tries
          retries[failed] = store.send(job)
        }))
    weakStore = store
    let task = store.send(Job("go", id: "x", overlap))
    await task.settled
    #expect(tries == 3 && running == [0, 0])
    #expect(
      store.log == ["Refusal(reason: \"try 1\")", "Refusal(reason: \"try 2\")", "done"])
    await #expect(throws: Refusal(reason: "try 1")) { try await task.result.get() }
    await #expect(throws: Refusal(reason: "try 2")) { try await retries[1]?.result.get() }
    await #expect(throws: Never.self) { try await retries[2]?.result.get() }
    #expect(!task.isCancelled && store.runningCount == 0)
  }

  @Test("A8 A5 the retry of a failed run starts as if the first run were gone", arguments: overlaps)
  func retryRun(overlap: Overlap) async {
    var tries = 0
    var tasks: [ActionTask] = []
    @MainActor func begin(_ store: DeskHandle) {
      tasks.append(
        store.run(id: "x", overlap: overlap) { store in
          await Task {}.value
          tries += 1
          if tries < 3 { throw Refusal() }
          store.log.append("done")
        })
    }
    let store = DeskStore(
      state: Desk(),
      actionable: HandlingErrors(
        handle: { _, store in begin(store) }, recover: { _, _, store in begin(store) }))
    await store.send("go").settled
    #expect(tries == 3 && store.log == ["done"] && !tasks.isAnyCancelled)
  }

  @Test("A2 A8 a caller that waits for a failed action is resumed when onError has returned")
  func endsAfterOnError() async {
    var task: ActionTask?
    var wasFinished: Bool?
    let gate = StoreGate()
    let store = DeskStore(
      state: Desk(),
      actionable: HandlingErrors(
        handle: { _, _ in try await gate.pass("door") },
        recover: { _, _, store in
          wasFinished = task?.isFinished
          store.log.append("handled")
        }))
    let sent = store.send("go")
    task = sent
    gate.fail("door", Refusal())
    await sent.value
    #expect(wasFinished == false && store.log == ["handled"])
  }
}
