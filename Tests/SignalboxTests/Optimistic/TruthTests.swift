import Observation
import Synchronization
import Testing

@testable import Signalbox

/// Tests what is written, read and observed while changes are pending (O3, O6).
@Suite(.opensGates) @MainActor struct TruthTests {
  private let gate = StoreGate()

  /// The store of an action that waits, and its own store.
  private func makeStore<State>(
    _ state: State
  ) -> (store: Store<State, Job>, work: MutatingStore<State, Job>) {
    var work: MutatingStore<State, Job>?
    let store = Store(
      state: state,
      actionable: Handling<State, Job> { [gate] _, store in
        work = store
        try await gate.pass("work")
      })
    store.send("work")
    guard let work else { fatalError("The action begins at once.") }
    return (store, work)
  }

  @Test("O3 writes of all kinds go to the truth, and reads give what is shown")
  func writes() {
    let (store, work) = makeStore(Desk(count: 1))
    work.optimistic { $0.count += 10 }
    #expect(work.count == 11)
    work.count += 1
    #expect(work.count == 12)
    work.count = 5
    work.update {
      #expect($0.count == 5)
      $0.count = 6
    }
    work.batch {
      work.set(\.count, 7)
      #expect(work.count == 17)
      work.state.count += 1
    }
    #expect(store.count == 18 && store.instruments.truth.count == 8)
  }

  @Test("O3 S6 a write that a pending change hides notifies no observer, also in place")
  func hidden() {
    let (store, work) = makeStore(Desk())
    var told: [String] = []
    let subscriptions = [
      store.publisher.title.sink { told.append($0) },
      store.publisher.log.sink { told.append("\($0)") },
    ]
    work.optimistic {
      $0.title = "shown"
      $0.log = []
    }
    work.title = "a"
    work.title.append("b")
    work.log.append("c")
    work.set(\.title, "d")
    #expect(told == ["shown"])
    work.set(\.title, "d", forceUpdate: true)
    #expect(told == ["shown", "shown"])
    withExtendedLifetime(subscriptions) {}
  }

  @Test("O3 no commit shows a state without a change that is pending")
  func steady() async {
    let (store, work) = makeStore(Desk())
    var seen: Set<String> = []
    let subscription = store.publisher.sink { seen.insert($0.title) }
    work.optimistic { $0.title = "shown" }
    let other = work.optimistic { $0.log.append("x") }
    work.title = "below"
    work.log = ["reloaded"]
    other.revert()
    work.batch {
      work.title = "still below"
      work.count = 1
    }
    #expect(seen == ["shown"] && store.log == ["reloaded"])
    subscription.cancel()
  }

  @Test(
    "O6 M2 a change in place copies nothing that no pending change touches and nothing observes")
  func copies() {
    let (store, work) = makeStore(Archive())
    let subscription = store.publisher.title.sink { _ in }
    let pending = work.optimistic { $0.title = "shown" }
    func address() -> UInt {
      unsafe work.entries.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    }
    let before = address()
    work.entries.append(1)
    work.update { $0.entries.append(2) }
    work.count += 1
    #expect(address() == before)
    pending.revert()
    work.entries.append(3)
    #expect(address() == before && store.entries.count == 100_003)
    subscription.cancel()
  }

  @Test("O3 M5 Observation tracks what is shown")
  func observation() {
    let (store, work) = makeStore(Desk())
    let count = Mutex(0)
    var changes: Int { count.withLock { $0 } }
    func track() {
      withObservationTracking {
        _ = store.title
      } onChange: {
        count.withLock { $0 += 1 }
      }
    }
    track()
    let pending = work.optimistic { $0.title = "shown" }
    #expect(changes == 1)
    track()
    work.title = "hidden"
    work.title.append("!")
    work.count += 1
    #expect(changes == 1)
    pending.revert()
    #expect(changes == 2 && store.title == "hidden!")
  }

  @Test("O6 nothing is kept when the last change has ended, also in a batch")
  func ends() {
    let (store, work) = makeStore(Desk())
    let transaction = store.scope.storage.transaction
    work.optimistic { $0.count = 1 }.revert()
    #expect(transaction.optimistic == nil)
    work.batch {
      let pending = work.optimistic { $0.count = 1 }
      work.title = "below"
      pending.confirm()
      work.title += "!"
      #expect(store.state == Desk(count: 1, title: "below!"))
    }
    #expect(transaction.optimistic == nil && store.state == Desk(count: 1, title: "below!"))
  }

  @Test("O3 A6 work that is cancelled during a write keeps what is shown")
  func cancelledDuringWrite() {
    var works: [MutatingStore<Desk, Job>] = []
    let store = Store(
      state: Desk(),
      actionable: Handling<Desk, Job> { [gate] _, store in
        works.append(store)
        try await gate.pass("work")
      })
    let tasks = ["showing", "writing", "cancelled"].map { store.send(Job($0)) }
    works[0].optimistic { $0.title = "shown" }
    works[1].update {
      $0.count = 1
      tasks[2].cancel()
    }
    #expect(works[2].title == "shown" && works[2].count == 1)
  }

  @Test("O3 S7 combineLatest sees what is shown")
  func derived() {
    let (store, work) = makeStore(Desk())
    var told: [String] = []
    let subscription = combineLatest(store.publisher.title, store.publisher.count)
      .sink { told.append("\($0) \($1)") }
    work.optimistic {
      $0.title = "shown"
      $0.count += 10
    }
    work.update {
      $0.title = "hidden"
      $0.count = 1
    }
    #expect(told == ["shown 10", "shown 11"])
    subscription.cancel()
  }

  /// Runs a body when it is released.
  private final class Parting {
    private let body: @MainActor () -> Void
    init(_ body: @escaping @MainActor () -> Void) { self.body = body }
    deinit {
      let body = body
      MainActor.assumeIsolated { body() }
    }
  }

  private struct Shelf {
    var items: [Parting] = []
    var count = 0
  }

  @Test("O4 S6 what a confirmed change removes is released after the commit, and may write")
  func removed() async {
    let (store, work) = makeStore(Shelf())
    func add() { work.items = [Parting { store.binder.count.wrappedValue += 1 }] }
    // The end of the work makes its change a part of the truth.
    add()
    work.optimistic { $0.items = [] }
    gate.open("work")
    await gate.departure(from: "work")
    await store.settle()
    #expect(store.items.isEmpty && store.count == 1)
  }

  @Test("O4 S6 what an answer removes is released after the commit, and may write")
  func removedByAnswer() {
    let (store, work) = makeStore(Shelf())
    work.items = [Parting { store.binder.count.wrappedValue += 1 }]
    work.optimistic { $0.count = 10 }.confirm { $0.items = [] }
    #expect(store.items.isEmpty && store.count == 1)
  }
}
