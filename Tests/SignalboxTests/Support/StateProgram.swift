import RandomPrograms
import Signalbox

/// A step of a random program, or of a sink that receives a value.
@MainActor indirect enum StateStep {
  case assign(StateLens, Int)
  case force(StateLens, Int)
  case mutate(StateLens, Int)
  case update([(lens: StateLens, seed: Int)])
  case batch([StateStep])
  case observe(StateLens)
  case cancel(Int)

  var description: String {
    switch self {
    case .assign(let lens, let seed): "\(lens.name) = \(seed)"
    case .force(let lens, let seed): "\(lens.name) =! \(seed)"
    case .mutate(let lens, let seed): "\(lens.name).mutate(\(seed))"
    case .update(let writes): "update { \(writes.map { "\($0.lens.name) = \($0.seed)" }) }"
    case .batch(let steps): "batch { \(steps.map(\.description).joined(separator: "; ")) }"
    case .observe(let lens): "observe \(lens.name)"
    case .cancel(let number): "cancel \(number)"
    }
  }
}

/// Which steps a batch may contain.
enum StateBatches {
  /// Each part at most once, and no two parts that overlap.
  case apart
  /// Any steps, including nested batches and updates.
  case anything
}

/// A program, with the steps from outside and the steps of the sink that receives the n-th value.
@MainActor struct StateProgram {
  let seed: UInt64
  private(set) var steps: [StateStep] = []
  private(set) var reactions: [Int: StateStep] = [:]

  init(seed: UInt64, batches: StateBatches, coming: Bool) {
    self.seed = seed
    var random = SeededRandom(seed: seed)
    for _ in 0..<(2 + random.below(8)) { steps.append(.observe(Self.lens(&random))) }
    for _ in 0..<(3 + random.below(10)) {
      steps.append(Self.step(&random, batches: batches, coming: coming))
    }
    for _ in 0..<random.below(8) {
      reactions[random.below(25)] = Self.step(&random, batches: batches, coming: coming)
    }
  }

  var description: String {
    let steps = steps.map { "  \($0.description)" }
    let told = reactions.sorted { $0.key < $1.key }.map {
      "  told value \($0.key): \($0.value.description)"
    }
    return (["seed \(seed)"] + steps + told).joined(separator: "\n")
  }

  private static func lens(_ random: inout SeededRandom) -> StateLens {
    StateLens.all[random.below(StateLens.all.count)]
  }

  private static func step(
    _ random: inout SeededRandom, batches: StateBatches, coming: Bool
  ) -> StateStep {
    if coming, random.oneIn(3) {
      return random.oneIn(2) ? .observe(lens(&random)) : .cancel(random.below(10))
    }
    switch random.below(8) {
    case 0...3: return write(&random)
    case 4:
      return .update(random.list(1 + random.below(3)) { (lens: lens(&$0), seed: $0.below(4)) })
    default:
      switch batches {
      case .apart: return .batch(apart(&random))
      case .anything: return .batch(anything(&random))
      }
    }
  }

  private static func write(_ random: inout SeededRandom) -> StateStep {
    let lens = lens(&random)
    return switch random.below(5) {
    case 0...1: .assign(lens, random.below(4))
    case 2: .force(lens, random.below(4))
    default: lens.isComparable ? .mutate(lens, random.below(4)) : .assign(lens, random.below(4))
    }
  }

  private static func apart(_ random: inout SeededRandom) -> [StateStep] {
    var used: [StateLens] = []
    var steps: [StateStep] = []
    for _ in 0..<random.below(5) {
      let lens = lens(&random)
      // `headline` is an alias of `text`. Parts inside a trivially copyable value are left out,
      // because a batch compares them differently.
      let isFree = !lens.path.isEmpty && lens.name != "headline" && !used.contains(lens)
      guard isFree else { continue }
      used.append(lens)
      let seed = random.below(4)
      switch random.below(3) {
      case 0: steps.append(.force(lens, seed))
      case 1 where !lens.isTrivial && lens.isComparable: steps.append(.mutate(lens, seed))
      default: steps.append(.assign(lens, seed))
      }
    }
    return steps
  }

  private static func anything(_ random: inout SeededRandom) -> [StateStep] {
    random.list(random.below(5)) { random in
      switch random.below(7) {
      case 0: .batch(anything(&random))
      case 2: .observe(lens(&random))
      case 1: .update(random.list(2) { (lens: lens(&$0), seed: $0.below(4)) })
      default: write(&random)
      }
    }
  }
}

extension [StateLens] {
  fileprivate func contains(_ lens: StateLens) -> Bool {
    MainActor.assumeIsolated { contains { $0.overlaps(lens) } }
  }
}
