import Signalbox
import Testing

/// Tests actions that await work which is related to them.
@MainActor struct AwaitedTests {
  private let gate = StoreGate()

  @Test("A4 A6 an action that awaits its own successor does not cancel it")
  func successor() async {
    let moment = StoreMoment()
    let store = DeskStore(
      state: Desk(),
      actionable: Handling { [gate] job, store in
        try await gate.pass("\(job)")
        store.log.append("\(job)")
        guard job == Job("a", id: "x") else { return }
        await store.dispatch(Job("b", id: "x"))
        moment.happen()
      })
    let first = store.send(Job("a", id: "x"))
    gate.open("a")
    await moment.arrival
    #expect(first.isCancelled && store.runningCount == 1)
    gate.open("b")
    await store.settle()
    #expect(store.log == ["a", "b"])
  }

  @Test("A2 work that continues for its joined callers does not wait for itself")
  func abandoned() async {
    let moment = StoreMoment()
    let store = DeskStore(
      state: Desk(),
      actionable: Handling { [gate] job, store in
        switch job.text {
        case "a": await store.dispatch(Job("b", id: "y"))
        case "b":
          try await gate.pass("b")
          moment.happen()
          await store.dispatch(Job("c", id: "x", .queue))
        default: break
        }
      })
    let journal = StoreJournal(store)
    let leader = store.send(Job("a", id: "x"))
    let follower = store.send(Job("z", id: "x", .join))
    leader.cancel()
    gate.open("b")
    await moment.arrival
    #expect(journal.lines.contains { $0.hasPrefix("unhandled would deadlock") })
    store.cancelAll()
    #expect(follower.isFinished)
  }

  @Test("H4 work cancelled because its awaiting caller was cancelled reports that caller's request")
  func requests() {
    let store = DeskStore(
      state: Desk(),
      actionable: Handling { [gate] job, store in
        switch job.text {
        case "outer": await store.dispatch("inner")
        case "stop": store.cancel(id: "x")
        default: try await gate.pass("door")
        }
      })
    let journal = StoreJournal(store)
    store.send(Job("outer", id: "x"))
    store.send("stop")
    func id(_ line: String) -> Int? {
      journal.events.first { StoreJournal<Desk, Job>.line($0.kind) == line }?.id
    }
    let reasons = journal.events.compactMap(\.cancellation)
    #expect(
      reasons == [.requested(by: id("dispatched stop")), .requested(by: id("dispatched outer"))])
    gate.open("door")
  }

  @Test("A2 A7 cancelling a long chain of actions that await one another does not recurse deeply")
  func longChain() async {
    await #expect(processExitsWith: .success) { await AwaitedTests.cancelChain(of: 20_000) }
  }

  static func cancelChain(of length: Int) async {
    let gate = StoreGate()
    let bottom = StoreMoment()
    let store = DeskStore(
      state: Desk(),
      actionable: Handling { job, store in
        guard let number = Int(job.text) else { return }
        // The suspension makes the chain grow by tasks and not by calls.
        await Task {}.value
        guard number == 0 else { return await store.dispatch(Job("\(number - 1)")) }
        bottom.happen()
        try await gate.pass("bottom")
      })
    let task = store.send(Job("\(length)"))
    await bottom.arrival
    task.cancel()
    precondition(store.runningCount == 0)
    gate.open("bottom")
  }
}
