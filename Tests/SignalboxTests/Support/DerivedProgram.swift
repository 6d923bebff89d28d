import RandomPrograms

@testable import Signalbox

/// A state with everything that a derived value can read.
struct DerivedState: Equatable {
  struct Row: Equatable, Identifiable {
    var id: Int
    var x = 0
    var y = 0
  }
  struct Inner: Equatable { var p = 0, q = 0 }

  var numbers = Numbers()
  var a = 0
  var b = 0
  var rows = [Row(id: 1), Row(id: 2), Row(id: 3)]
  var inner = Inner()

  struct Numbers: Equatable { var c = 0, d = 0 }
}

/// What a derived value computes.
indirect enum DerivedFormula {
  case a, b, c, rows, eachX, p, innerDerived, child
  case other(Int)
  case sum(DerivedFormula, DerivedFormula)
  case choice(DerivedFormula, DerivedFormula, DerivedFormula)
  case parity(DerivedFormula)

  /// - Parameter number: the formula may read derived values with lower numbers.
  init(_ random: inout SeededRandom, number: Int, depth: Int) {
    if depth > 0, !random.oneIn(3) {
      let next = { (random: inout SeededRandom) in
        DerivedFormula(&random, number: number, depth: depth - 1)
      }
      switch random.below(3) {
      case 0: self = .sum(next(&random), next(&random))
      case 1: self = .choice(next(&random), next(&random), next(&random))
      default: self = .parity(next(&random))
      }
    } else {
      if number > 0, random.oneIn(2) {
        self = .other(random.below(number))
      } else {
        self = random.pick([.a, .b, .c, .rows, .eachX, .p, .innerDerived, .child])
      }
    }
  }

  /// The value from nothing, and everything that was read, as text.
  func value(in state: DerivedState, of all: [DerivedFormula], _ reads: inout [String]) -> Int {
    func read(_ name: String, _ value: Int) -> Int {
      reads.append("\(name) \(value)")
      return value
    }
    switch self {
    case .a: return read("a", state.a)
    case .b: return read("b", state.b)
    case .c: return read("c", state.numbers.c)
    case .rows:
      reads.append("rows \(state.rows)")
      return state.rows.reduce(0) { $0 + $1.x }
    case .eachX:
      reads.append("each \(state.rows.map(\.x))")
      return state.rows.reduce(0) { $0 + $1.x }
    case .p: return read("p", state.inner.p)
    case .innerDerived: return read("inner", state.inner.p + 1)
    case .child:
      return read("child", (state.rows.first { $0.id == 1 }?.x ?? 0) * 2 + state.b % 2)
    case .other(let number):
      var others: [String] = []
      return read("\(number):", all[number].value(in: state, of: all, &others))
    case .sum(let l, let r):
      return l.value(in: state, of: all, &reads) + r.value(in: state, of: all, &reads)
    case .choice(let condition, let yes, let no):
      let isYes = condition.value(in: state, of: all, &reads) % 2 == 0
      return (isYes ? yes : no).value(in: state, of: all, &reads)
    case .parity(let inner): return inner.value(in: state, of: all, &reads) % 2
    }
  }

  /// The derived values that it may read, with those that they may read.
  func mayRead(_ number: Int, of all: [DerivedFormula]) -> Bool {
    switch self {
    case .a, .b, .c, .rows, .eachX, .p, .innerDerived, .child: false
    case .other(let other): other == number || all[other].mayRead(number, of: all)
    case .sum(let l, let r): l.mayRead(number, of: all) || r.mayRead(number, of: all)
    case .choice(let condition, let yes, let no):
      [condition, yes, no].contains { $0.mayRead(number, of: all) }
    case .parity(let inner): inner.mayRead(number, of: all)
    }
  }
}

/// Random formulas, and steps that write, read, observe, and show changes that are not certain.
struct DerivedProgram {
  enum Write {
    case a(Int)
    case b(Int)
    case c(Int)
    case d(Int)
    case p(Int)
    case q(Int)
    case x(row: Int, Int)
    case y(row: Int, Int)
    case swap, append
  }

  enum Way: CaseIterable { case assigned, inPlace, updated, child }

  enum Step {
    case write(Write, Way)
    case read(Int)
    case batch([Step])
    case observe(Int)
    case combine(Int, Int)
    case track(Int)
    case cancel(Int)
    case show(Write)
    case end(Int, isConfirmed: Bool)
  }

  let seed: UInt64
  private(set) var formulas: [DerivedFormula] = []
  private(set) var steps: [Step] = []
  /// What the sink that receives the n-th value does.
  private(set) var reactions: [Int: Step] = [:]

  init(seed: UInt64) {
    self.seed = seed
    var random = SeededRandom(seed: seed)
    for number in 0..<5 {
      formulas.append(DerivedFormula(&random, number: number, depth: 2))
    }
    // Most programs have none, because everything is compared while a change is pending.
    let hasPending = random.oneIn(3)
    steps = random.list(10 + random.below(25)) { Self.step(&$0, hasPending: hasPending) }
    for _ in 0..<random.below(8) {
      reactions[random.below(20)] = Self.writeOrRead(&random)
    }
  }

  private static func step(_ random: inout SeededRandom, hasPending: Bool) -> Step {
    if hasPending, random.oneIn(4) {
      return random.oneIn(2)
        ? .show(write(&random)) : .end(random.below(3), isConfirmed: random.oneIn(2))
    }
    return switch random.below(13) {
    case 12: .track(random.below(5))
    case 0...1: .batch(random.list(1 + random.below(6)) { writeOrRead(&$0) })
    case 2: .observe(random.below(5))
    case 3: .combine(random.below(5), random.below(5))
    case 4: .cancel(random.below(6))
    default: writeOrRead(&random)
    }
  }

  private static func writeOrRead(_ random: inout SeededRandom) -> Step {
    if random.oneIn(3) { return .read(random.below(5)) }
    return .write(write(&random), random.pick(Way.allCases))
  }

  private static func write(_ random: inout SeededRandom) -> Write {
    let (value, row) = (random.below(3), random.below(3))
    return switch random.below(12) {
    case 0...1: .a(value)
    case 2: .b(value)
    case 3: .c(value)
    case 4: .d(value)
    case 5: .p(value)
    case 6: .q(value)
    case 7...8: .x(row: row, value)
    case 9: .y(row: row, value)
    case 10: .swap
    default: .append
    }
  }

  var description: String {
    (["seed \(seed)"] + formulas.enumerated().map { "  \($0) = \($1)" }
      + steps.map { "  \($0)" }
      + reactions.sorted { $0.key < $1.key }.map { "  told value \($0.key): \($0.value)" })
      .joined(separator: "\n")
  }
}

extension DerivedProgram.Write {
  func apply(to state: inout DerivedState) {
    switch self {
    case .a(let value): state.a = value
    case .b(let value): state.b = value
    case .c(let value): state.numbers.c = value
    case .d(let value): state.numbers.d = value
    case .p(let value): state.inner.p = value
    case .q(let value): state.inner.q = value
    case .x(let row, let value): state.rows[row].x = value
    case .y(let row, let value): state.rows[row].y = value
    case .swap: state.rows.swapAt(0, 1)
    case .append: state.rows.append(DerivedState.Row(id: state.rows.count + 1))
    }
  }
}
