import Signalbox
import Testing

@MainActor struct IdentifierTests {
  let gate = StoreGate()

  private enum Name: Hashable, Sendable {
    case plain
    case number(Int)
  }

  private enum OtherName: Hashable, Sendable { case plain }

  /// Returns a store and a handle that starts runs of all names.
  private func makeStore() -> (DeskStore, DeskHandle) {
    var handle: DeskHandle?
    let store = DeskStore(
      state: Desk(),
      actionable: Handling { job, store in
        if job == "handle" { handle = store } else { try await gate.pass("door") }
      })
    store.send("handle")
    return (store, handle!)
  }

  private func start(_ id: (any Hashable & Sendable)?, _ store: DeskHandle) -> ActionTask {
    store.run(id: id) { _ in try await gate.pass("door") }
  }

  private func end(_ store: DeskStore) {
    store.cancelAll()
    while gate.count(at: "door") > 0 { gate.open("door") }
  }

  @Test("A4 names of different types are different, even if == across the types says otherwise")
  func typedNames() {
    let (store, handle) = makeStore()
    let ids: [any Hashable & Sendable] = [
      1, UInt8(1), 1.0, "1", Substring("1"), Name.number(1), Name.plain, OtherName.plain, true,
    ]
    let tasks = ids.map { start($0, handle) }
    #expect(store.runningCount == ids.count)
    for (index, id) in ids.enumerated() {
      #expect(store.isRunning(id: id))
      store.cancel(id: id)
      #expect(!store.isRunning(id: id))
      #expect(tasks.map(\.isCancelled) == ids.indices.map { $0 <= index })
    }
    end(store)
  }

  @Test("A4 equal names of one type are one name")
  func equalNames() {
    let (store, handle) = makeStore()
    let first = start(Name.number(1), handle)
    let second = start(Name.number(2), handle)
    let third = start(Name.number(1), handle)
    #expect(first.isCancelled && !second.isCancelled && !third.isCancelled)
    end(store)
  }

  @Test("A4 a string made at run time is the same name as an equal literal")
  func stringsByValue() {
    let (store, handle) = makeStore()
    let task = start(["se", "arch"].joined(), handle)
    store.cancel(id: "search")
    #expect(task.isCancelled)
    end(store)
  }

  @Test("A4 work without a name is never replaced and never found by a name")
  func anonymousWork() {
    let (store, handle) = makeStore()
    let tasks = [start(nil, handle), start(nil, handle), store.send("go"), store.send("go")]
    let named = start("", handle)
    #expect(store.runningCount == 5)
    store.cancel(id: "")
    #expect(named.isCancelled)
    #expect(!tasks.isAnyCancelled)
    end(store)
  }

  @Test("A4 actions and runs share their names")
  func actionsAndRuns() {
    let (store, handle) = makeStore()
    let action = store.send(Job("go", id: "x"))
    let run = start("x", handle)
    #expect(action.isCancelled && store.isRunning(id: "x"))
    let again = store.send(Job("go", id: "x"))
    #expect(run.isCancelled && !again.isCancelled && store.runningCount == 1)
    end(store)
  }

  @Test("A4 names are scoped to their store")
  func scopedToTheStore() {
    let (one, _) = makeStore()
    let (two, _) = makeStore()
    let first = one.send(Job("go", id: "x"))
    let second = two.send(Job("go", id: "x"))
    #expect(!first.isCancelled)
    two.cancel(id: "x")
    #expect(!first.isCancelled && second.isCancelled)
    end(one)
    end(two)
  }

  @Test("A4 a name may be an enum, and the default overlap is latest")
  func enumNames() {
    enum Action: CancellableAction {
      case load(Int)
      case ping

      var cancelIdentifier: Name? {
        switch self {
        case .load(let number): .number(number)
        case .ping: nil
        }
      }
    }
    let store = Store(
      state: 0,
      actionable: Handling<Int, Action> { _, _ in try await gate.pass("door") })
    let one = store.send(.load(1))
    let two = store.send(.load(2))
    let pings = [store.send(.ping), store.send(.ping)]
    let newer = store.send(.load(1))
    #expect(one.isCancelled && !two.isCancelled && !newer.isCancelled)
    #expect(!pings.isAnyCancelled)
    store.cancel(.load(2))
    #expect(two.isCancelled && store.runningCount == 3)
    store.cancelAll()
    while gate.count(at: "door") > 0 { gate.open("door") }
  }

