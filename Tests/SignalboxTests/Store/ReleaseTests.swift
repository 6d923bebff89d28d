import Signalbox
import Testing

/// Tests that nothing is left of a store after its last reference is gone (A9).
@MainActor struct ReleaseTests {
  enum Phase: CaseIterable, Sendable {
    case idle, suspended, queued, joined, running, manyEnded, observed, bound, watched
  }

  enum Thread: CaseIterable, Sendable { case main, other }

  /// A class interactor that captures itself and canaries in every place it can.
  final class Interactive: Interactor {
    let canary: StoreCanary
    let sinkCanary: StoreCanary
    let emitter: Emitter<Int>
    let gate: StoreGate

    init(_ canary: StoreCanary, _ sinkCanary: StoreCanary, emitter: Emitter<Int>, gate: StoreGate) {
      self.canary = canary
      self.sinkCanary = sinkCanary
      self.emitter = emitter
      self.gate = gate
    }

    func onAction(_ action: Job, store: DeskHandle) async throws {
      if action == "sync" { return }
      if action == "run" {
        store.run(id: "run") { [self] _ in
          try await gate.pass("run")
          canary.sing()
        }
        return
      }
      try await gate.pass("door")
      store.log.append("late")
      canary.sing()
    }

    func subscription(for hook: ThreeHooks, store: DeskHandle) -> Subscription {
      switch hook {
      case .first:
        .all(
          emitter.sink { [self] in
            store.count = $0
            canary.sing()
          },
          emitter.debounce(for: .seconds(3_600)).sink { [sinkCanary] _ in sinkCanary.sing() })
      case .second:
        combineLatest(store.publisher.count, store.publisher.title)
          .sink { [self] in
            store.log.append("\($0)")
            canary.sing()
          }
      case .third:
        emitter.map { [sinkCanary] in
          sinkCanary.sing()
          return $0
        }
        .assign(toAction: { _ in "sync" }, using: store)
      }
    }
  }

  private func put(_ store: DeskStore, into phase: Phase) -> [Any] {
    switch phase {
    case .idle: return []
    case .suspended: return [store.send("a"), store.send(Job("b", id: "x"))]
    case .queued: return [store.send(Job("a", id: "x")), store.send(Job("b", id: "x", .queue))]
    case .joined: return [store.send(Job("a", id: "x")), store.send(Job("b", id: "x", .join))]
    case .running: return [store.send("run")]
    case .manyEnded: return (0..<100).map { _ in store.send("sync") }
    case .observed: return [store.publisher.count.sink { _ in }, store.count]
    case .bound: return [store.binder.count, store.binder]
    case .watched: return [StoreJournal(store)]
    }
  }

