import SignalboxTesting
import Testing

@testable import Signalbox

/// What is delivered later has the cause of what it was made from.
@MainActor struct KeptCauseTests {
  typealias One = Hooking<Desk, Job, OneHook>

  let clock = TestClock()

  /// A store that counts with `bump` and has a hook.
  private func store(
    _ connect: @escaping @MainActor (MutatingStore<Desk, Job>) -> Subscription
  ) -> (DeskStore, StoreJournal<Desk, Job>) {
    let store = DeskStore(
      state: Desk(),
      interactor: One(connect: { _, store in connect(store) }) { job, store in
        if job.text.hasPrefix("bump") { store.count += 1 }
      })
    return (store, StoreJournal(store))
  }

  @Test("H5 a debounced value has the cause of the change that it was made from")
  func debounce() async {
    let (store, journal) = store { store in
      store.publisher.count.debounce(for: .seconds(1), clock: clock)
        .map { "\($0)" }.assign(to: \.title, using: store)
    }
    store.send("bump 1")
    await clock.advance(by: .seconds(2))
    #expect(journal.path(of: \.title) == ["hook only 1", "change", "dispatched bump 1"])
  }

  @Test("H5 S18 an overdue value does not blame the value that comes next")
  func overdue() {
    let late = LateClock()
    let (store, journal) = store { store in
      store.publisher.count.debounce(for: .seconds(1), clock: late)
        .map { "\($0)" }.assign(to: \.title, using: store)
    }
    store.send("bump 1")
    late.isLate = true
    store.send("bump 2")
    #expect(store.title == "1")
    #expect(journal.path(of: \.title) == ["hook only 1", "change", "dispatched bump 1"])
    // What follows in the delivery that was in progress has its own cause.
    #expect(journal.path(of: \.count) == ["dispatched bump 2"])
  }

  @Test("H5 S18 what throttle keeps has its own cause", arguments: [true, false])
  func throttle(latest: Bool) async {
    let (store, journal) = store { store in
      store.publisher.count.throttle(for: .seconds(1), latest: latest, clock: clock)
        .map { "\($0)" }.assign(to: \.title, using: store)
    }
    for number in 1...3 { store.send(Job("bump \(number)")) }
    await clock.advance(by: .seconds(1))
    let kept = latest ? 3 : 2
    #expect(
      journal.path(of: \.title) == ["hook only \(kept)", "change", "dispatched bump \(kept)"])
  }

  @Test("H5 S18 each value that delay keeps has its own cause")
  func delay() async {
    let (store, journal) = store { store in
      store.publisher.count.delay(for: .seconds(2), clock: clock)
        .map { "\($0)" }.assign(to: \.title, using: store)
    }
    store.send("bump 1")
    await clock.advance(by: .seconds(1))
    store.send("bump 2")
    store.send("bump 3")
    for number in [1, 3] {
      await clock.advance(by: .seconds(1))
      #expect(
        journal.path(of: \.title) == ["hook only \(number)", "change", "dispatched bump \(number)"])
    }
  }

  @Test("H5 S18 a value that a finish delivers has its own cause")
  func finish() {
    let source = Emitter<Int>()
    let (store, journal) = store { store in
      store.publisher.count.merge(with: source).prefix(2)
        .debounce(for: .seconds(1), clock: clock)
        .map { "\($0)" }.assign(to: \.title, using: store)
    }
    store.send("bump 1")
    source.send(7)
    #expect(journal.path(of: \.title) == ["hook only 7"])
  }

  @Test("H5 E1 a replayed value has its own cause")
  func replay() {
    let again = Emitter<Int>()
    let (store, journal) = store { store in
      let shared = store.publisher.count.share(replay: 1)
      let first = shared.sink { _ in }
      let second = again.signal.flatMapLatest { _ in shared }
        .map { "\($0)" }.assign(to: \.title, using: store)
      return Subscription {
        first.cancel()
        second.cancel()
      }
    }
    store.send("bump 1")
    again.send(1)
    #expect(
      journal.path(of: \.title) == ["hook only 1", "change", "dispatched bump 1"])
  }

  @Test("H5 what a flatMapLatest delivers later follows from the value that it was made of")
  func flatMapLatest() async {
    let (store, journal) = store { store in
      store.publisher.count.flatMapLatest { count in
        Signal<Int> { subscriber in
          let timer = OneShotTimer.on(clock)
          timer.set(after: .seconds(1)) { subscriber.receive(count) }
          return Subscription { timer.cancel() }
        }
      }
      .map { "\($0)" }.assign(to: \.title, using: store)
    }
    store.send("bump 1")
    await clock.advance(by: .seconds(1))
    #expect(journal.path(of: \.title) == ["hook only 1", "change", "dispatched bump 1"])
  }

  @Test("H5 a sequence that a value has led to is caused by it, and one of a hook is not")
  func sequences() async {
    let (own, toOwn) = AsyncStream.makeStream(of: Int.self)
    let (made, toMade) = AsyncStream.makeStream(of: Int.self)
    let arrived = [StoreMoment(), StoreMoment()]
    let (store, journal) = store { store in
      let first = Signal(own).sink {
        store.title = "\($0)"
        arrived[0].happen()
      }
      let second = store.publisher.count.flatMapLatest { _ in Signal(made) }.sink {
        store.log = ["\($0)"]
        arrived[1].happen()
      }
      return Subscription {
        first.cancel()
        second.cancel()
      }
    }
    store.send("bump 1")
    toOwn.yield(5)
    await arrived[0].arrival
    toMade.yield(6)
    await arrived[1].arrival
    #expect(journal.path(of: \.title) == ["hook only 5"])
    #expect(journal.path(of: \.log) == ["hook only 6", "change", "dispatched bump 1"])
  }

  @Test("H5 each task that a hook starts has the value that the hook received then as its cause")
  func tasksOfHooks() async {
    let gate = StoreGate()
    let (store, journal) = store { store in
      store.publisher.count.sink { count in
        Task {
          try await gate.pass("\(count)")
          store.title = "\(count)"
          gate.arrive(at: "end of \(count)")
        }
      }
    }
    store.send("bump 1")
    store.send("bump 2")
    await gate.arrival(at: "1")
    gate.open("1")
    await gate.arrival(at: "end of 1")
    #expect(journal.path(of: \.title) == ["hook only 1", "change", "dispatched bump 1"])
    await gate.arrival(at: "2")
    gate.open("2")
    await gate.arrival(at: "end of 2")
    #expect(journal.path(of: \.title) == ["hook only 2", "change", "dispatched bump 2"])
  }

  @Test("H5 a hook that writes in an operator is caused by the value that passes")
  func writesOfOperators() {
    let (store, journal) = store { store in
      store.publisher.count
        .handleEvents(receiveValue: { store.title = "\($0)" })
        .filter { _ in false }.sink { _ in }
    }
    store.send("bump 1")
    #expect(journal.path(of: \.title) == ["change", "dispatched bump 1"])
  }
}

/// A clock whose sleepers never wake, as if the main actor were busy.
private final class LateClock: Clock, @unchecked Sendable {
  typealias Instant = ContinuousClock.Instant

  private let start = ContinuousClock.now
  @MainActor var isLate = false
  var minimumResolution: Duration { .zero }
  var now: Instant {
    MainActor.assumeIsolated { isLate ? start.advanced(by: .seconds(60)) : start }
  }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    // Ends with the task that sleeps.
    for await _ in AsyncStream<Never>.makeStream().stream {}
    try Task.checkCancellation()
  }
}
