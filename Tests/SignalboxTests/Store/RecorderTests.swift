import Signalbox
import Testing

/// Tests recorders other than the log.
@MainActor struct RecorderTests {
  private final class Tape: EventRecorder {
    private(set) var lines: [String] = []
    private(set) var isOver = false
    var onRecord: @MainActor (String) -> Void = { _ in }

    func record(_ event: StoreEvent<Desk, Job>) {
      let line = StoreJournal<Desk, Job>.line(event.kind)
      lines.append(line)
      onRecord(line)
    }

    var onRelease: @MainActor () -> Void = {}

    func storeWasReleased() {
      isOver = true
      onRelease()
    }
  }

  @Test("H4 what a subscriber to the events does at the first event is an event caused by it")
  func started() {
    let store = DeskStore(
      state: Desk(), actionable: Handling<Desk, Job> { _, store in store.count += 1 })
    var seen: [String] = []
    let subscription = store.events.sink { event in
      seen.append("\(event.kind)".prefix { $0 != "(" } + " \(event.cause ?? 0)")
      if case .started = event.kind { store.send("go") }
    }
    store.send("again")
    #expect(
      seen == [
        "started 0", "dispatched 1", "stateChanged 2", "finished 2", "dispatched 0",
        "stateChanged 5", "finished 5",
      ])
    withExtendedLifetime(subscription) {}
  }

  @Test("H4 recorders and subscribers receive the same events in order, even if a recorder acts")
  func sameOrder() {
    let store = DeskStore(
      state: Desk(), actionable: Handling { job, store in store.title = job.text })
    let (one, two) = (Tape(), Tape())
    let subscriptions = [store.record(by: one), store.record(by: two)]
    let journal = StoreJournal(store)
    one.onRecord = { [weak store] line in
      if line == "dispatched a" { store?.send("b") }
      if line == "change" { store?.binder.count.wrappedValue = 1 }
    }
    store.send("a")
    let expected = [
      "started", "dispatched a", "dispatched b", "change", "finished b", "change", "change",
      "finished a",
    ]
    #expect(one.lines == expected)
    #expect(two.lines == expected)
    #expect(journal.lines == expected)
    #expect(
      journal.tree.prefix(3) == ["started", "dispatched a", "dispatched b ← dispatched a"])
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test("H4 a recorder that another one adds starts with started and records what comes after")
  func addedMeanwhile() {
    let store = DeskStore(
      state: Desk(), actionable: Handling { _, store in store.count += 1 })
    let (one, two) = (Tape(), Tape())
    var second: Subscription?
    one.onRecord = { [weak store] line in
      guard line == "dispatched a" else { return }
      store?.binder.title.wrappedValue = "before"
      second = store?.record(by: two)
      store?.binder.title.wrappedValue = "after"
    }
    let first = store.record(by: one)
    store.send("a")
    #expect(one.lines == ["started", "dispatched a", "change", "change", "change", "finished a"])
    #expect(two.lines == ["started", "change", "change", "finished a"])
    first.cancel()
    store.send("b")
    #expect(one.lines.count == 6 && two.lines.count == 7)
    second?.cancel()
  }

  @Test("H4 a recorder is told once that the store is gone, after its last event, and is released")
  func release() {
    weak var kept: Tape?
    var lines: [String] = []
    do {
      var store: DeskStore?
      // This reference lets the store be released while an action is being dispatched.
      var handle: DeskHandle?
      store = DeskStore(state: Desk(), actionable: Handling { _, store in handle = store })
      store?.send("a")
      let tape = Tape()
      kept = tape
      let recording = store?.record(by: tape)
      tape.onRecord = { line in
        lines.append(line)
        store = nil
      }
      handle?.send("b")
      #expect(tape.isOver && store == nil)
      recording?.cancel()
      handle = nil
    }
    #expect(lines == ["dispatched b", "cancelled b"])
    #expect(kept == nil)
  }

  @Test("D5 H4 a store that was recorded for a while makes no events afterwards")
  func unwatched() {
    let store = DeskStore(
      state: Desk(), actionable: Handling { _, store in store.count += 1 })
    let tape = Tape()
    let recording = store.record(by: tape)
    store.send("a")
    recording.cancel()
    store.send("unheard")
    var id: Int?
    let events = store.events.sink { id = $0.id }
    #expect(tape.lines.count == 4 && id == 5)
    events.cancel()
  }

  @Test("H4 a recorder that another one removes hears no more, neither events nor the end")
  func removedMeanwhile() {
    var store: DeskStore? = DeskStore(state: Desk(), actionable: Handling { _, _ in })
    let (one, two, three) = (Tape(), Tape(), Tape())
    let first = store?.record(by: one)
    let second = store?.record(by: two)
    let third = store?.record(by: three)
    one.onRecord = { line in if line == "dispatched a" { second?.cancel() } }
    one.onRelease = { third?.cancel() }
    store?.send("a")
    #expect(two.lines == ["started"])
    #expect(three.lines == ["started", "dispatched a", "finished a"])
    store = nil
    #expect(one.isOver && !two.isOver && !three.isOver)
    first?.cancel()
  }

  @Test("H3 H4 a hook that a recorder ends does not receive the value that it was to receive")
  func endsHook() {
    let input = Emitter<Int>()
    var received: [Int] = []
    var kept: Subscription?
    let store = DeskStore(
      state: Desk(),
      interactor: Hooking<Desk, Job, OneHook>(connect: { _, _ in
        // Kept outside, so that only the hook ends.
        kept = input.sink { received.append($0) }
        return .empty
      }))
    let tape = Tape()
    // Weak, because the tape would otherwise keep itself.
    tape.onRecord = { [weak store, weak tape] line in
      if line.hasPrefix("hook"), let tape, tape.lines.count > 2 { store?.deactivateHooks() }
    }
    let recording = store.record(by: tape)
    input.send(1)
    input.send(2)
    #expect(tape.lines.count == 3, "\(tape.lines)")
    #expect(received == [1])
    recording.cancel()
    kept?.cancel()
  }

  @Test(
    "H4 the cause of a delivery is the same after a hook, a first event and a recorder",
    arguments: [false, true])
  func causesOfADelivery(isRecorded: Bool) {
    let store = DeskStore(
      state: Desk(),
      interactor: Hooking<Desk, Job, OneHook>(
        connect: { _, store in store.publisher.count.sink { _ in } },
        handle: { job, store in if job == "go" { store.count += 1 } }))
    var events: [StoreEvent<Desk, Job>] = []
    var others: Subscription?
    let all = store.events.sink { events.append($0) }
    let recording = isRecorded ? store.record(by: Tape()) : .empty
    let bystander = store.publisher.count.sink { [weak store] _ in
      store?.send("a")
      others = store?.events.sink { _ in }
      store?.send("b")
    }
    store.send("go")
    let change = events.first { if case .stateChanged = $0.kind { true } else { false } }?.id
    func cause(of name: Job) -> Int? {
      events.first { if case .dispatched(name) = $0.kind { true } else { false } }?.cause
    }
    #expect(change != nil)
    #expect(cause(of: "a") == change)
    #expect(cause(of: "b") == change)
    withExtendedLifetime((all, recording, bystander, others)) {}
  }
}
