import Dispatch
import Signalbox
import Testing

/// Tests code on the main queue outside of any task, as in a dispatch source or a timer.
@MainActor struct MainQueueTests {
  /// Runs a body on the main queue, outside of any task.
  private func onMainQueue(_ body: @escaping @MainActor @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async {
        MainActor.assumeIsolated { body() }
        continuation.resume()
      }
    }
  }

  @Test("A1 an action that a block on the main queue dispatches has started by the next line")
  func dispatch() async {
    let gate = StoreGate()
    let store = DeskStore(
      state: Desk(),
      actionable: Handling { job, store in
        store.log.append("\(job)+")
        if job.text == "outer" { store.send("inner") }
        try await gate.pass(job.text)
        store.log.append("\(job)-")
      })
    await onMainQueue {
      store.dispatch("outer")
      #expect(store.log == ["outer+", "inner+"])
      let task = store.send("cancelled")
      task.cancel()
      #expect(task.isFinished && store.log == ["outer+", "inner+", "cancelled+"])
    }
    for door in ["inner", "outer", "cancelled"] { gate.open(door) }
    await store.settle()
    // Both have been resumed. The runtime decides which of them comes first.
    #expect(store.log.count == 5 && store.log.suffix(2).sorted() == ["inner-", "outer-"])
  }

  @Test("A1 X2 an effect has started by the next line, and an action cancelled before never starts")
  func others() async {
    let gate = StoreGate()
    let store = DeskStore(
      state: Desk(),
      actionable: Handling { job, store in
        store.log.append("\(job)+")
        try await gate.pass(job.text)
      })
    await onMainQueue {
      let head = store.send(Job("head", id: "x", .queue))
      let queued = store.send(Job("queued", id: "x", .queue))
      let next = store.send(Job("next", id: "x", .queue))
      queued.cancel()
      head.cancel()
      #expect(queued.isFinished && !next.isFinished && store.log == ["head+", "next+"])
    }
    gate.open("head")
    gate.open("next")
    await store.settle()
  }

  @Test("A9 a store that a block on the main queue releases is closed by the next line")
  func release() async {
    await onMainQueue {
      var hasFinished = false
      var store: DeskStore? = DeskStore(state: Desk(), actionable: Handling { _, _ in })
      let subscription = store?.publisher.count.sink(
        receiveCompletion: { hasFinished = true }, receiveValue: { _ in })
      store = nil
      #expect(hasFinished)
      subscription?.cancel()
    }
  }
}
