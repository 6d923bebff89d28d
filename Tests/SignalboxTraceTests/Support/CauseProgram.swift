import RandomPrograms
import Signalbox

/// A random program of a store, its children and another store, whose values know their causes.
@MainActor final class CauseProgram {
  typealias Values = Signal<Lineage>

  private(set) var store: Store<CauseState, CauseAction>?
  /// A store of another family, which only passes values on.
  private let other = Store<CauseRow, Never>(state: CauseRow(id: 0))
  private let clock = CauseClock()
  private let emitters = [Emitter<Lineage>(), Emitter<Lineage>()]
  private var random: SeededRandom
  private var stamps = 0
  private var made = 0
  /// How much may still follow from one act from outside.
  private var budget = 0

  private var gates: [CheckedContinuation<Void, Never>] = []
  /// The bodies and tasks that run and do not wait at a gate.
  private var running = 0
  private var whenQuiet: CheckedContinuation<Void, Never>?

  init(seed: UInt64, name: String) {
    random = SeededRandom(seed: seed)
    store = Store(state: CauseState(), interactor: CauseInteractor(program: self), name: name)
  }

  /// Does something from outside, and returns when all has come to rest.
  func act() async {
    budget = 12
    let none = lineage([])
    switch random.below(14) {
    case 0...4: store?.send(action(none))
    case 5: store?.binder[dynamicMember: random.pick(CauseState.cells)].wrappedValue = none
    case 6: random.pick(emitters).send(none)
    case 7: clock.pass(.seconds(random.below(3)))
    case 8, 9: clock.advance(by: .seconds(1 + random.below(2)))
    case 10: other.binder.value.wrappedValue = none
    case 11: row()?.send(action(none))
    default: openGate()
    }
    await rest()
  }

  /// Lets everything that waits go on, and releases the store.
  func end() async {
    budget = 0
    while !gates.isEmpty {
      openGate()
      await rest()
    }
    store = nil
  }

  // MARK: - Values

  private func lineage(_ path: [String]) -> Lineage {
    stamps += 1
    return Lineage(path: path, stamp: stamps)
  }

  private func action(_ cause: Lineage) -> CauseAction {
    made += 1
    return CauseAction(name: "\(made)", lineage: lineage(cause.path))
  }

  private func row() -> Store<CauseRow, CauseAction>? {
    guard let store else { return nil }
    return random.oneIn(3)
      ? store.child(\.extra, CauseRowKeeper.self)
      : store.child(\.rows, id: random.below(2), CauseRowKeeper.self)
  }

  // MARK: - Gates

  private func gate() async {
    stopped()
    await withCheckedContinuation { gates.append($0) }
  }

  private func openGate() {
    guard !gates.isEmpty else { return }
    running += 1
    gates.remove(at: random.below(gates.count)).resume()
  }

  private func stopped() {
    running -= 1
    if running == 0 { exchangeQuiet()?.resume() }
  }

  private func exchangeQuiet() -> CheckedContinuation<Void, Never>? {
    defer { whenQuiet = nil }
    return whenQuiet
  }

  private func rest() async {
    if running > 0 { await withCheckedContinuation { whenQuiet = $0 } }
  }

  /// Starts a task that belongs to no work.
  private func task(_ body: @escaping @MainActor () -> Void) {
    running += 1
    Task {
      await gate()
      body()
      stopped()
    }
  }

  // MARK: - What actions and hooks do

  /// Whether anything may still follow.
  private func mayGoOn(_ cause: Lineage) -> Bool {
    budget -= 1
    return budget >= 0 && cause.path.count < 8
  }

  func perform(
    _ action: CauseAction, _ act: @MainActor (Lineage) -> Void
  ) async {
    running += 1
    let cause = Lineage(path: action.lineage.path + [action.name])
    for _ in 0...random.below(3) {
      if random.oneIn(4) { await gate() } else { act(cause) }
    }
    stopped()
  }

  /// Does something because of a cause.
  func act(_ cause: Lineage, in store: MutatingStore<CauseState, CauseAction>) {
    guard mayGoOn(cause) else { return }
    switch random.below(16) {
    case 0...2: write(cause, in: store)
    case 3: store.batch { for _ in 0..<2 { write(cause, in: store) } }
    case 4: store.send(action(cause))
    case 5:
      running += 1
      store.run { store in
        await self.gate()
        self.write(cause, in: store)
        self.random.pick(self.emitters).send(self.lineage(cause.path))
        self.stopped()
      }
    case 6: task { self.write(cause, in: store) }
    case 7: store.extra = store.extra == nil ? CauseRow(id: 2, value: lineage(cause.path)) : nil
    case 8: store.rows[random.below(2)].value = lineage(cause.path)
    default: act(cause)
    }
  }

  /// Does something in a child because of a cause.
  func act(_ cause: Lineage, in store: MutatingStore<CauseRow, CauseAction>) {
    guard mayGoOn(cause) else { return }
    switch random.below(8) {
    case 0, 1: store.value = lineage(cause.path)
    case 2: store.send(action(cause))
    case 3: task { store.value = self.lineage(cause.path) }
    default: act(cause)
    }
  }