  @Test("A4 actions that are not cancellable run concurrently")
  func plainActions() async {
    let store = Store(
      state: 0,
      actionable: Handling<Int, Int> { number, store in
        try await gate.pass("door")
        store.state += number
      })
    let tasks = [store.send(1), store.send(1), store.send(1)]
    for _ in tasks { gate.open("door") }
    await store.settle()
    #expect(store.state == 3)
  }

  @Test("A4 an optional that contains a name is that name")
  func optionalNames() {
    let (store, handle) = makeStore()
    let job = Job("go", id: "x")
    let task = store.send(job)
    let optional: String? = job.cancelIdentifier
    #expect(store.isRunning(id: optional))
    handle.cancel(id: optional)
    #expect(task.isCancelled)
    end(store)
  }

  /// Names that all have the same hash value.
  private struct Crowded: Hashable, Sendable {
    var number = 0
    func hash(into hasher: inout Hasher) {}
  }

  private struct OtherCrowded: Hashable, Sendable {
    func hash(into hasher: inout Hasher) {}
  }

  @Test("A4 names with equal hash values stay different names, within a type and across types")
  func equalHashValues() {
    let (store, handle) = makeStore()
    let ids: [any Hashable & Sendable] = [Crowded(), Crowded(number: 1), OtherCrowded()]
    let tasks = ids.map { start($0, handle) }
    #expect(store.runningCount == 3)
    store.cancel(id: Crowded(number: 1))
    #expect(tasks.map(\.isCancelled) == [false, true, false])
    store.cancel(id: OtherCrowded())
    #expect(tasks.map(\.isCancelled) == [false, true, true])
    #expect(store.isRunning(id: Crowded()) && !store.isRunning(id: Crowded(number: 2)))
    end(store)
  }

  @Test(
    "A4 work without a name runs beside all other work, whatever its overlap",
    arguments: [Overlap.latest, .first, .join, .queue, .concurrent])
  func anonymousOverlaps(overlap: Overlap) {
    let (store, handle) = makeStore()
    let named = start("x", handle)
    let tasks = (0..<3).map { _ in
      [
        handle.run(id: nil, overlap: overlap) { _ in try await gate.pass("door") },
        store.send(Job("go", overlap)),
      ]
    }
    #expect(gate.count(at: "door") == 7 && store.runningCount == 7)
    store.cancel(id: "x")
    #expect(named.isCancelled && !tasks.joined().contains { $0.isCancelled })
    end(store)
  }

  @Test("A4 an optional name that is nil names nothing")
  func emptyOptionals() {
    let (store, handle) = makeStore()
    let none: String? = nil
    let unnamed = [start(none, handle), start(none, handle), store.send("go")]
    #expect(store.runningCount == 3 && !store.isRunning(id: none))
    store.cancel(id: none)
    handle.cancel(id: Int?.none)
    #expect(!unnamed.isAnyCancelled)
    end(store)
  }

  @Test("A4 a nested optional that contains a name is that name")
  func nestedOptionals() {
    let (store, handle) = makeStore()
    let task = start("x", handle)
    let nested: String?? = "x"
    #expect(store.isRunning(id: nested))
    store.cancel(id: nested)
    #expect(task.isCancelled)
    end(store)
  }

  @Test("A4 an AnyHashable that contains a name is that name")
  func erasedNames() {
    let (store, handle) = makeStore()
    let task = start("x", handle)
    let erased: AnyHashable? = "x"
    #expect(store.isRunning(id: erased))
    #expect(store.isRunning(id: AnyHashable("x" as String?)))
    for id in ["y", "x"] as [AnyHashable] { store.cancel(id: id) }
    #expect(task.isCancelled)
    end(store)
  }

  @Test("A7 a name that is not equal to itself leaves the records with its work")
  func notANumber() {
    let (store, handle) = makeStore()
    handle.run(id: Double.nan) { _ in }
    #expect(store.runningCount == 0)
    end(store)
  }
}
