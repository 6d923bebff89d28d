import Signalbox
import Testing

/// Listeners of the events that do something about what they hear, at once.
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

  /// Does something when an action is about to begin.
  private func onDispatch(
    _ text: String, of store: DeskStore, _ body: @escaping @MainActor () -> Void
  ) -> Subscription {
    store.events.sink {
      if case .dispatched(let job) = $0.kind, job.text == text { body() }
    }
  }

  @Test(
    "A3 A4 one that would be ignored ends, although what it was to give way to is cancelled first",
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
    // Through a handle: nothing but `store` keeps the store.
    let first = handle?.send(Job("a", id: "x"))
    let second = handle?.send(Job("b", id: "x", .first))
    #expect(first?.isCancelled == true)
    #expect(second?.isFinished == true)
    for door in ["keep", "a"] { gate.open(door) }
    listener?.cancel()
  }

  @Test("A3 who hears that an action begins can cancel it by its name, and it never starts")
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

  @Test("A4 who is superseded while its beginning is told never starts")
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
    "A9 H4 each cancelled action is told of, although the store is released when the first is")
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
    "H4 a commit is told to who listens, although another comes or goes in the middle of it",
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

  @Test(
    "H4 what a listener does about an event has that event as its cause")
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