  /// Does something that needs no store of one's own.
  private func act(_ cause: Lineage) {
    switch random.below(8) {
    case 0...2: random.pick(emitters).send(lineage(cause.path))
    case 3:
      let emitter = random.pick(emitters)
      emitter.post(lineage([]))
      emitter.send(lineage(cause.path))
    case 4: task { self.random.pick(self.emitters).send(self.lineage(cause.path)) }
    case 5: other.binder.value.wrappedValue = lineage([])
    case 6: store?.send(action(cause))
    default: task { self.store?.send(self.action(cause)) }
    }
  }

  private func write(_ cause: Lineage, in store: MutatingStore<CauseState, CauseAction>) {
    store[dynamicMember: random.pick(CauseState.cells)] = lineage(cause.path)
  }

  // MARK: - Hooks

  func connect(
    _ hook: CauseHook, _ store: MutatingStore<CauseState, CauseAction>
  ) -> Subscription {
    var signal = source(store)
    for _ in 0..<random.below(3) { signal = transformed(signal, store) }
    return signal.sink { self.act(Lineage(path: $0.path + ["\(hook)"]), in: store) }
  }

  func connect(
    _ hook: CauseRowHook, _ store: MutatingStore<CauseRow, CauseAction>
  ) -> Subscription {
    var signal: Values =
      switch random.below(4) {
      case 0: ticks()
      case 1: random.pick(emitters).signal
      case 2: store.publisher.value.map { $0 }
      default: store.publisher.value.includingCurrent()
      }
    if random.oneIn(2) { signal = delayed(signal) }
    return signal.sink { self.act(Lineage(path: $0.path + ["\(hook)"]), in: store) }
  }

  private func source(
    _ store: MutatingStore<CauseState, CauseAction>, ticks hasTicks: Bool = true
  ) -> Values {
    let cell = store.publisher[dynamicMember: random.pick(CauseState.cells)]
    return switch random.below(8) {
    case 0, 1: random.pick(emitters).signal
    case 2 where hasTicks: ticks()
    case 3: other.publisher.value.map { [self] _ in lineage([]) }
    case 4: both(store)
    default: cell.signal
    }
  }

  /// Each value of two cells, as it changes.
  private func both(_ store: MutatingStore<CauseState, CauseAction>) -> Values {
    let event = random.oneIn(2) ? delayed(random.pick(emitters).signal) : nil
    guard let event else {
      var last = Lineage()
      return combineLatest(store.publisher.a, store.publisher.b)
        .compactMap { now in
          defer { last = now.0 }
          return now.0 != last ? now.0 : now.1
        }
        .handleEvents(receiveSubscription: { last = store.a })
    }
    // A value may come twice, so that its arrival is what tells it from the one before.
    var arrivals = 0
    let numbered = event.map { value in
      arrivals += 1
      return (value, arrivals)
    }
    var lastArrival = 0
    return combineLatest(store.publisher.a, numbered).compactMap { now in
      if now.1.1 != lastArrival {
        lastArrival = now.1.1
        return now.1.0
      }
      return now.0
    }
  }

  private func transformed(
    _ signal: Values, _ store: MutatingStore<CauseState, CauseAction>
  ) -> Values {
    switch random.below(10) {
    case 0: signal.map { $0 }
    case 1: signal.removeDuplicates()
    case 2: signal.filter { $0.stamp % 5 != 0 }
    case 3: signal.merge(with: random.oneIn(2) ? delayed(source(store)) : source(store))
    case 4: signal.scan(Lineage()) { $1 }
    case 5: latest(signal, store)
    default: delayed(signal)
    }
  }

  private func delayed(_ signal: Values) -> Values {
    let time = Duration.seconds(1 + random.below(3))
    return random.oneIn(2)
      ? signal.debounce(for: time, clock: clock)
      : signal.throttle(for: time, latest: random.oneIn(2), clock: clock)
  }

  private func latest(
    _ signal: Values, _ store: MutatingStore<CauseState, CauseAction>
  ) -> Values {
    let choice = random.below(5)
    // The values of a timer that a value has started would follow from that value.
    let inner = source(store, ticks: false)
    let shared = inner.share(replay: 1 + random.below(2), lingering: .seconds(100), clock: clock)
    return signal.flatMapLatest { [self] value in
      switch choice {
      case 0: delayed(.just(value))
      case 1: inner
      case 2: shared
      default: later(value)
      }
    }
  }

  /// A source that sends a value after a while.
  private func later(_ value: Lineage) -> Values {
    Signal { [clock] subscriber in
      let timer = OneShotTimer.on(clock)
      timer.set(after: .seconds(2)) { subscriber.receive(value) }
      return Subscription { timer.cancel() }
    }
  }

  /// A timer that ticks for as long as it is observed.
  private func ticks() -> Values {
    Signal { [self] subscriber in
      let timer = OneShotTimer.on(clock)
      @MainActor func wait() {
        timer.set(after: .seconds(3)) { [self] in
          subscriber.receive(lineage([]))
          wait()
        }
      }
      wait()
      return Subscription { timer.cancel() }
    }
  }
}
