import Testing

@testable import Signalbox

/// Tests when a change is pending, and what becomes of it (O1, O2, O4).
@Suite(.opensGates) @MainActor struct PendingChangeTests {
  private let gate = StoreGate()
  private let notes = Notes()

  private final class Notes {
    var pending: [String: PendingChange<Desk>] = [:]
    var handles: [String: DeskHandle] = [:]
    var lines: [String] = []
  }

  /// A store whose work adds its text to the log, before it is certain.
  private func makeStore() -> DeskStore {
    Store(
      state: Desk(),
      actionable: HandlingErrors(
        handle: { [gate, notes] job, store in
          notes.handles[job.text] = store
          if !job.text.hasPrefix("plain") {
            notes.pending[job.text] = store.optimistic { $0.log.append(job.text) }
          }
          if job.text.hasPrefix("two") { store.optimistic { $0.count += 1 } }
          try await gate.pass(job.text)
        },
        recover: { [notes] _, job, store in
          notes.lines.append("error of \(job): \(store.log) \(store.count)")
        }))
  }

  private func commits(of store: DeskStore) -> (Commits, Subscription) {
    let commits = Commits()
    return (commits, store.publisher.sink { commits.states.append($0) })
  }

  private final class Commits {
    var states: [Desk] = []
  }

  @Test("O1 O2 a change is shown at once, and becomes the truth when the action returns")
  func returns() async {
    let store = makeStore()
    let (commits, subscription) = commits(of: store)
    let task = store.send("a")
    #expect(store.log == ["a"])
    #expect(store.instruments.truth.log == [])
    store.binder.log.wrappedValue.append("x")
    #expect(store.log == ["a"] || store.log == ["a", "x", "a"])
    gate.open("a")
    await task.value
    #expect(store.instruments.truth == store.state)
    #expect(commits.states.first?.log == ["a"])
    subscription.cancel()
  }

  @Test("O2 all changes of work that throws are taken back in one commit, before onError")
  func throwing() async {
    let store = makeStore()
    let task = store.send("two")
    let (commits, subscription) = commits(of: store)
    #expect(store.state == Desk(log: ["two"], count: 1))
    gate.fail("two")
    await task.value
    #expect(commits.states == [Desk()])
    #expect(notes.lines == ["error of two: [] 0"])
    subscription.cancel()
  }

  @Test("O2 a failure takes back its own changes, and leaves what others wrote and what is pending")
  func failureAlone() async {
    let store = makeStore()
    let (a, b) = (store.send("a"), store.send("b"))
    notes.handles["b"]?.title = "written"
    #expect(store.state == Desk(log: ["a", "b"], title: "written"))
    gate.fail("a")
    await a.value
    #expect(store.state == Desk(log: ["b"], title: "written"))
    gate.open("b")
    await b.value
    #expect(store.state == Desk(log: ["b"], title: "written"))
  }

  @Test("O2 a cancelled action takes its changes back before onCancel")
  func cancelling() {
    let store = makeStore()
    let task = store.send("two")
    let (commits, subscription) = commits(of: store)
    task.cancel()
    #expect(commits.states == [Desk()])
    subscription.cancel()
  }

  @Test(
    "O2 the changes of superseded work go in the commit in which its successor first suspends",
    arguments: ["a", "plain"])
  func superseding(successor: String) {
    let store = makeStore()
    store.send(Job("a", id: "x"))
    let first = notes.pending["a"]
    let (commits, subscription) = commits(of: store)
    store.send(Job(successor, id: "x"))
    // The star that both light up never goes out.
    let log = successor == "a" ? [["a", "a"], ["a"]] : [[]]
    #expect(commits.states.map(\.log) == log)
    first?.confirm()
    #expect(commits.states.count == log.count)
    subscription.cancel()
  }

  @Test("O2 O4 a change of superseded work can be neither confirmed nor reverted")
  func leaving() {
    var pending: PendingChange<Desk>?
    let store = DeskStore(
      state: Desk(),
      actionable: Handling { [gate] job, store in
        if job.text == "first" {
          pending = store.optimistic { $0.title = "first" }
        } else {
          pending?.confirm { $0.count = 9 }
          pending?.confirm()
          pending?.revert()
          #expect(store.title == "first")
        }
        try await gate.pass(job.text)
      })
    store.send(Job("first", id: "x"))
    let journal = StoreJournal(store)
    store.send(Job("second", id: "x"))
    #expect(store.state == Desk() && store.instruments.truth == Desk())
    #expect(!journal.lines.contains("confirmed"))
    #expect(journal.lines.count { $0 == "taken back" } == 1)
  }

  @Test("O4 confirm takes the answer below what is pending, in one commit")
  func confirming() {
    let store = makeStore()
    store.send("a")
    store.send("b")
    let (commits, subscription) = commits(of: store)
    notes.pending["b"]?.confirm { $0.log = ["answer"] }
    #expect(store.log == ["answer", "a"])
    #expect(store.instruments.truth.log == ["answer"])
    notes.pending["a"]?.confirm()
    #expect(store.instruments.truth.log == ["answer", "a"])
    #expect(commits.states.map(\.log) == [["answer", "a"]])
    subscription.cancel()
  }

