import Signalbox
import Testing

/// Tests properties that are true while work is running (A13).
@MainActor struct MarkTests {
  private struct Form: Equatable {
    var isSaving = false
    var isBusy = false
    var log: [String] = []
  }
  private typealias FormHandle = MutatingStore<Form, Job>

  private let gate = StoreGate()

  private func makeStore(
    _ recover: @escaping @MainActor (any Error, Job, FormHandle) -> Void = { _, _, _ in }
  ) -> Store<Form, Job> {
    Store(
      state: Form(),
      actionable: HandlingErrors(
        handle: { [gate] job, store in
          if job.text.hasPrefix("unmarked") { return try await gate.pass(job.text) }
          store.mark(\.isSaving)
          store.mark(\.isSaving)
          if job.text.hasPrefix("sync") { return }
          try await gate.pass(job.text)
        }, recover: recover))
  }

  /// Records the commits of a property.
  private func commits(_ store: Store<Form, Job>) -> (Box, Subscription) {
    let box = Box()
    return (box, store.publisher.isSaving.sink { box.values.append($0) })
  }

  private final class Box {
    var values: [Bool] = []
  }

  @Test("A13 a mark is true at once, and false when the action has returned or thrown")
  func returnedOrThrown() async {
    let store = makeStore()
    let (seen, subscription) = commits(store)
    let returned = store.send("a")
    #expect(store.isSaving)
    gate.open("a")
    await returned.value
    #expect(!store.isSaving)
    let thrown = store.send("b")
    gate.fail("b", Refusal())
    await thrown.value
    #expect(!store.isSaving)
    store.send("sync")
    #expect(!store.isSaving && seen.values == [true, false, true, false, true, false])
    subscription.cancel()
  }

  @Test(
    "A13 a mark is false when a cancel returns, whichever way the work was cancelled",
    arguments: 0..<4)
  func cancelled(way: Int) async {
    let store = makeStore()
    let caller = Task.atOnce { await store.dispatch(Job("a", id: "x")) }
    #expect(store.isSaving)
    switch way {
    case 0: caller.cancel()
    case 1: store.cancel(id: "x")
    case 2: store.cancelAll()
    default: store.send(Job("unmarked", id: "x"))
    }
    #expect(!store.isSaving)
    await caller.value
    gate.open("a")
    gate.open("unmarked")
    await store.settle()
    #expect(!store.isSaving)
  }

  @Test("A13 a run marks a property as an action does")
  func runs() async {
    var handle: FormHandle?
    let store = Store(
      state: Form(), actionable: Handling<Form, Job> { _, store in handle = store })
    store.send("handle")
    let run = handle?.run { [gate] store in
      store.mark(\.isSaving)
      try await gate.pass("run")
    }
    #expect(store.isSaving)
    run?.cancel()
    #expect(!store.isSaving)
    gate.open("run")
  }

  @Test("A13 a property that several pieces of work mark stays true until the last has ended")
  func several() async {
    let store = makeStore()
    let (seen, subscription) = commits(store)
    let tasks = ["a", "b", "c"].map { store.send(Job($0)) }
    gate.open("b")
    await tasks[1].value
    #expect(store.isSaving)
    tasks[0].cancel()
    #expect(store.isSaving)
    gate.open("c")
    await tasks[2].value
    #expect(!store.isSaving && seen.values == [true, false])
    gate.open("a")
    subscription.cancel()
  }

  @Test("A13 a mark does not flicker when work is superseded or the next in a queue starts")
  func successors() async {
    let store = makeStore()
    let (seen, subscription) = commits(store)
    let tasks = ["a", "b", "c"].map { store.send(Job($0, id: "x")) }
    let queued = ["d", "e"].map { store.send(Job($0, id: "x", .queue)) }
    for door in ["a", "b", "c"] { gate.open(door) }
    await tasks[2].value
    gate.open("d")
    await queued[0].value
    queued[1].cancel()
    #expect(!store.isSaving && seen.values == [true, false])
    gate.open("e")
    subscription.cancel()
  }

  @Test(
    "A13 a successor that marks nothing ends the mark of superseded work at its first suspension")
  func successorWithoutAMark() {
    let store = makeStore()
    let (seen, subscription) = commits(store)
    store.send(Job("a", id: "x"))
    store.send(Job("unmarked", id: "x"))
    #expect(!store.isSaving && seen.values == [true, false])
    store.cancelAll()
    gate.open("a")
    gate.open("unmarked")
    subscription.cancel()
  }

  @Test("A13 A8 a mark does not flicker when onError retries")
  func retry() async {
    let store = makeStore { _, job, store in
      if job == "a" { store.dispatch("b") }
    }
    let (seen, subscription) = commits(store)
    let task = store.send("a")
    gate.fail("a", Refusal())
    await task.value
    #expect(store.isSaving && seen.values == [true])
    gate.open("b")
    await task.settled
    #expect(!store.isSaving && seen.values == [true, false])
    subscription.cancel()
  }

