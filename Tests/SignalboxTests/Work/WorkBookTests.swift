import Testing

@testable import Signalbox

@MainActor struct WorkBookTests {
  @Test(
    "A10 work that throws or is cancelled, superseded or ignored leaves no trace",
    .timeLimit(.minutes(60)))
  func otherEnds() async {
    let gate = StoreGate()
    let store = DeskStore(
      state: Desk(),
      actionable: HandlingErrors(
        handle: { job, store in
          if job == "throws" { throw Refusal() }
          try await gate.pass("door")
        }, recover: { _, _, _ in }))
    var works: [WeakWork] = []
    let overlaps: [Overlap] = [.latest, .queue, .join, .concurrent, .first, .queue]
    for number in 0..<300 {
      let job = Job("go", id: "\(number % 7)", overlaps[number % overlaps.count])
      works.append(WeakWork(store.send(job)))
      works.append(WeakWork(store.send("throws")))
      if number % 10 == 0 { store.send("waits").cancel() }
      if number % 11 == 0 { store.cancel(id: "\(number % 7)") }
    }
    store.cancelAll()
    expectEmptyBooks(store)
    while gate.count(at: "door") > 0 { gate.open("door") }
    let last = store.send(Job("go", id: "last"))
    gate.open("door")
    await last.value
    expectEmptyBooks(store)
    #expect(works.living == 0)
  }

  @Test(
    "A10 an action that dispatches the next one without end leaves no chain",
    .timeLimit(.minutes(60)))
  func chain() async {
    let gate = StoreGate()
    var works: [WeakWork] = []
    let store = DeskStore(
      state: Desk(),
      actionable: Handling { job, store in
        try await gate.pass("door")
        store.count += 1
        works.append(WeakWork(store.send(job)))
      })
    let events = StoreSteps(store)
    store.send("next")
    for step in 1...1_000 {
      gate.open("door")
      await events.reach(step)
    }
    #expect(works.living <= 4)
    #expect(store.runningCount == 1)
    store.cancelAll()
    gate.open("door")
  }

  @Test(
    "A10 an action that supersedes itself without end leaves no chain", .timeLimit(.minutes(60)))
  func chainOfTheSameName() async {
    let gate = StoreGate()
    var works: [WeakWork] = []
    let store = DeskStore(
      state: Desk(),
      actionable: Handling { job, store in
        try await gate.pass("door")
        store.count += 1
        works.append(WeakWork(store.send(Job("next", id: "x"))))
      })
    let events = StoreSteps(store)
    store.send(Job("next", id: "x"))
    for step in 1...1_000 {
      gate.open("door")
      await events.reach(step)
    }
    #expect(works.living <= 4)
    store.cancelAll()
    gate.open("door")
  }

  @Test("A10 runs that start the next one without end leave no chain", .timeLimit(.minutes(60)))
  func chainOfRuns() async {
    let gate = StoreGate()
    var works: [WeakWork] = []
    let store = DeskStore(
      state: Desk(), actionable: Handling { _, store in next(store) })
    @MainActor func next(_ store: DeskHandle) {
      let run = store.run { store in
        try await gate.pass("door")
        store.count += 1
        next(store)
      }
      works.append(WeakWork(run))
    }
    let events = StoreSteps(store)
    let first = store.send("go")
    for step in 1...1_000 {
      gate.open("door")
      await events.reach(step)
    }
    #expect(works.living <= 4)
    store.cancelAll()
    await first.settled
    gate.open("door")
  }

  @Test("A10 callers that joined and were cancelled are not held by the work that continues")
  func cancelledJoiners() {
    let gate = StoreGate()
    let store = DeskStore(
      state: Desk(), actionable: Handling { _, _ in try await gate.pass("door") })
    store.send(Job("a", id: "x"))
    var works: [WeakWork] = []
    for _ in 0..<100 {
      let joined = store.send(Job("b", id: "x", .join))
      works.append(WeakWork(joined))
      joined.cancel()
    }
    #expect(works.living == 0)
    store.cancelAll()
    gate.open("door")
  }

  @Test("A10 work that has left a queue is not held for the work behind it")
  func leftAQueue() async {
    let gate = StoreGate()
    let store = DeskStore(
      state: Desk(), actionable: Handling { job, _ in try await gate.pass(job.text) })
    var tasks = (0..<10).map { store.send(Job("\($0)", id: "x", .queue)) }
    let works = tasks.map { WeakWork($0) }
    for (number, task) in tasks.prefix(8).enumerated() {
      gate.open("\(number)")
      await task.value
    }
    tasks = []
    #expect(store.runningCount == 2)
    #expect(works.living == 2)
    store.cancelAll()
    gate.open("8")
  }

  @Test("A10 a kept handle does not hold work that has ended")
  func keptHandles() {
    var kept: [DeskHandle] = []
    var works: [WeakWork] = []
    let store = DeskStore(
      state: Desk(),
      actionable: HandlingErrors(
        handle: { job, store in
          kept.append(store)
          if job == "throws" { throw Refusal() }
          if job == "cancelled" { store.cancel(id: "x") }
          if job != "runs" { return }
          for fails in [false, true] {
            let run = store.run {
              kept.append($0)
              if fails { throw Refusal() }
            }
            works.append(WeakWork(run))
          }
        }, recover: { _, _, _ in }))
    for job in ["returns", "throws", Job("cancelled", id: "x"), "runs"] {
      works.append(WeakWork(store.send(job)))
    }
    #expect(kept.count == 6 && works.count == 6 && works.living == 0)
  }

  @Test("A10 a settlement is merged into that of its parent when the last handle has gone")
  func mergesWithoutHandle() {
    let parent = Settlement(parent: nil)
    parent.add()
    let child = Settlement(parent: parent)
    child.add()
    child.workIsOver(isHeld: true)
    #expect(child.current === child)
    child.handleHasGone()
    #expect(child.current === parent)
  }

  @Test("A2 a wait for work without a handle ends when what the work started has ended")
  func settlesWithoutHandle() {
    let parent = Settlement(parent: nil)
    parent.add()
    let child = Settlement(parent: parent)
    child.add()
    var told: [String] = []
    parent.whenSettled { told.append("parent") }
    child.whenSettled { told.append("child") }
    parent.workIsOver(isHeld: true)
    child.workIsOver(isHeld: false)
    #expect(told == [])
    child.settleOne()
    #expect(told == ["child", "parent"])
  }
}

/// Waits until the `count` in a store has reached a number.
@MainActor private final class StoreSteps {
  private let store: DeskStore
  init(_ store: DeskStore) { self.store = store }

  func reach(_ step: Int) async {
    for await count in store.publisher.count.values where count >= step { return }
  }
}
