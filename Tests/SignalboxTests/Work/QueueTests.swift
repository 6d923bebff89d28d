import Signalbox
import Testing

/// Tests when queued work starts, and with whose task-local values and priority.
@MainActor struct QueueTests {
  enum Local {
    @TaskLocal static var name = "none"
  }

  let gate = StoreGate()

  private func makeStore(
    _ note: @escaping @MainActor (Job, DeskHandle) -> Void = { job, store in
      store.log.append("\(job)+")
    }
  ) -> DeskStore {
    DeskStore(
      state: Desk(),
      actionable: Handling { [gate] job, store in
        note(job, store)
        try await gate.pass(job.text)
      })
  }

  private func send(_ text: String, _ overlap: Overlap, to store: DeskStore) -> ActionTask {
    store.send(Job(text, id: "x", overlap))
  }

  @Test("A4 queued work starts when earlier work has ended, whatever came later")
  func laterWork() async {
    let store = makeStore()
    let first = send("a", .concurrent, to: store)
    let queued = send("b", .queue, to: store)
    let later = send("c", .concurrent, to: store)
    let last = send("d", .queue, to: store)
    #expect(store.log == ["a+", "c+"])
    gate.open("a")
    await first.value
    #expect(store.log == ["a+", "c+", "b+"])
    gate.open("b")
    await queued.value
    #expect(store.log == ["a+", "c+", "b+"], "d came after c")
    gate.open("c")
    await later.value
    #expect(store.log == ["a+", "c+", "b+", "d+"])
    gate.open("d")
    await last.value
  }

  @Test("A4 a stream of concurrent work does not starve queued work")
  func noStarvation() async {
    let store = makeStore()
    var running = send("0", .concurrent, to: store)
    let queued = send("queued", .queue, to: store)
    for number in 1...20 {
      let next = send("\(number)", .concurrent, to: store)
      gate.open("\(number - 1)")
      await running.value
      running = next
      #expect(store.log.contains("queued+"))
    }
    gate.open("20")
    gate.open("queued")
    await queued.value
  }

  @Test("A4 cancelling queued work in the middle keeps the order of the others")
  func cancelInTheMiddle() async {
    let store = makeStore()
    let tasks = (0..<100).map { send("\($0)", .queue, to: store) }
    for number in 0..<100 where number % 3 != 0 { tasks[number].cancel() }
    for number in stride(from: 0, to: 100, by: 3) {
      gate.open("\(number)")
      await tasks[number].value
    }
    #expect(store.log == stride(from: 0, to: 100, by: 3).map { "\($0)+" })
    #expect(store.runningCount == 0)
  }

  @Test("A4 joining work that others joined and its own caller cancelled starts afresh")
  func joinAfterCancel() async {
    let store = makeStore()
    let leader = send("a", .join, to: store)
    let follower = send("b", .join, to: store)
    leader.cancel()
    let fresh = send("c", .join, to: store)
    let joined = send("d", .join, to: store)
    #expect(store.log == ["a+", "c+"])
    #expect(leader.isCancelled && !follower.isFinished && !fresh.isFinished)
    gate.open("c")
    await joined.value
    #expect(!follower.isFinished)
    gate.open("a")
    await follower.value
    #expect(!follower.isCancelled && store.runningCount == 0)
  }

  @Test("A4 queued work has the task-local values of its own caller", arguments: [false, true])
  func taskLocals(isRun: Bool) async {
    var seen: [String] = []
    var handle: DeskHandle?
    let store = makeStore { job, store in
      if job == "handle" { handle = store } else { seen.append("\(job): \(Local.name)") }
    }
    store.send("handle")
    gate.open("handle")
    func begin(_ text: String) -> ActionTask? {
      Local.$name.withValue("local of \(text)") {
        guard isRun else { return store.send(Job(text, id: "x", .queue)) }
        return handle?.run(id: "x", overlap: .queue) { _ in
          seen.append("\(text): \(Local.name)")
          try await gate.pass(text)
        }
      }
    }
    let tasks = ["a", "b", "c"].map { begin($0) }
    gate.open("a")
    await tasks[0]?.value
    Local.$name.withValue("of who makes room") { tasks[1]?.cancel() }
    #expect(seen == ["a: local of a", "b: local of b", "c: local of c"])
    gate.open("b")
    gate.open("c")
    await tasks[2]?.value
  }

  @Test("A4 queued work has the priority of its own caller")
  func priorities() async {
    var seen: [TaskPriority] = []
    let store = makeStore { _, _ in seen.append(Task.currentPriority) }
    let first = await Task(priority: .background) { send("a", .queue, to: store) }.value
    let second = await Task(priority: .high) { send("b", .queue, to: store) }.value
    first.cancel()
    #expect(seen.last == .high)
    gate.open("a")
    gate.open("b")
    await second.value
  }

  @Test("A9 A10 queued work that never starts leaves nothing of its caller behind")
  func cancelledTurns() async {
    weak var canary: StoreCanary?
    let ends: StoreEnds = {
      var ends = StoreEnds()
      let shared = StoreCanary()
      canary = shared
      ends.watch(shared)
      let store = Store(
        state: 0, actionable: Handling<Int, QueuedCanary> { _, _ in try await gate.pass("door") })
      let tasks = (0..<10).map { _ in store.send(QueuedCanary(canary: shared)) }
      tasks[5].cancel()
      tasks[9].cancel()
      store.cancel(id: "x")
      _ = store.send(QueuedCanary(canary: shared))
      _ = store.send(QueuedCanary(canary: shared))
      return ends
    }()
    gate.open("door")
    gate.open("door")
    await ends.arrival()
    #expect(canary == nil)
  }

  @Test("A10 queued work that is cancelled is released at once")
  func releasedAtOnce() {
    weak var canary: StoreCanary?
    let store = Store(
      state: 0, actionable: Handling<Int, QueuedCanary> { _, _ in try await gate.pass("door") })
    store.send(QueuedCanary(canary: StoreCanary()))
    do {
      let own = StoreCanary()
      canary = own
      store.send(QueuedCanary(canary: own)).cancel()
    }
    #expect(canary == nil)
    gate.open("door")
  }

  private struct QueuedCanary: CancellableAction {
    let canary: StoreCanary
    var cancelIdentifier: String? { "x" }
    var overlap: Overlap { .queue }
  }
}
