import Signalbox
import Testing

/// What is sent during work is caused by it.
@MainActor @Suite(.opensGates) struct WorkCauseTests {
  typealias One = Hooking<Desk, Job, OneHook>

  let gate = StoreGate()
  let emitter = Emitter<Int>()

  private func store(
    _ handle: @escaping @MainActor (Job, MutatingStore<Desk, Job>) async throws -> Void
  ) -> (DeskStore, StoreJournal<Desk, Job>) {
    let store = DeskStore(
      state: Desk(),
      interactor: One(
        connect: { _, store in emitter.sink { store.title = "\($0)" } }, handle: handle))
    return (store, StoreJournal(store))
  }

  @Test("H5 an emitter that an action sends to delivers its value as caused by the action")
  func synchronous() {
    let (store, journal) = store { _, _ in emitter.send(7) }
    store.send("go")
    #expect(journal.path(of: \.title) == ["hook only 7", "dispatched go"])
    emitter.send(8)
    #expect(journal.path(of: \.title) == ["hook only 8"])
  }

  @Test("H5 so does one that it sends to after an await, in a child task or in a task of its own")
  func suspended() async {
    let (store, journal) = store { _, _ in
      try await gate.pass("one")
      emitter.send(1)
      try await gate.pass("two")
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await emitter.send(2) }
      }
      try await gate.pass("three")
      Task {
        try await gate.pass("four")
        emitter.send(4)
        gate.arrive(at: "end")
      }
    }
    let task = store.send("go")
    gate.open("one")
    await gate.arrival(at: "two")
    #expect(journal.path(of: \.title) == ["hook only 1", "dispatched go"])
    // What others do in the meantime is not caused by it.
    store.send("other")
    emitter.send(9)
    #expect(journal.path(of: \.title) == ["hook only 9"])
    gate.open("two")
    await gate.arrival(at: "three")
    #expect(journal.path(of: \.title) == ["hook only 2", "dispatched go"])
    gate.open("three")
    await task.settled
    await gate.arrival(at: "four")
    gate.open("four")
    await gate.arrival(at: "end")
    #expect(journal.path(of: \.title) == ["hook only 4", "dispatched go"])
  }

  @Test("H5 an action that a hook starts is the cause of what it sends, and then the hook is again")
  func startedByHook() {
    let store = DeskStore(
      state: Desk(),
      interactor: Hooking<Desk, Job, ThreeHooks>(
        connect: { hook, store in
          switch hook {
          case .first:
            store.publisher.count.sink {
              store.send("inner")
              emitter.send($0 + 10)
            }
          case .second: emitter.sink { store.title += " \($0)" }
          case .third: .empty
          }
        },
        handle: { job, store in
          if job == "inner" { emitter.send(1) } else { store.count += 1 }
        }))
    let journal = StoreJournal(store)
    store.send("go")
    let tree = journal.tree.filter { $0.hasPrefix("hook second") }
    #expect(tree == ["hook second 1 ← dispatched inner", "hook second 11 ← hook first 1"])
  }

  @Test("H5 onError and onCancel are caused by the failure and the cancel")
  func ends() async {
    let store = DeskStore(state: Desk(), interactor: Ending(gate: gate, emitter: emitter))
    let journal = StoreJournal(store)
    await store.dispatch("fails")
    #expect(journal.path(of: \.title) == ["hook only 1", "failed fails", "dispatched fails"])
    let task = store.send("waits")
    task.cancel()
    #expect(journal.path(of: \.title) == ["hook only 2", "cancelled waits", "dispatched waits"])
  }

  @Test("H5 a run, a dispatch through the store and a custom source are no exceptions")
  func others() async {
    var receive: (@MainActor (Int) -> Void)?
    var outer: DeskStore?
    let store = DeskStore(
      state: Desk(),
      interactor: One(
        connect: { _, store in
          Signal<Int> { subscriber in
            receive = { subscriber.receive($0) }
            return .empty
          }.sink { store.title = "\($0)" }
        },
        handle: { job, store in
          switch job {
          case "run":
            await store.run { _ in
              try await gate.pass("run")
              receive?(1)
            }.value
          case "dispatch": outer?.send("inner")
          default: store.count += 1
          }
        }))
    outer = store
    let journal = StoreJournal(store)
    let task = store.send("run")
    gate.open("run")
    await task.settled
    #expect(journal.path(of: \.title) == ["hook only 1", "dispatched run"])
    receive?(2)
    #expect(journal.path(of: \.title) == ["hook only 2"])
    store.send("dispatch")
    #expect(journal.path(of: \.count) == ["dispatched inner", "dispatched dispatch"])
    outer = nil
  }

  @Test("H5 a posted value comes from outside, whatever delivers it")
  func posts() {
    let (store, journal) = store { _, store in
      emitter.post(1)
      emitter.send(2)
      store.count += 1
    }
    store.send("go")
    let tree = journal.tree.filter { $0.hasPrefix("hook") }
    #expect(tree == ["hook only 1", "hook only 2 ← dispatched go"])
  }

  @Test("H5 what another store delivers comes from outside", arguments: [false, true])
  func otherStores(isWatched: Bool) {
    let other = DeskStore(state: Desk(), actionable: Handling { _, store in store.count += 1 })
    let journalOfOther = isWatched ? StoreJournal(other) : nil
    let store = DeskStore(
      state: Desk(),
      interactor: Hooking<Desk, Job, ThreeHooks>(
        connect: { hook, store in
          switch hook {
          case .first: store.publisher.count.sink { _ in other.send("count") }
          case .second: other.publisher.count.map { "\($0)" }.assign(to: \.title, using: store)
          case .third: .empty
          }
        },
        handle: { _, store in store.count += 1 }))
    let journal = StoreJournal(store)
    store.send("go")
    #expect(journal.path(of: \.title) == ["hook second 1"])
    withExtendedLifetime(journalOfOther) {}
  }
}

/// Sends into an emitter in `onError` and `onCancel`.
private struct Ending: Interactor {
  let gate: StoreGate
  let emitter: Emitter<Int>

  func onAction(_ action: Job, store: MutatingStore<Desk, Job>) async throws {
    if action == "fails" { throw Refusal(reason: "no") }
    try await gate.pass("door")
  }

  func onError(_ error: any Error, action: Job, store: MutatingStore<Desk, Job>) {
    emitter.send(1)
  }

  func onCancel(_ action: Job, store: MutatingStore<Desk, Job>) { emitter.send(2) }

  func subscription(for hook: OneHook, store: MutatingStore<Desk, Job>) -> Subscription {
    emitter.sink { store.title = "\($0)" }
  }
}
