import Observation
import RandomPrograms
import Testing

@testable import Signalbox

/// Random derived values, writes, reads and observers, against computing everything from nothing.
@MainActor struct DerivedLaws {
  @Test("V1 V2 V3 V5 S7 O3 law: derived values are right, and computed only if they must be")
  func programs() {
    for seed in LawPrograms.seeds(500) {
      let program = DerivedProgram(seed: seed)
      let run = DerivedRun(program)
      guard let mistake = run.mistake else { continue }
      Issue.record("\(mistake)\n\(program.description)")
      return
    }
  }
}

/// One run, which notes the first mistake.
@MainActor private final class DerivedRun {
  /// A derived value as its rules say it is.
  private struct Known {
    /// What the last computation outside of a batch has read; `nil` before the first one.
    var reads: [String]?
    /// Whether a commit has changed one of them since.
    var isDue = true
    /// The commit after which it was computed last.
    var commit = -1
  }

  private struct Observer {
    let subscription: Subscription
    let evaluate: (DerivedState) -> [Int]
    let numbers: [Int]
    var told: [[Int]] = []
    var expected: [[Int]] = []
    var isCancelled = false
  }

  /// Code that has read a value in `withObservationTracking`.
  private struct Tracker {
    let number: Int
    let tally: SharedCount
    var expected = 0
  }

  private(set) var mistake: String?
  private let program: DerivedProgram
  private let store = Store(state: DerivedState(), interactor: DerivedHouse())
  private var values: [Derived<DerivedState, Int>] = []
  private var known: [Known] = []
  private var observers: [Observer] = []
  private var trackers: [Tracker] = []
  private var commits = 0
  private var told = 0
  private var computations = 0
  private var isInBatch = false
  private var isReading = false
  private let innerValue = Derived<DerivedState.Inner, Int>("inner") { $0.p + 1 }
  private let rootValue = Derived<DerivedState, Int>("root") { $0.b % 2 }
  private lazy var rowValue = Derived<DerivedState.Row, Int>("row") { [unowned self] in
    $0.x * 2 + store[rootValue]
  }
  private lazy var rowStore = store.child(\.rows, id: 1, DerivedHouse.Closet.self)
  private var truth = DerivedState()
  private var changes: [UncertainChange] = []

  private var write: MutatingStore<DerivedState, UncertainChange> { store.instruments.arranging }

  init(_ program: DerivedProgram) {
    self.program = program
    for number in program.formulas.indices {
      known.append(Known())
      values.append(
        Derived("\(number)") { [unowned self] in
          willCompute(number)
          return read(program.formulas[number], $0)
        })
    }
    // Before a closure asks for it, which must not begin a child.
    _ = rowStore
    for (number, step) in program.steps.enumerated() where mistake == nil {
      carryOut(step)
      checkObservers()
      if let found = mistake { mistake = "\(found), in step \(number), \(step)" }
    }
    observers = []
  }

  private func note(_ text: String) { if mistake == nil { mistake = text } }

  private func evaluate(_ number: Int, _ state: DerivedState) -> Int {
    var reads: [String] = []
    return program.formulas[number].value(in: state, of: program.formulas, &reads)
  }

  private func reads(_ number: Int, _ state: DerivedState) -> [String] {
    var reads: [String] = []
    _ = program.formulas[number].value(in: state, of: program.formulas, &reads)
    return reads
  }

  // MARK: - Computations

  private func read(_ formula: DerivedFormula, _ state: Reader<DerivedState>) -> Int {
    switch formula {
    case .a: state.a
    case .b: state.b
    case .c: state.part(\.numbers).c
    case .rows: state.rows.reduce(0) { $0 + $1.x }
    case .eachX: state.each(\.rows, \.x).reduce(0, +)
    case .p: state.part(\.inner).p
    case .innerDerived: state.part(\.inner)[innerValue]
    case .child: rowStore?[rowValue] ?? -1
    case .other(let number): state[values[number]]
    case .sum(let l, let r): read(l, state) + read(r, state)
    case .choice(let condition, let yes, let no):
      read(condition, state) % 2 == 0 ? read(yes, state) : read(no, state)
    case .parity(let inner): read(inner, state) % 2
    }
  }

  private func willCompute(_ number: Int) {
    computations += 1
    if isInBatch { return }
    if known[number].reads != nil, !known[number].isDue {
      note("\(number) was computed although nothing that it had read has changed")
    }
    if known[number].commit == commits { note("\(number) was computed twice for a commit") }
    let observed =
      observers.filter { !$0.isCancelled }.flatMap(\.numbers)
      + trackers.filter { $0.tally.value == 0 }.map(\.number)
    let isObserved = observed.contains {
      $0 == number || program.formulas[$0].mayRead(number, of: program.formulas)
    }
    if !isObserved, !isReading { note("\(number) was computed although nothing reads it") }
    known[number] = Known(reads: reads(number, write.state), isDue: false, commit: commits)
  }

  // MARK: - Steps