  @Test("O4 revert takes a change back early, and a change that is over can do nothing more")
  func reverting() async {
    let store = makeStore()
    let task = store.send("a")
    notes.pending["a"]?.revert()
    #expect(store.state == Desk())
    let (commits, subscription) = commits(of: store)
    notes.pending["a"]?.confirm { $0.count = 9 }
    notes.pending["a"]?.revert()
    gate.open("a")
    await task.value
    notes.pending["a"]?.confirm()
    #expect(store.state == Desk() && commits.states.isEmpty)
    subscription.cancel()
  }

  @Test("O2 O7 work that is over, or was cancelled, changes nothing, which is reported as dropped")
  func late() async {
    let store = makeStore()
    let (done, stale) = (store.send("plain done"), store.send("plain stale"))
    gate.open("plain done")
    await done.value
    stale.cancel()
    let journal = StoreJournal(store)
    notes.handles["plain done"]?.optimistic { $0.count = 1 }.confirm()
    notes.handles["plain stale"]?.optimistic { $0.count = 1 }.confirm()
    #expect(notes.handles["plain stale"]?.count == 1)
    #expect(store.state == Desk())
    #expect(journal.lines == ["started", "dropped change", "dropped change"])
  }

  @Test("O2 a successor that does not suspend replaces what it supersedes, and shows no gap")
  func synchronousSuccessor() {
    var pending: PendingChange<Desk>?
    let store = DeskStore(
      state: Desk(),
      actionable: Handling { [gate] job, store in
        pending = store.optimistic { $0.title = "lit" }
        if job.text == "waits" { try await gate.pass("waits") }
      })
    let (commits, subscription) = commits(of: store)
    store.send(Job("waits", id: "x"))
    store.send(Job("returns", id: "x"))
    #expect(commits.states.map(\.title) == ["lit"])
    #expect(store.instruments.truth.title == "lit" && store.instruments.pendingChanges == 0)
    pending?.revert()
    #expect(store.title == "lit")
    subscription.cancel()
  }

  @Test("O5 a change runs again with each commit")
  func reruns() {
    let store = makeStore()
    store.send("plain")
    var runs = 0
    notes.handles["plain"]?.optimistic {
      runs += 1
      $0.count = $0.log.count * 10
    }
    #expect(runs == 1 && store.count == 0)
    store.binder.log.wrappedValue = ["a"]
    #expect(runs == 2 && store.count == 10)
  }

  @Test("O7 each step is an event with its cause, and the change follows from it")
  func events() async {
    let store = makeStore()
    let journal = StoreJournal(store)
    let failing = store.send("a")
    gate.fail("a")
    await failing.value
    let returning = store.send("b")
    gate.open("b")
    await returning.value
    #expect(
      journal.tree == [
        "started", "dispatched a", "pending ← dispatched a", "change ← pending",
        "failed a ← dispatched a", "taken back ← failed a", "change ← taken back",
        "dispatched b", "pending ← dispatched b", "change ← pending",
        "confirmed ← dispatched b", "finished b ← dispatched b",
      ])
    #expect(journal.events.compactMap(\.work).count == 11)
  }

  @Test("O2 S13 what a closure captures is released with the end of the change")
  func captured() async {
    final class Token {}
    weak var token: Token?
    let store = makeStore()
    let task = store.send("plain")
    var pending: PendingChange<Desk>?
    do {
      let held = Token()
      token = held
      pending = notes.handles["plain"]?.optimistic {
        $0.title = withExtendedLifetime(held) { "held" }
      }
    }
    #expect(token != nil)
    gate.open("plain")
    await task.value
    #expect(token == nil && pending != nil && store.title == "held")
  }

  @Test("O2 S13 what a closure captures is released with the store, or when its batch ends")
  func capturedByStore() {
    final class Token {}
    weak var token: Token?
    var store: DeskStore? = makeStore()
    store?.send("plain")
    let handle = notes.handles["plain"]
    var pending: PendingChange<Desk>?
    handle?.batch {
      let held = Token()
      token = held
      pending = handle?.optimistic { $0.title = withExtendedLifetime(held) { "held" } }
      store = nil
    }
    #expect(token == nil && pending != nil && handle?.title == "held")
  }

  @Test("O2 the release of a store with pending changes writes nothing, and what is shown stays")
  func release() {
    var store: DeskStore? = makeStore()
    store?.send("a")
    let handle = notes.handles["a"]
    store = nil
    notes.pending["a"]?.confirm()
    #expect(handle?.log == ["a"])
  }

  @Test("O2 what is shown stays, also if the store is released in an update or in a batch")
  func releaseInChange() {
    for isInPlace in [true, false] {
      var store: DeskStore? = makeStore()
      store?.send("a")
      let handle = notes.handles["a"]
      if isInPlace {
        handle?.update {
          $0.title = "before"
          store = nil
          $0.count = 2
        }
      } else {
        handle?.batch {
          handle?.title = "before"
          handle?.count = 2
          store = nil
        }
      }
      #expect(handle?.state == Desk(log: ["a"], count: 2, title: "before"))
    }
  }
}
