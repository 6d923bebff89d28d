import Signalbox
import Testing

@MainActor struct StoreEventTests {
  typealias One = Hooking<Desk, Job, OneHook>

  let gate = StoreGate()

  @Test("H4 the events of a store form a tree, across suspensions and hooks")
  func tree() async {
    let echoed = StoreMoment()
    let store = DeskStore(
      state: Desk(),
      interactor: One(
        connect: { _, store in
          store.publisher.count.assign(toAction: { Job("echo \($0)") }, using: store)
        },
        handle: { job, store in
          guard job == "go" else {
            store.title = job.text
            return echoed.happen()
          }
          try await gate.pass("one")
          store.count += 1
          try await gate.pass("two")
          store.log.append("end")
        }))
    let journal = StoreJournal(store)
    let task = store.send("go")
    gate.open("one")
    await echoed.arrival
    gate.open("two")
    await task.settled
    #expect(
      journal.tree == [
        "started",
        "dispatched go",
        "change ← dispatched go",
        "hook only 1 ← change",
        "dispatched echo 1 ← hook only 1",
        "change ← dispatched echo 1",
        "finished echo 1 ← dispatched echo 1",
        "change ← dispatched go",
        "finished go ← dispatched go",
      ])
  }

  @Test("H4 the actions, and the changes of runs, that an action makes have it as their cause")
  func childrenAndRuns() async {
    let store = DeskStore(
      state: Desk(),
      actionable: Handling { job, store in
        guard job == "go" else {
          store.count += 1
          return
        }
        store.send("child")
        store.run { store in
          try await gate.pass("door")
          store.title = "run"
          store.send("grandchild")
        }
      })
    let journal = StoreJournal(store)
    let task = store.send("go")
    gate.open("door")
    await task.settled
    #expect(
      journal.tree == [
        "started", "dispatched go", "dispatched child ← dispatched go",
        "change ← dispatched child", "finished child ← dispatched child",
        "run - ← dispatched go", "finished go ← dispatched go", "change ← dispatched go",
        "dispatched grandchild ← dispatched go", "change ← dispatched grandchild",
        "finished grandchild ← dispatched grandchild", "finished run - ← dispatched go",
      ])
  }

  @Test("H4 outside dispatches and bindings have no cause, and a dispatch in a sink has one")
  func outside() {
    let store = DeskStore(
      state: Desk(), actionable: Handling { _, store in store.log.append("x") })
    let journal = StoreJournal(store)
    let subscription = store.publisher.count.sink { [weak store] in store?.send(Job("saw \($0)")) }
    store.binder.count.wrappedValue = 1
    #expect(
      journal.tree == [
        "started", "change", "dispatched saw 1 ← change", "change ← dispatched saw 1",
        "finished saw 1 ← dispatched saw 1",
      ])
    subscription.cancel()
  }

  @Test("H4 events of one store are not causes in another store")
  func twoStores() {
    let one = DeskStore(state: Desk(), actionable: Handling { _, store in store.count += 1 })
    let two = DeskStore(state: Desk(), actionable: Handling { _, store in store.count += 1 })
    let journal = StoreJournal(two)
    let other = StoreJournal(one)
    let subscription = one.publisher.count.sink { _ in two.send("follow") }
    one.send("go")
    #expect(
      journal.tree == [
        "started", "dispatched follow", "change ← dispatched follow",
        "finished follow ← dispatched follow",
      ])
    #expect(other.events.count == 4)
    subscription.cancel()
  }

  @Test("H4 the first event that each subscriber receives is started, with the current state")
  func started() async {
    let store = DeskStore(state: Desk(), actionable: Handling { _, store in store.count += 1 })
    store.send("go")
    let journal = StoreJournal(store)
    guard case .started(Desk(count: 1)) = journal.events.first?.kind else {
      Issue.record("\(journal.lines)")
      return
    }
    store.send("go")
    let late = StoreJournal(store)
    guard case .started(Desk(count: 2)) = late.events.first?.kind, late.events.count == 1 else {
      Issue.record("\(late.lines)")
      return
    }
    guard case .started = await store.events.first()?.kind else {
      Issue.record("first() gave something else")
      return
    }
  }

  @Test("H4 events are numbered in order, each with a number of its own")
  func numbers() {
    let store = DeskStore(
      state: Desk(),
      interactor: One(
        connect: { _, store in store.publisher.count.sink { store.title = "\($0)" } },
        handle: { _, store in store.count += 1 }))
    let journal = StoreJournal(store)
    let late = StoreJournal(store)
    for _ in 0..<3 { store.send("go") }
    let ids = journal.events.map(\.id)
    #expect(ids == Set(ids).sorted())
    #expect(late.events.dropFirst().map(\.id) == Array(ids.dropFirst()))
    #expect(journal.events.allSatisfy { ($0.cause ?? 0) < $0.id })
  }

  @Test("H4 a change contains the states before and after, once for each commit")
  func changes() {
    let store = DeskStore(
      state: Desk(),
      actionable: Handling { _, store in
        store.count = 1
        store.count = 1
        store.batch {
          store.count = 2
          store.title = "b"
        }
        store.update {
          $0.count = 3
          $0.title = "u"
        }
        store.update { $0.count = 3 }
      })
    let journal = StoreJournal(store)
    store.send("go")
    let steps = journal.events.compactMap { event -> String? in
      guard case .stateChanged(let old, let new) = event.kind else { return nil }
      return "\(old.count)\(old.title)→\(new.count)\(new.title)"
    }
    #expect(steps == ["0→1", "1→2b", "2b→3u"])
  }

  @Test("H4 cancelled, superseded and ignored actions are reported as cancelled")
  func cancelled() {
    let store = DeskStore(
      state: Desk(), actionable: Handling { _, _ in try await gate.pass("door") })
    let journal = StoreJournal(store)
    store.send(Job("a", id: "x"))
    store.send(Job("b", id: "x", .first))
    store.send(Job("c", id: "x"))
    store.send(Job("d", id: "x", .queue))
    store.cancelAll()
    #expect(
      journal.tree.filter { $0.hasPrefix("cancelled") } == [
        "cancelled b ← dispatched b", "cancelled a ← dispatched a", "cancelled c ← dispatched c",
        "cancelled d ← dispatched d",
      ])
    gate.open("door")
    gate.open("door")
  }

  @Test("H4 finished contains the duration of an action, including what happened meanwhile")
  func durations() async {
    let store = DeskStore(
      state: Desk(), actionable: Handling { _, _ in try await gate.pass("door") })
    let journal = StoreJournal(store)
    let task = store.send("go")
    let begun = ContinuousClock.now
    gate.open("door")
    let opened = ContinuousClock.now
    await task.value
    guard case .finished("go", let duration) = journal.events.last?.kind else {
      Issue.record("\(journal.lines)")
      return
    }
    #expect(duration >= begun.duration(to: opened))
  }

  @Test("H4 a joined action is reported to its end")
  func joined() async {
    let store = DeskStore(
      state: Desk(), actionable: Handling { _, _ in try await gate.pass("door") })
    let journal = StoreJournal(store)
    store.send(Job("a", id: "x", .join))
    let joined = store.send(Job("b", id: "x", .join))
    gate.open("door")
    await joined.value
    #expect(
      journal.lines == ["started", "dispatched a", "dispatched b", "finished a", "finished b"])
  }

  @Test("H4 a store without subscribers makes no events, neither before nor after one subscribed")
  func unwatched() {
    let emitter = Emitter<Probe>()
    let store = Store(
      state: Probe(),
      interactor: Hooking<Probe, Probe, OneHook>(
        connect: { _, store in emitter.sink { _ in store.state.value += 1 } },
        handle: { _, store in store.state.value += 1 }))
    Probe.comparisons = 0
    store.send(Probe())
    emitter.send(Probe())
    #expect(Probe.comparisons == 0)
    var first: Int?
    var count = 0
    let listener = store.events.sink {
      first = first ?? $0.id
      count += 1
    }
    var fresh: Int?
    let newborn = Store(state: 0)
    let birth = newborn.events.sink { fresh = $0.id }
    #expect(first == fresh, "no number was spent")
    store.send(Probe())
    #expect(count == 4)
    listener.cancel()
    store.send(Probe())
    var next: Int?
    let another = store.events.sink { next = next ?? $0.id }
    #expect(next == (first ?? 0) + count)
    another.cancel()
    birth.cancel()
  }

  @Test("H4 D1 the first change after a start in a batch begins with the state of that start")
  func startsInBatch() {
    var journals: [StoreJournal<Desk, Job>] = []
    var begin: @MainActor () -> Void = {}
    let store = DeskStore(
      state: Desk(),
      actionable: Handling { _, store in
        store.batch {
          store.count = 2
          begin()
          store.title = "new"
          store.count = 1
        }
      })
    begin = { [weak store] in store.map { journals.append(StoreJournal($0)) } }
    journals.append(StoreJournal(store))
    store.send("go")
    for journal in journals {
      let states: [Desk] = journal.events.compactMap {
        switch $0.kind {
        case .started(let start): start
        case .stateChanged(let from, _): from
        default: nil
        }
      }
      #expect(states.count == 2 && states.first == states.last)
    }
  }

  @Test(
    "S11 the events finish when the store is released, and a late subscriber is finished at once")
  func finish() {
    var store: DeskStore? = DeskStore(state: Desk(), actionable: Handling { _, _ in })
    let events = store?.events
    var finished = 0
    let early = events?.sink(receiveCompletion: { finished += 1 }, receiveValue: { _ in })
    store = nil
    #expect(finished == 1)
    var received = 0
    let late = events?.sink(
      receiveCompletion: { finished += 1 }, receiveValue: { _ in received += 1 })
    #expect(finished == 2 && received == 0)
    early?.cancel()
    late?.cancel()
  }
}

/// A state and action type that reports when it is compared.
private struct Probe: Equatable {
  @MainActor static var comparisons = 0
  var value = 0

  nonisolated static func == (l: Self, r: Self) -> Bool {
    MainActor.assumeIsolated { comparisons += 1 }
    return l.value == r.value
  }
}