  private func carryOut(_ step: DerivedProgram.Step) {
    switch step {
    case .write(let write, let way): commit([.write(write, way)]) { perform(write, way) }
    case .read(let number): check(number)
    case .batch(let steps):
      commit(steps) {
        write.batch {
          isInBatch = true
          for step in steps {
            switch step {
            case .write(let write, let way): perform(write, way)
            case .read(let number):
              check(number)
              let before = computations
              check(number)
              if computations != before { note("\(number) was computed twice in a row in a batch") }
            default: break
            }
          }
          isInBatch = false
        }
      }
    case .observe(let number): observe([number], values[number].signal(in: store).map { [$0] })
    case .combine(let one, let other):
      observe(
        [one, other],
        combineLatest(
          store.publisher[values[one]], store.publisher.a, store.publisher[values[other]]
        ).map { [$0, $1, $2] }
      ) { [unowned self] in
        [evaluate(one, $0), $0.a, evaluate(other, $0)]
      }
    case .track(let number):
      let tally = SharedCount()
      isReading = true
      withObservationTracking {
        _ = store[values[number]]
      } onChange: {
        tally.increase()
      }
      isReading = false
      trackers.append(Tracker(number: number, tally: tally))
    case .cancel(let number):
      guard number < observers.count else { return }
      observers[number].subscription.cancel()
      observers[number].isCancelled = true
    case .show(let write):
      changes.append(UncertainChange(write))
      commit { store.dispatch(changes[changes.count - 1]) }
    case .end(let number, let isConfirmed):
      guard number < changes.count else { return }
      let change = changes.remove(at: number)
      if isConfirmed { change.write.apply(to: &truth) }
      commit { isConfirmed ? change.pending?.confirm() : change.pending?.revert() }
    }
  }

  private func observe(
    _ numbers: [Int], _ signal: Signal<[Int]>, _ evaluate: ((DerivedState) -> [Int])? = nil
  ) {
    let place = observers.count
    isReading = true
    let subscription = signal.sink { [unowned self] value in
      observers[place].told.append(value)
      let reaction = program.reactions[told]
      told += 1
      if let reaction { carryOut(reaction) }
    }
    isReading = false
    observers.append(
      Observer(
        subscription: subscription,
        evaluate: evaluate ?? { [unowned self] in [self.evaluate(numbers[0], $0)] },
        numbers: numbers))
  }

  private func check(_ number: Int) {
    let wasReading = exchange(&isReading, with: true)
    let (value, expected) = (store[values[number]], evaluate(number, write.state))
    isReading = wasReading
    if value != expected { note("\(number) is \(value) instead of \(expected)") }
  }

  private func commit(_ steps: [DerivedProgram.Step], _ body: () -> Void) {
    let isInPlace = steps.contains {
      switch $0 {
      case .write(_, .inPlace), .write(_, .child): true
      default: false
      }
    }
    for case .write(let write, _) in steps {
      write.apply(to: &truth)
      // A change in place or of a child counts, even if the batch changes it back (V4).
      if isInPlace, changes.isEmpty { noteDue(in: truth) }
    }
    commit(body)
  }

  /// Notes what follows from a commit, and makes it.
  private func commit(_ body: () -> Void) {
    let old = write.state
    let new = changes.reduce(into: truth) { $1.write.apply(to: &$0) }
    commits += 1
    noteDue(in: new)
    for index in observers.indices where !observers[index].isCancelled {
      let value = observers[index].evaluate(new)
      if value != observers[index].evaluate(old) { observers[index].expected.append(value) }
    }
    for index in trackers.indices
    where evaluate(trackers[index].number, new) != evaluate(trackers[index].number, old) {
      trackers[index].expected = 1
    }
    body()
  }

  private func noteDue(in state: DerivedState) {
    for number in known.indices {
      guard let reads = known[number].reads else { continue }
      if reads != self.reads(number, state) { known[number].isDue = true }
    }
  }

  private func checkObservers() {
    for tracker in trackers where tracker.tally.value != tracker.expected {
      note("a tracker of \(tracker.number) was told \(tracker.tally.value) times")
    }
    for (number, observer) in observers.enumerated() where observer.told != observer.expected {
      note("observer \(number) was told \(observer.told) instead of \(observer.expected)")
    }
  }

  private func closet(of row: Int) -> MutatingStore<DerivedState.Row, Never>? {
    store.child(\.rows, id: write.rows[row].id, DerivedHouse.Closet.self)?.instruments.arranging
  }

  private func perform(_ write: DerivedProgram.Write, _ way: DerivedProgram.Way) {
    let store = self.write
    // The other ways write what they have read, which may be a pending change.
    if !changes.isEmpty { return store.update { write.apply(to: &$0) } }
    switch (way, write) {
    case (.assigned, _):
      var state = store.state
      write.apply(to: &state)
      switch write {
      case .a: store.a = state.a
      case .b: store.b = state.b
      case .c: store.numbers.c = state.numbers.c
      case .d: store.set(\.numbers.d, state.numbers.d)
      case .p, .q: store.inner = state.inner
      case .x, .y, .swap, .append: store.rows = state.rows
      }
    case (.inPlace, .a(let value)): store.a += value - store.a
    case (.inPlace, .p(let value)): store.inner.p += value - store.inner.p
    case (.inPlace, .x(let row, let value)) where store.rows[row].x != value:
      store.rows[row].x = value
    case (.inPlace, .y(let row, let value)) where store.rows[row].y != value:
      store.rows[row].y = value
    case (.child, .x(let row, let value)):
      closet(of: row)?.x = value
    case (.child, .y(let row, let value)):
      closet(of: row)?.y = value
    case (.child, .p(let value)):
      self.store.child(\.inner, DerivedHouse.Room.self).instruments.arranging.p = value
    case (.child, .q(let value)):
      self.store.child(\.inner, DerivedHouse.Room.self).instruments.arranging.q = value
    default: store.update { write.apply(to: &$0) }
    }
  }
}

extension Derived<DerivedState, Int> {
  fileprivate func signal<Action>(in store: Store<DerivedState, Action>) -> Signal<Int> {
    store.publisher[self]
  }
}
