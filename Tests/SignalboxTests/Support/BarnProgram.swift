import RandomPrograms

@testable import Signalbox

/// A random program that a store and an oracle carry out side by side.
@MainActor final class BarnProgram: BarnBody {
  typealias Edit = (inout Barn) -> Void
  typealias RowEdit = (inout BarnRow) -> Void

  private(set) var problem: String?
  var steps: [String] = []
  var oracle = BarnOracle()
  var random: SeededRandom
  let live = LiveChildren()
  var made: Store<Barn, BarnJob>?
  var told: [String] = []
  var heard: [String] = []
  var handled: [(Int, Barn)] = []
  var last = 0

  /// The work that is under way, and that is over and has not returned.
  var tasks: [Int: ActionTask] = [:]
  var doors: [Int: CheckedContinuation<Void, any Error>] = [:]
  var plans: [Int: [Plan]] = [:]
  var barns: [Int: MutatingStore<Barn, BarnJob>] = [:]
  var children: [Int: MutatingStore<BarnRow, BarnJob>] = [:]
  var changes: [Int: Handle] = [:]

  struct Plan {
    let number: Int
    let edit: Edit
    /// What it does to the state of the child that does the work; `nil` for a change of the barn.
    let rowEdit: RowEdit?
  }

  enum Handle {
    case barn(PendingChange<Barn>)
    case row(PendingChange<BarnRow>)
  }

  var store: Store<Barn, BarnJob> {
    guard let made else { fatalError("The program has not begun.") }
    return made
  }

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  func run(steps count: Int) async {
    made = Store(state: Barn(), interactor: BarnFeature(live: live, body: self))
    var subscriptions = observe()
    for _ in 0..<count where problem == nil {
      oracle.beginStep()
      (told, heard, handled) = ([], [], [])
      await step()
      check()
    }
    subscriptions = []
    withExtendedLifetime(subscriptions) {}
    made = nil
    for door in doors.values { door.resume() }
    doors = [:]
    for task in tasks.values { await task.value }
  }

  func observe() -> [Subscription] {
    func tell<Part>(_ name: String, _ signal: some SignalConvertible<Part>) -> Subscription {
      signal.signal.sink { [weak self] in self?.told.append("\(name): \($0)") }
    }
    let state = store.publisher
    return [
      tell("title", state.title), tell("echo", state.echo), tell("count", state.count),
      tell("tags", state.tags), tell("rows", state.rows),
      tell("names", state.named.map { $0.keys.sorted() }.removeDuplicates()),
      state.guest.sink { [weak self] in self?.told.append("guest: \(String(describing: $0))") },
      tell("gate", state.gate), tell("attic", state.attic),
      tell("whole", state),
      combineLatest(state.title, state.count).sink { [weak self] in
        self?.told.append("both: \($0) \($1)")
      },
    ]
  }

  // MARK: - Checks

  func check() {
    expect("state", store.state, oracle.shown)
    expect("truth", store.instruments.truth, oracle.truth)
    expect("live", live.names, oracle.live)
    for place in oracle.truth.places {
      expect("child \(place)", child(place)?.state, oracle.state(of: place))
    }
    lookAtShown()
    if !oracle.isOpen {
      expect("told", told, oracle.told)
      expect("heard", heard.sorted(), oracle.heard.sorted())
    }
    if handled.count == 1, !oracle.isOpen { expect("handled", handled[0].1, oracle.shown) }
  }

  /// Looks at rows that only a pending change shows, and writes in their stores, which changes nothing.
  func lookAtShown() {
    for place in oracle.shown.places where oracle.truth[place] == nil && random.oneIn(2) {
      // While another row is in the place of an only one, the child is that of the other.
      guard !place.isTaken(in: oracle.truth), let child = child(place) else { continue }
      expect("shown \(place)", child.state, oracle.shown[place] ?? child.state)
      expect(
        "note of shown \(place)", child.child(\.note, BarnNoteFeature.self)?.state,
        oracle.shown[place]?.note)
      child.binder.text.wrappedValue = "dropped"
      child.send(BarnJob(number: 0, name: nil))
    }
    expect("state", store.state, oracle.shown)
  }

  func expect<Value: Equatable>(_ what: String, _ value: Value, _ expected: Value) {
    guard problem == nil, value != expected else { return }
    problem = "\(what):\n  \(value)\ninstead of\n  \(expected)\n  \(steps.suffix(16))"
  }

  func hears(_ place: BarnPlace, _ text: String) { heard.append("\(place): \(text)") }

  func handles(_ number: Int) { if let made { handled.append((number, made.state)) } }

  // MARK: - Steps

  func step() async {
    switch random.below(10) {
    case 0:
      if let work = oracle.works.keys.sorted().randomElement(using: &random) {
        await end(work, fails: random.oneIn(2))
      }
    case 1:
      steps.append("batch")
      // The library's batch runs in the same order as the oracle's.
      let start = steps.count
      var copy = oracle
      copy.batch { oracle in
        swap(&oracle, &self.oracle)
        store.instruments.arranging.batch {
          for _ in 0..<2 + random.below(3) { act() }
        }
        swap(&oracle, &self.oracle)
      }
      oracle = copy
      steps[start - 1] += " of \(steps.count - start)"
    default: act()
    }
  }

  func act() {
    switch random.below(12) {
    case 0, 1, 2: write()
    case 3: writeInChild()
    case 4: update()
    case 5, 6: start()
    case 7: add()
    case 8: confirm()
    case 9: revert()
    case 10: cancel()
    default: writeStale()
    }
  }

  func number() -> Int {
    last += 1
    return last
  }
}
