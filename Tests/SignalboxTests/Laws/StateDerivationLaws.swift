import RandomPrograms
import Signalbox
import Testing

/// Random trees of key paths, `map`, `removeDuplicates` and `combineLatest` over two stores.
///
/// An oracle computes their outputs afresh from the state of each commit.
@MainActor struct StateDerivationLaws {
  @Test("S7 S8 law: a state signal gives at most one output per commit, computed from its state")
  func trees() {
    for seed in LawPrograms.seeds(1_500) { check(TreeProgram(seed: seed)) }
  }

  private func check(_ program: TreeProgram) {
    let told = TreeRun(program).told
    let expected = TreeByTheBook(program).told
    guard told != expected else { return }
    let place = zip(told, expected).enumerated().first { $1.0 != $1.1 }?.offset
    let index = place ?? min(told.count, expected.count)
    Issue.record(
      """
      The library told \(index < told.count ? told[index] : "nothing more")
      instead of       \(index < expected.count ? expected[index] : "nothing more")
      after            \(expected.prefix(index).suffix(4))
      \(program.description)
      """)
  }
}

/// The steps from outside, and the steps of the sink that receives the n-th value.
@MainActor private struct TreeProgram {
  enum Step {
    case write(store: Int, [(property: Int, value: Int)])
    case observe(Int)
    case cancel(Int)
  }

  let seed: UInt64
  private(set) var trees: [StateTree] = []
  private(set) var steps: [Step] = []
  private(set) var reactions: [Int: Step] = [:]

  init(seed: UInt64) {
    self.seed = seed
    var random = SeededRandom(seed: seed)
    trees = random.list(5) { StateTree(&$0, depth: 3) }
    steps = (0..<3).map { .observe($0) }
    steps += random.list(4 + random.below(10), Self.step)
    for _ in 0..<random.below(10) { reactions[random.below(25)] = Self.step(&random) }
  }

  private static func step(_ random: inout SeededRandom) -> Step {
    switch random.below(10) {
    case 0: .observe(random.below(5))
    case 1: .cancel(random.below(6))
    default:
      .write(
        store: random.below(2),
        random.list(1 + random.below(3)) { (property: $0.below(3), value: $0.below(4)) })
    }
  }

  var description: String {
    (["seed \(seed)"] + trees.enumerated().map { "  tree \($0): \($1.description)" }
      + steps.map { "  \($0)" }
      + reactions.sorted { $0.key < $1.key }.map { "  told value \($0.key): \($0.value)" })
      .joined(separator: "\n")
  }
}

@MainActor private final class TreeRun {
  private(set) var told: [String] = []
  private let stores = [StateRig(LawNumbers()), StateRig(LawNumbers())]
  private var subscriptions: [Subscription] = []
  private let program: TreeProgram

  init(_ program: TreeProgram) {
    self.program = program
    for step in program.steps { carryOut(step) }
    subscriptions = []
  }

  private func carryOut(_ step: TreeProgram.Step) {
    switch step {
    case .write(let store, let values):
      let write = stores[store].write
      // One value is assigned. Several values are written by an update or by a batch in turn.
      if values.count == 3 {
        write.update {
          for (property, value) in values { $0[keyPath: Self.path(property)] = value }
        }
      } else {
        write.batch { for (property, value) in values { write.set(Self.path(property), value) } }
      }
    case .observe(let tree):
      let number = subscriptions.count
      subscriptions.append(
        program.trees[tree].signal(of: stores).sink { [weak self] in
          self?.receive("\(number): \($0)")
        })
    case .cancel(let number):
      if number < subscriptions.count { subscriptions[number].cancel() }
    }
  }

  private static func path(_ property: Int) -> WritableKeyPath<LawNumbers, Int> {
    LawNumbers.keyPaths[property]
  }

  private func receive(_ line: String) {
    let reaction = program.reactions[told.count]
    told.append(line)
    if let reaction { carryOut(reaction) }
  }
}

@MainActor private final class TreeByTheBook {
  private struct Commit {
    let store: Int
    let state: LawNumbers
    let observers: Int
  }

  private struct Observer {
    let tree: StateTreeOracle
    /// The last states that it was notified of, at first those at the time of the subscription.
    var states: [LawNumbers]
    var isCancelled = false
  }

  private(set) var told: [String] = []
  private var states = [LawNumbers(), LawNumbers()]
  private var observers: [Observer] = []
  private var commits: [Commit] = []
  private var isDelivering = false
  private let program: TreeProgram

  init(_ program: TreeProgram) {
    self.program = program
    for step in program.steps { carryOut(step) }
  }

  private func carryOut(_ step: TreeProgram.Step) {
    switch step {
    case .write(let store, let values):
      for (property, value) in values {
        states[store][keyPath: LawNumbers.keyPaths[property]] = value
      }
      commits.append(Commit(store: store, state: states[store], observers: observers.count))
      if !isDelivering { deliver() }
    case .observe(let tree):
      observers.append(
        Observer(tree: StateTreeOracle(program.trees[tree], states), states: states))
    case .cancel(let number):
      if number < observers.count { observers[number].isCancelled = true }
    }
  }

  private func deliver() {
    isDelivering = true
    var next = 0
    while next < commits.count {
      let commit = commits[next]
      next += 1
      for number in 0..<commit.observers where !observers[number].isCancelled {
        observers[number].states[commit.store] = commit.state
        let tree = observers[number].tree
        guard tree.advance(to: observers[number].states) else { continue }
        let reaction = program.reactions[told.count]
        told.append("\(number): \(tree.value)")
        if let reaction { carryOut(reaction) }
      }
    }
    commits = []
    isDelivering = false
  }
}
