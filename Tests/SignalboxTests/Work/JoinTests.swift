import Signalbox
import Testing

/// Tests joining work that has not started yet or is no longer running.
@MainActor struct JoinTests {
  private let gate = StoreGate()

  @Test("A4 work that joins while the next in a queue is about to start waits for that one")
  func joinsBetweenTwo() async {
    let (store, second, joined) = joinBetween()
    #expect(joined?.isFinished == false)
    gate.open("b")
    await joined?.value
    #expect(second.isFinished)
    #expect(store.runningCount == 0)
    gate.open("a")
  }

  @Test("A4 cancelling queued work that others have joined leaves it to them")
  func queuedAndJoined() async {
    let (store, second, joined) = joinBetween()
    second.cancel()
    #expect(second.isCancelled && joined?.isFinished == false)
    gate.open("b")
    await joined?.value
    #expect(joined?.isCancelled == false)
    #expect(store.runningCount == 0)
    gate.open("a")
  }

  @Test("A4 new work does not join queued work that its own caller has cancelled")
  func queuedAndAbandoned() {
    let store = DeskStore(
      state: Desk(), actionable: Handling { [gate] job, _ in try await gate.pass(job.text) })
    var queued: ActionTask?
    let events = store.events.sink { [weak store] in
      guard case .cancelled(let job) = $0.kind, job.text == "a" else { return }
      store?.send(Job("c", id: "x", .join))
      queued?.cancel()
      store?.send(Job("d", id: "x", .join))
    }
    let first = store.send(Job("a", id: "x"))
    queued = store.send(Job("b", id: "x", .queue))
    first.cancel()
    #expect(gate.count(at: "b") == 1 && gate.count(at: "c") == 0 && gate.count(at: "d") == 1)
    for door in ["a", "b", "d"] { gate.open(door) }
    events.cancel()
  }

  /// "b" is queued behind "a", which is cancelled; "c" joins when the cancel is reported.
  private func joinBetween() -> (DeskStore, queued: ActionTask, joined: ActionTask?) {
    let store = DeskStore(
      state: Desk(), actionable: Handling { [gate] job, _ in try await gate.pass(job.text) })
    var joined: ActionTask?
    let events = store.events.sink { [weak store] in
      if case .cancelled(let job) = $0.kind, job.text == "a" {
        joined = store?.send(Job("c", id: "x", .join))
      }
    }
    let first = store.send(Job("a", id: "x"))
    let queued = store.send(Job("b", id: "x", .queue))
    first.cancel()
    events.cancel()
    return (store, queued, joined)
  }

  @Test("A8 the error of an action that a subscriber cancels when it fails is dropped")
  func cancelledByWhoHears() async {
    var handled = 0
    let store = DeskStore(
      state: Desk(),
      actionable: HandlingErrors(
        handle: { _, _ in throw Refusal() }, recover: { _, _, _ in handled += 1 }))
    let events = store.events.sink { [weak store] in
      if case .failed = $0.kind { store?.cancelAll() }
    }
    store.send("go")
    #expect(handled == 0)
    events.cancel()
  }
}