  @Test(
    "A9 a released store leaves nothing behind, whatever it was doing and whether handles are kept",
    .timeLimit(.minutes(60)), arguments: Phase.allCases, Thread.allCases)
  func nothingIsLeft(phase: Phase, thread: Thread) async {
    let gate = StoreGate()
    let emitter = Emitter<Int>()
    var ends = StoreEnds()
    var store: DeskStore?
    weak var interactor: Interactive?
    do {
      let canary = StoreCanary()
      let sinkCanary = StoreCanary()
      ends.watch(canary)
      ends.watch(sinkCanary)
      let made = Interactive(canary, sinkCanary, emitter: emitter, gate: gate)
      interactor = made
      store = DeskStore(state: Desk(), interactor: made)
    }
    emitter.send(1)
    let kept = store.map { put($0, into: phase) }
    weak let weakStore = store
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
    if thread == .main { #expect(weakStore == nil) }
    // The bodies of cancelled work return now.
    while gate.count(at: "door") + gate.count(at: "run") > 0 {
      gate.open("door")
      gate.open("run")
    }
    await ends.arrival()
    #expect(interactor == nil && weakStore == nil)
    emitter.send(2)
    withExtendedLifetime(kept) {}
  }

  @Test(
    "A9 a store that is released inside one of its sinks ends at once, and the delivery goes on")
  func insideASink() {
    let emitter = Emitter<Int>()
    var told: [String] = []
    var store: DeskStore?
    store = DeskStore(
      state: Desk(),
      interactor: Hooking<Desk, Job, ThreeHooks>(connect: { hook, _ in
        emitter.sink {
          told.append("\(hook) \($0)")
          if hook == .second { store = nil }
        }
      }))
    let finish = store?.publisher.count.sink(
      receiveCompletion: { told.append("finished") }, receiveValue: { _ in })
    let bystander = emitter.sink { told.append("bystander \($0)") }
    weak let weakStore = store
    emitter.send(1)
    #expect(weakStore == nil)
    #expect(told == ["first 1", "second 1", "bystander 1", "finished"])
    finish?.cancel()
    bystander.cancel()
  }

  @Test("A9 a store released inside a delivery of its commit finishes after that delivery")
  func insideItsOwnCommit() {
    var told: [String] = []
    var handle: DeskHandle?
    var holder: DeskStore? = DeskStore(
      state: Desk(),
      actionable: Handling { job, store in
        if job == "keep" {
          handle = store
          return
        }
        store.count = 1
        store.count = 2
      })
    holder?.send("keep")
    let subscriptions = [
      holder?.publisher.count.sink {
        told.append("a\($0)")
        holder = nil
      },
      holder?.publisher.count.sink(
        receiveCompletion: { told.append("end") }, receiveValue: { told.append("b\($0)") }),
    ]
    weak let weakStore = holder
    handle?.send("go")
    #expect(weakStore == nil)
    #expect(told == ["a1", "b1", "end"])
    withExtendedLifetime(subscriptions) {}
  }

  @Test("A9 a store released in the synchronous part of its action makes the rest of it stale")
  func insideAnAction() async {
    var handle: DeskHandle?
    var holder: DeskStore?
    var wasCurrent: [Bool] = []
    holder = DeskStore(
      state: Desk(),
      actionable: Handling { job, store in
        if job == "keep" {
          handle = store
          return
        }
        wasCurrent.append(store.isCurrent)
        holder = nil
        wasCurrent.append(store.isCurrent)
        store.count += 1
        #expect(store.count == 1)
        store.send("never")
      })
    holder?.send("keep")
    weak let weakStore = holder
    // Sends through a handle, so that only `holder` keeps the store.
    let task = handle?.send("go")
    #expect(weakStore == nil)
    #expect(wasCurrent == [true, false])
    #expect(task?.isCancelled == true)
    await task?.settled
  }

  @Test("A9 a store released in a batch ends at once, and the batch notifies no subscriber")
  func insideABatch() {
    var holder: DeskStore?
    let gate = StoreGate()
    var handle: DeskHandle?
    holder = DeskStore(
      state: Desk(),
      actionable: Handling { job, store in
        if job == "keep" {
          handle = store
          return
        }
        try await gate.pass("door")
      })
    holder?.send("keep")
    holder?.send("wait")
    weak let weakStore = holder
    handle?.batch {
      handle?.count = 1
      holder = nil
      handle?.count = 2
    }
    #expect(weakStore == nil && handle?.isCurrent == false)
    gate.open("door")
  }

  @Test("A9 a store released while its state is changed in place ends without a trap")
  func insideAnUpdate() async {
    await #expect(processExitsWith: .success) {
      await MainActor.run {
        let gate = StoreGate()
        var handle: DeskHandle?
        var holder: DeskStore? = DeskStore(
          state: Desk(),
          actionable: Handling { _, store in
            handle = store
            try await gate.pass("door")
          })
        holder?.send("wait")
        holder?.send("wait")
        handle?.update {
          $0.count = 1
          holder = nil
        }
        for _ in 1...2 { gate.open("door") }
      }
    }
  }

  @Test("A9 a run that the end of a hook starts while its store is released does not start")
  func runAtTheEndOfAHook() {
    var runs = 0
    var store: DeskStore? = DeskStore(
      state: Desk(),
      interactor: Hooking<Desk, Job, OneHook>(connect: { _, handle in
        Subscription { handle.run { _ in runs += 1 } }
      }))
    let journal = store.map { StoreJournal($0) }
    store = nil
    #expect(runs == 0)
    #expect(journal?.lines == ["started", "dropped run"])
  }

  @Test("S1 S11 the signals of a state finish in the order of their subscribers")
  func orderOfSubscribers() {
    var store: DeskStore? = DeskStore(state: Desk(), actionable: Handling { _, _ in })
    var finished: [Int] = []
    let subscriptions = [
      store?.publisher.title.sink(
        receiveCompletion: { finished.append(1) }, receiveValue: { _ in }),
      store?.publisher.count.sink(
        receiveCompletion: { finished.append(2) }, receiveValue: { _ in }),
      store?.publisher.title.sink(
        receiveCompletion: { finished.append(3) }, receiveValue: { _ in }),
    ]
    store = nil
    #expect(finished == [1, 2, 3])
    withExtendedLifetime(subscriptions) {}
  }

  @Test("A9 S11 the signals of the state finish before the events")
  func orderOfFinishes() {
    var told: [String] = []
    var store: DeskStore? = DeskStore(state: Desk(), actionable: Handling { _, _ in })
    let events = store?.events.sink(
      receiveCompletion: { told.append("events") }, receiveValue: { _ in })
    let counts = store?.publisher.count.sink(
      receiveCompletion: { told.append("count") }, receiveValue: { _ in })
    store = nil
    #expect(told == ["count", "events"])
    withExtendedLifetime((events, counts)) {}
  }
}