  @Test("A13 A6 a cancelled action marks nothing, and the attempt is reported as dropped")
  func stale() async {
    var handles: [FormHandle] = []
    let store = Store(
      state: Form(),
      actionable: Handling<Form, Job> { [gate] job, store in
        handles.append(store)
        if job == "waits" { try await gate.pass("door") }
      })
    let journal = StoreJournal(store)
    store.send("waits").cancel()
    handles[0].mark(\.isSaving)
    #expect(!store.isSaving && journal.lines.suffix(1) == ["dropped change"])
    store.send("ends")
    handles[1].mark(\.isBusy)
    #expect(!store.isBusy && journal.lines.suffix(1) == ["dropped change"])
    gate.open("door")
  }

  @Test("A13 A9 no mark is written when the store is released")
  func release() async {
    var store: Store<Form, Job>? = makeStore()
    var seen: [Bool] = []
    let subscription = store?.publisher.isSaving.sink { seen.append($0) }
    let task = store?.send("a")
    store = nil
    #expect(task?.isCancelled == true && seen == [true])
    gate.open("a")
    subscription?.cancel()
  }

  @Test("A13 H4 the end of a mark is caused by the end of its work")
  func causes() {
    let store = makeStore()
    let journal = StoreJournal(store)
    store.send(Job("a", id: "x"))
    store.cancel(id: "x")
    #expect(
      journal.tree == [
        "started", "dispatched a", "change ← dispatched a", "cancelled a ← dispatched a",
        "change ← cancelled a",
      ])
    gate.open("a")
  }

  @Test("A13 H4 a mark of work that has finished ends because of that")
  func causeAfterTheEnd() async {
    let store = makeStore()
    let journal = StoreJournal(store)
    let task = store.send("a")
    gate.open("a")
    await task.settled
    #expect(
      journal.tree == [
        "started", "dispatched a", "change ← dispatched a", "finished a ← dispatched a",
        "change ← finished a",
      ])
  }

  @Test("A13 H4 the mark of a run that throws is removed by its failure")
  func causeAfterAFailure() async {
    let store = Store(
      state: Form(),
      actionable: HandlingErrors<Form, Job>(
        handle: { [gate] job, store in
          store.run { store in
            store.mark(\.isSaving)
            try await gate.pass(job.text)
          }
        }, recover: { _, _, _ in }))
    let journal = StoreJournal(store)
    let task = store.send("a")
    gate.fail("a", Refusal())
    await task.settled
    #expect(journal.tree.last == "change ← failed run - Refusal(reason: \"\")")
    #expect(!store.isSaving)
  }

  @Test("A13 a mark in a hook traps with a message, because nothing would remove it")
  func hooks() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      @MainActor in
      _ = Store(state: false, hookable: MarkingHook())
    }
    expectError("mark(_:) in hook only: there is no action or run here", from: result)
    expectError("Mark it in an action or a run.", from: result)
  }

  @Test("A13 C11 so does a mark in a closure of children(of:) that the hook of a child calls")
  func closures() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      @MainActor in
      _ = Store(state: MarkingParent.State(), interactor: MarkingParent())
    }
    expectError("mark(_:) in a closure of children(of:): there is no action or run", from: result)
  }

  @Test("A13 a mark does not flicker if other work is cancelled before the successor starts")
  func cancelBeforeTheSuccessor() {
    let store = makeStore()
    let (seen, subscription) = commits(store)
    let other = store.send("unmarked")
    let events = store.events.sink { event in
      if case .dispatched(let job) = event.kind, job.text == "b" { other.cancel() }
    }
    store.send(Job("a", id: "x"))
    store.send(Job("b", id: "x"))
    #expect(other.isCancelled)
    #expect(store.isSaving && seen.values == [true])
    for door in ["unmarked", "a", "b"] { gate.open(door) }
    withExtendedLifetime((events, subscription)) {}
  }

  @Test("A13 marks of superseded work end if its successor is cancelled before it starts")
  func successorIsOver() {
    let store = makeStore()
    let events = store.events.sink { [weak store] event in
      if case .cancelled(let job) = event.kind, job.text == "a" { store?.cancelAll() }
    }
    store.send(Job("a", id: "x"))
    #expect(store.isSaving)
    store.send(Job("unmarked", id: "x"))
    #expect(!store.isSaving)
    #expect(store.runningCount == 0)
    gate.open("a")
    withExtendedLifetime(events) {}
  }
}

private struct MarkingHook: Hookable {
  func subscription(for hook: OneHook, store: MutatingStore<Bool, Never>) -> Subscription {
    store.mark(\.self)
    return .empty
  }
}

private struct MarkingParent: Interactor {
  struct State {
    var isMarked = false
    var child = false
  }

  struct Caller: Interactor {
    let call: @MainActor () -> Void

    func subscription(for hook: OneHook, store: MutatingStore<Bool, Never>) -> Subscription {
      call()
      return .empty
    }

    func onAction(_ action: Never, store: MutatingStore<Bool, Never>) {}
  }

  func children(of store: MutatingStore<State, Never>) -> Children<State> {
    Child(\.child) { Caller { store.mark(\.isMarked) } }
  }

  func onAction(_ action: Never, store: MutatingStore<State, Never>) {}
}
