import Signalbox
import Testing

/// Tests subscribers to the events that act on an event as soon as they receive it.
@MainActor struct ListenerTests {
  private let gate = StoreGate()

  private func waiting() -> DeskStore {
    DeskStore(
      state: Desk(),
      actionable: Handling { [gate] job, store in
        store.log.append("\(job)+")
        try await gate.pass("\(job)")
      })
  }

  /// Runs a body when an action is about to start.
  private func onDispatch(
    _ text: String, of store: DeskStore, _ body: @escaping @MainActor () -> Void
  ) -> Subscription {
    store.events.sink {
      if case .dispatched(let job) = $0.kind, job.text == text { body() }
    }
  }

  @Test(
    "A3 A4 an ignored action ends, even if the work it was ignored for is cancelled first",
    arguments: [false, true])
  func nothingToGiveWayTo(isReleased: Bool) {
    var handle: DeskHandle?
    var store: DeskStore?
    store = DeskStore(
      state: Desk(),
      actionable: Handling { [gate] job, store in
        handle = store
        try await gate.pass("\(job)")
      })
    store?.send("keep")
    let listener = store.map { watched in
      onDispatch("b", of: watched) {
        if isReleased { _ = store.take() } else { store?.cancelAll() }
      }
    }
    // Sends through a handle, so that only `store` keeps the store.
    let first = handle?.send(Job("a", id: "x"))
    let second = handle?.send(Job("b", id: "x", .first))
    #expect(first?.isCancelled == true)
    #expect(second?.isFinished == true)
    for door in ["keep", "a"] { gate.open(door) }
    listener?.cancel()
  }

  @Test("A3 a subscriber to the dispatched event can cancel the action, and it never starts")
  func cancelledByName() {
    for overlap in [Overlap.latest, .first, .join, .queue, .concurrent] {
      let store = waiting()
      let listener = onDispatch("a", of: store) { [weak store] in store?.cancel(id: "x") }
      let task = store.send(Job("a", id: "x", overlap))
      #expect(task.isFinished && task.isCancelled)
      #expect(store.log.isEmpty && store.runningCount == 0)
      listener.cancel()
    }
  }

  @Test("A4 an action that is superseded while its dispatch is reported never starts")
  func supersededInItsBeginning() {
    let store = waiting()
    var newest: ActionTask?
    let listener = onDispatch("b", of: store) { [weak store] in
      newest = store?.send(Job("c", id: "x"))
    }
    let first = store.send(Job("a", id: "x"))
    let second = store.send(Job("b", id: "x"))
    #expect(first.isCancelled && second.isCancelled && newest?.isFinished == false)
    #expect(store.log == ["a+", "c+"] && store.runningCount == 1)
    listener.cancel()
    store.cancelAll()
    for door in ["a", "c"] { gate.open(door) }
  }

  @Test(
    "A9 H4 each cancelled action is reported, even if the store is released at the first report")
  func releasedAmongCancels() {
    var store: DeskStore?
    var handle: DeskHandle?
    store = DeskStore(
      state: Desk(),
      actionable: Handling { [gate] job, store in
        if job == "keep" {
          handle = store
          return
        }
        try await gate.pass("door")
      })
    store?.send("keep")
    let tasks = ["a", "b", "c"].compactMap { store?.send(Job($0, id: "x", .concurrent)) }
    guard let journal = store.map({ StoreJournal($0) }) else { return }
    let listener = store?.events.sink {
      if case .cancelled = $0.kind { _ = store.take() }
    }
    handle?.cancel(id: "x")
    #expect(store == nil && tasks.areAllCancelled)
    #expect(journal.lines == ["started", "cancelled a", "cancelled b", "cancelled c"])
    for _ in tasks { gate.open("door") }
    listener?.cancel()
  }

  @Test(
    "H4 a commit is reported to a subscriber even if another one comes or goes meanwhile",
    arguments: [false, true])
  func listenersInACommit(comes: Bool) {
    var other: Subscription?
    var makeOther: (@MainActor () -> Subscription?)?
    let store = DeskStore(
      state: Desk(),
      actionable: Handling { _, store in
        store.batch {
          store.count = 1
          if comes { other = makeOther?() } else { other?.cancel() }
        }
      })
    makeOther = { [weak store] in store?.events.sink { _ in } }
    if !comes { other = makeOther?() }
    let journal = StoreJournal(store)
    store.send("go")
    #expect(journal.lines == ["started", "dispatched go", "change", "finished go"])
    other?.cancel()
  }

  @Test("H4 the cause of what a subscriber does about an event is that event")
  func causes() {
    let store = waiting()
    let journal = StoreJournal(store)
    let listener = onDispatch("a", of: store) { [weak store] in store?.dispatch("b") }
    store.send("a")
    #expect(journal.tree.contains("dispatched b ← dispatched a"))
    listener.cancel()
    store.cancelAll()
    for door in ["a", "b"] { gate.open(door) }
  }
}
