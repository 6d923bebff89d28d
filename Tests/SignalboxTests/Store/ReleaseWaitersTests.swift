import Signalbox
import Testing

/// Tests that releasing a store resumes its waiting callers, and that kept handles are inert (A9).
@MainActor struct ReleaseWaitersTests {
  let gate = StoreGate()

  private func makeStore() -> (DeskStore, DeskHandle) {
    var handle: DeskHandle?
    let store = DeskStore(
      state: Desk(),
      actionable: Handling { job, store in
        if job == "handle" { handle = store } else { try await gate.pass("door") }
        store.log.append("\(job)")
      })
    store.send("handle")
    return (store, handle!)
  }

  @Test(
    "A9 callers that wait on tasks, signals and handles are resumed when the store is released",
    .timeLimit(.minutes(60)), arguments: ReleaseTests.Thread.allCases)
  func waiters(thread: ReleaseTests.Thread) async {
    var (store, handle): (DeskStore?, DeskHandle) = makeStore()
    let task = store?.send("a")
    let queued = store?.send(Job("b", id: "x"))
    let behind = store?.send(Job("c", id: "x", .queue))
    let joined = store?.send(Job("d", id: "x", .join))
    let changes = store?.publisher.count
    let values = store?.publisher.title.values
    let events = store?.events
    let waiters: [Task<Void, Never>] = [
      Task.atOnce { await task?.value },
      Task.atOnce { _ = await task?.result },
      Task.atOnce { await task?.settled },
      Task.atOnce { await queued?.value },
      Task.atOnce { await behind?.value },
      Task.atOnce { await joined?.settled },
      Task.atOnce { _ = await changes?.first() },
      Task.atOnce { for await _ in values! {} },
      Task.atOnce { _ = await events?.dropFirst().first() },
      Task.atOnce { await handle.dispatch("e") },
    ]
    switch thread {
    case .main: store = nil
    case .other:
      let (go, starter) = AsyncStream.makeStream(of: Never.self)
      let release = Task.detached { [store] in
        for await _ in go {}
        _ = store
      }
      store = nil
      starter.finish()
      await release.value
    }
    for waiter in waiters { await waiter.value }
    #expect(task?.isCancelled == true && behind?.isCancelled == true)
    while gate.count(at: "door") > 0 { gate.open("door") }
  }

  @Test("A9 a kept handle is inert: it reads its own writes and does nothing else")
  func handlesAreInert() async {
    var (store, handle): (DeskStore?, DeskHandle) = makeStore()
    let signal = store?.publisher.count
    store = nil
    #expect(!handle.isCurrent)
    handle.count = 4
    handle.count += 1
    handle.update { $0.count += 1 }
    handle.batch { handle.count += 1 }
    #expect(handle.count == 7)
    let sent = handle.send("never")
    await handle.dispatch("never")
    let run = handle.run { _ in Issue.record("ran") }
    #expect(sent.isCancelled && run.isCancelled)
    await #expect(throws: CancellationError.self) { try await run.result.get() }
    handle.cancel(id: "x")
    #expect(await signal?.first() == nil)
    #expect(await handle.publisher.count.first() == nil)
    #expect(handle.log == ["handle"])
  }

  @Test("A9 a kept binding is inert: writing to it has no effect")
  func bindingsAreInert() {
    var (store, _): (DeskStore?, DeskHandle) = makeStore()
    let binding = store?.binder.count
    let action = store?.binder.binding(get: \.title) { Job($0) }
    binding?.wrappedValue = 1
    store = nil
    binding?.wrappedValue = 2
    action?.wrappedValue = "never"
    #expect(binding?.wrappedValue == 1, "writes to a store that is gone do nothing")
    #expect(action?.wrappedValue == "")
  }

  @Test("A9 cancelling through a kept task is not an error")
  func keptTasks() async {
    var (store, _): (DeskStore?, DeskHandle) = makeStore()
    let task = store?.send("a")
    store = nil
    task?.cancel()
    await task?.value
    await task?.settled
    #expect(task?.isFinished == true)
    gate.open("door")
  }

  @Test("A9 await store.dispatch keeps the store alive until the action has ended")
  func awaitingHoldsTheStore() async {
    var (store, _): (DeskStore?, DeskHandle) = makeStore()
    weak let weakStore = store
    let waiter = Task.atOnce { [store] in await store?.dispatch("a") }
    store = nil
    #expect(weakStore != nil)
    gate.open("door")
    await waiter.value
  }

  @Test("A9 what a hook's handle does after its store is gone does not leave the handle")
  func handlesOfHooks() {
    var handle: DeskHandle?
    var store: DeskStore? = DeskStore(
      state: Desk(),
      interactor: Hooking<Desk, Job, OneHook>(connect: { _, store in
        handle = store
        return .empty
      }))
    handle?.count = 1
    #expect(store?.count == 1)
    store = nil
    #expect(handle?.isCurrent == false)
    #expect(handle?.send("never").isCancelled == true)
  }

  @Test("A9 closures of hooks no longer run, and actions they dispatch on a cancel end at once")
  func cancelsThatDispatch() {
    var ran: [String] = []
    var store: DeskStore? = DeskStore(
      state: Desk(),
      interactor: Hooking<Desk, Job, OneHook>(
        connect: { _, store in
          Subscription {
            ran.append("cancelled")
            store.send("late")
            store.run { _ in try await gate.pass("door") }
          }
        }, handle: { _, _ in try await gate.pass("door") }))
    weak let weakStore = store
    store = nil
    #expect(ran == ["cancelled"] && weakStore == nil)
    while gate.count(at: "door") > 0 { gate.open("door") }
  }
}
