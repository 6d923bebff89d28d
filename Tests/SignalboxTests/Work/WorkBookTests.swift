import Testing

@testable import Signalbox

@MainActor struct WorkBookTests {
  #if DEBUG
  private let many = 100_000
  #else
  private let many = 1_000_000
  #endif

  /// The sizes of the collections that a book has, by their names.
  private func sizes(of store: DeskStore) -> [String: Int] {
    var sizes: [String: Int] = [:]
    for child in Mirror(reflecting: store.engine.book).children {
      let mirror = Mirror(reflecting: child.value)
      guard let label = child.label, [.collection, .dictionary].contains(mirror.displayStyle) else {
        continue
      }
      sizes[label] = mirror.children.count
    }
    return sizes
  }

  private func expectEmpty(
    _ store: DeskStore, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let sizes = sizes(of: store)
    #expect(sizes.count >= 2, "the book has collections", sourceLocation: sourceLocation)
    #expect(sizes.values.allSatisfy { $0 == 0 }, "\(sizes)", sourceLocation: sourceLocation)
    #expect(store.runningCount == 0, sourceLocation: sourceLocation)
  }

  @Test("A10 a million actions leave no trace in the books")
  func synchronousActions() {
    let store = DeskStore(state: Desk(), actionable: Handling { _, store in store.count += 1 })
    weak var last: Work?
    for _ in 0..<many { last = store.send("go").work }
    #expect(store.count == many)
    #expect(last == nil)
    expectEmpty(store)
  }

  @Test("A10 a hundred thousand named actions leave no trace in the books")
  func namedActions() {
    let store = DeskStore(state: Desk(), actionable: Handling { _, store in store.count += 1 })
    for number in 0..<100_000 { store.send(Job("go", id: "\(number)")) }
    #expect(store.count == 100_000)
    expectEmpty(store)
  }

  @Test(
    "A10 work that ends in every other way leaves no trace in the books", .timeLimit(.minutes(1)))
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
      works.append(WeakWork(store.send(job).work))
      works.append(WeakWork(store.send("throws").work))
      if number % 10 == 0 { store.send("waits").cancel() }
      if number % 11 == 0 { store.cancel(id: "\(number % 7)") }
    }
    store.cancelAll()
    expectEmpty(store)
    while gate.count(at: "door") > 0 { gate.open("door") }
    let last = store.send(Job("go", id: "last"))
    gate.open("door")
    await last.value
    expectEmpty(store)
    #expect(works.filter { $0.work != nil }.isEmpty)
  }

  @Test(
    "A10 an action that dispatches the next one for ever leaves no chain", .timeLimit(.minutes(1)))
  func chain() async {
    let gate = StoreGate()
    var works: [WeakWork] = []
    let store = DeskStore(
      state: Desk(),
      actionable: Handling { job, store in
        try await gate.pass("door")
        store.count += 1
        works.append(WeakWork(store.send(job).work))
      })
    let events = StoreSteps(store)
    store.send("next")
    for step in 1...1_000 {
      gate.open("door")
      await events.reach(step)
    }
    #expect(works.filter { $0.work != nil }.count <= 4)
    #expect(store.runningCount == 1)
    store.cancelAll()
    gate.open("door")
  }

  @Test("A10 an action that supersedes itself for ever leaves no chain", .timeLimit(.minutes(1)))
  func chainOfTheSameName() async {
    let gate = StoreGate()
    var works: [WeakWork] = []
    let store = DeskStore(
      state: Desk(),
      actionable: Handling { job, store in
        try await gate.pass("door")
        store.count += 1
        works.append(WeakWork(store.send(Job("next", id: "x")).work))
      })
    let events = StoreSteps(store)
    store.send(Job("next", id: "x"))
    for step in 1...1_000 {
      gate.open("door")
      await events.reach(step)
    }
    #expect(works.filter { $0.work != nil }.count <= 4)
    store.cancelAll()
    gate.open("door")
  }

  @Test("A10 runs that begin the next one for ever leave no chain", .timeLimit(.minutes(1)))
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
      works.append(WeakWork(run.work))
    }
    let events = StoreSteps(store)
    let first = store.send("go")
    for step in 1...1_000 {
      gate.open("door")
      await events.reach(step)
    }
    #expect(works.filter { $0.work != nil }.count <= 4)
    store.cancelAll()
    await first.settled
    gate.open("door")
  }

  @Test(
    "A10 those who joined and were cancelled are not kept by the work that goes on")
  func cancelledJoiners() {
    let gate = StoreGate()
    let store = DeskStore(
      state: Desk(), actionable: Handling { _, _ in try await gate.pass("door") })
    store.send(Job("a", id: "x"))
    var works: [WeakWork] = []
    for _ in 0..<100 {
      let joined = store.send(Job("b", id: "x", .join))
      works.append(WeakWork(joined.work))
      joined.cancel()
    }
    #expect(works.filter { $0.work != nil }.isEmpty)
    store.cancelAll()
    gate.open("door")
  }
}

@MainActor private struct WeakWork {
  weak var work: Work?
  init(_ work: Work?) { self.work = work }
}

/// Waits for a store's count to get somewhere.
@MainActor private final class StoreSteps {
  private let store: DeskStore
  init(_ store: DeskStore) { self.store = store }

  func reach(_ step: Int) async {
    for await count in store.publisher.count.values where count >= step { return }
  }
}
