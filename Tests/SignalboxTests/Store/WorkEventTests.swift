import Signalbox
import Testing

/// Tests which work an event belongs to, and why work was cancelled.
@MainActor struct WorkEventTests {
  private let gate = StoreGate()

  private func waiting() -> DeskStore {
    DeskStore(state: Desk(), actionable: Handling { [gate] _, _ in try await gate.pass("door") })
  }

  /// The reason for each cancelled piece of work, with events named by their lines.
  private func reasons(_ journal: StoreJournal<Desk, Job>) -> [String] {
    func name(_ id: Int?) -> String {
      guard let event = journal.events.first(where: { $0.id == id }) else { return "?" }
      return StoreJournal<Desk, Job>.line(event.kind)
    }
    return journal.events.compactMap { event in
      guard let cancellation = event.cancellation else { return nil }
      let line = StoreJournal<Desk, Job>.line(event.kind)
      return switch cancellation {
      case .requested(let by): "\(line): requested by \(name(by))"
      case .superseded(let by): "\(line): superseded by \(name(by))"
      case .ignored(let other): "\(line): ignored for \(name(other))"
      case .storeReleased: "\(line): store released"
      case .endedWithState: "\(line): ended with its state"
      }
    }
  }

  @Test("H4 cancelled work reports what superseded it, what it was ignored for, or what asked")
  func cancellations() {
    var store: DeskStore? = waiting()
    guard let journal = store.map({ StoreJournal($0) }) else { return }
    store?.send(Job("a", id: "x"))
    store?.send(Job("b", id: "x", .first))
    store?.send(Job("c", id: "x", .join))
    store?.send(Job("d", id: "x", .queue))
    store?.send(Job("e", id: "x"))
    store?.send(Job("f", id: "y")).cancel()
    store?.cancel(id: "x")
    store?.send("g")
    store = nil
    #expect(
      reasons(journal) == [
        "cancelled b: ignored for dispatched a",
        "cancelled a: superseded by dispatched e", "cancelled c: superseded by dispatched e",
        "cancelled d: superseded by dispatched e",
        "cancelled f: requested by ?", "cancelled e: requested by ?",
        "cancelled g: store released",
      ])
    for _ in 0..<4 { gate.open("door") }
  }

  @Test("H4 a cancel inside an action or a hook has that action or hook as its cause")
  func requests() {
    let emitter = Emitter<String>()
    let store = DeskStore(
      state: Desk(),
      interactor: Hooking<Desk, Job, OneHook>(
        connect: { _, store in emitter.sink { store.cancel(id: $0) } },
        handle: { [gate] job, store in
          if job == "stop" { return store.cancel(id: "x") }
          try await gate.pass("door")
        }))
    let journal = StoreJournal(store)
    store.send(Job("a", id: "x"))
    store.send("stop")
    store.send(Job("b", id: "y"))
    emitter.send("y")
    #expect(
      reasons(journal) == [
        "cancelled a: requested by dispatched stop", "cancelled b: requested by hook only y",
      ])
    for _ in 0..<2 { gate.open("door") }
  }

  @Test("H4 work that is cancelled together is reported in the order in which it was made")
  func orderOfCancelAll() {
    let store = waiting()
    let journal = StoreJournal(store)
    let names = (0..<40).map { "\($0)" }
    for name in names {
      store.send(Job(name, id: name.hasSuffix("3") ? nil : name))
    }
    store.cancelAll()
    #expect(journal.lines.suffix(40) == names.map { "cancelled \($0)" })
    for _ in names { gate.open("door") }
  }

  @Test("H4 each event contains the action or run during which it happened, across suspensions")
  func work() async {
    let store = DeskStore(
      state: Desk(),
      actionable: Handling { [gate] job, store in
        store.count += 1
        store.run(id: "run") { store in
          try await gate.pass("run")
          store.title = "run"
        }
        try await gate.pass("door")
        store.count += 1
      })
    let journal = StoreJournal(store)
    let task = store.send("go")
    gate.open("door")
    await task.value
    gate.open("run")
    await task.settled
    store.binder.count.wrappedValue = 0
    let lines = journal.events.map { event in
      let work = journal.events.first { $0.id == event.work }
      let name = work.map { StoreJournal<Desk, Job>.line($0.kind) }
      return StoreJournal<Desk, Job>.line(event.kind) + (name.map { " in \($0)" } ?? "")
    }
    #expect(
      lines == [
        "started", "dispatched go in dispatched go", "change in dispatched go",
        "run run in run run", "change in dispatched go", "finished go in dispatched go",
        "change in run run", "finished run run in run run", "change",
      ])
    #expect(
      journal.tree.filter { $0.hasPrefix("change ←") }
        == Array(repeating: "change ← dispatched go", count: 3))
  }

  @Test("A6 H4 what stale work tries is reported as dropped, with that run or action as its cause")
  func dropped() async {
    let returned = StoreMoment()
    let store = DeskStore(
      state: Desk(),
      actionable: Handling { [gate] job, store in
        store.run(id: "run") { store in
          defer { returned.happen() }
          try await gate.pass("door")
          store.count = 7
          store.send("late")
          store.run { _ in }
          store.cancel(id: "other")
        }
      })
    let journal = StoreJournal(store)
    store.send("go")
    store.cancel(id: "run")
    gate.open("door")
    await returned.arrival
    let drops = journal.events.filter {
      if case .dropped = $0.kind { true } else { false }
    }
    let begun = journal.events.first { StoreJournal<Desk, Job>.line($0.kind) == "run run" }
    #expect(
      drops.map { StoreJournal<Desk, Job>.line($0.kind) } == [
        "dropped change", "dropped late", "dropped run", "dropped cancel",
      ])
    #expect(drops.allSatisfy { $0.work == begun?.id && $0.cause == begun?.cause })
    #expect(store.count == 0)
  }

  @Test("A5 H4 a run is reported from start to end, with its name and its duration")
  func runs() async {
    let store = DeskStore(
      state: Desk(),
      actionable: HandlingErrors(
        handle: { [gate] job, store in
          store.run(id: 7) { _ in try await gate.pass("\(job)") }
        }, recover: { _, _, _ in }))
    let journal = StoreJournal(store)
    for job: Job in ["good", "bad"] {
      let task = store.send(job)
      if job == "good" { gate.open("good") } else { gate.fail("bad", Refusal()) }
      await task.settled
    }
    #expect(
      journal.lines.filter { $0.contains("run") } == [
        "run 7", "finished run 7", "run 7", "failed run 7 Refusal(reason: \"\")",
      ])
    let duration = journal.events.compactMap {
      if case .runFinished(_, let duration) = $0.kind { duration } else { nil }
    }
    #expect(duration.count == 1 && duration[0] > .zero)
  }

  @Test("A4 work that gives way to work that is cancelled meanwhile was cancelled on request")
  func givesWayToNothing() {
    let store = waiting()
    let journal = StoreJournal(store)
    let events = store.events.sink { [weak store] event in
      if case .dispatched(let job) = event.kind, job.text == "b" { store?.cancel(id: "x") }
    }
    store.send(Job("a", id: "x", .first))
    #expect(store.send(Job("b", id: "x", .first)).isCancelled)
    #expect(reasons(journal).last?.hasPrefix("cancelled b: requested") == true)
    withExtendedLifetime(events) {}
    gate.open("door")
  }
}
