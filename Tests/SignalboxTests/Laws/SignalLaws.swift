import RandomPrograms
import Signalbox
import Testing

/// Random programs that the library and an oracle carry out, where the oracle is a plain queue.
@MainActor struct SignalLaws {
  @Test(
    "S1 S3 S4 S5 S11 re-entrant programs of subscribe, cancel, send and finish behave like a queue")
  func programs() {
    var delivered = 0
    let seeds = LawPrograms.seeds(600)
    for seed in seeds {
      let program = Program(seed: seed)
      let expected = Oracle(program).run()
      let told = Machine(program).run()
      delivered += told.count
      #expect(told == expected, "seed \(seed)\n\(program)")
      if told != expected { return }
    }
    #expect(delivered > 10 * seeds.count, "the programs do something")
  }

  @Test("random chains of operators give what the same operators of arrays give")
  func chains() {
    for seed in LawPrograms.seeds(300) {
      var random = SeededRandom(seed: seed)
      let chain = (0..<random.below(6)).map { _ in SignalChainLink(&random) }
      let values = (0..<random.below(12)).map { _ in random.below(6) }
      let emitter = Emitter<Int>()
      var told: [Int] = []
      let signal = chain.reduce(emitter.signal) { $1.apply($0) }
      let subscription = signal.sink(
        receiveCompletion: { told.append(-1) }, receiveValue: { told.append($0) })
      for value in values { emitter.send(value) }
      emitter.finish()
      let expected = chain.reduce(values) { $1.apply($0) } + [-1]
      #expect(told == expected, "seed \(seed): \(chain) of \(values)")
      withExtendedLifetime(subscription) {}
    }
  }
}

/// A step of a program, in which emitters and subscribers are identified by number.
private indirect enum Step {
  case send(Int, Int)
  case finish(Int)
  case cancel(Int)
  case subscribe(Int, Script)
}

/// What a subscriber does at its first value, at its second, and so on, and at the end.
private struct Script {
  var steps: [[Step]] = []
  var last: [Step] = []
}

private struct Program: CustomStringConvertible {
  static let emitters = 3
  var steps: [Step] = []

  init(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    steps = (0..<4 + random.below(12)).map { _ in Self.step(&random, depth: 0) }
  }

  private static func step(_ random: inout SeededRandom, depth: Int) -> Step {
    switch random.below(20) {
    case 0..<7: return .send(random.below(emitters), random.below(100))
    case 7: return .finish(random.below(emitters))
    case 8..<11: return .cancel(random.below(12))
    default:
      guard depth < 4 else { return .send(random.below(emitters), random.below(100)) }
      var script = Script()
      for _ in 0..<random.below(4) {
        script.steps.append(steps(&random, depth: depth + 1))
      }
      script.last = steps(&random, depth: depth + 1)
      return .subscribe(random.below(emitters), script)
    }
  }

  private static func steps(_ random: inout SeededRandom, depth: Int) -> [Step] {
    (0..<random.below(4)).map { _ in step(&random, depth: depth) }
  }

  var description: String { steps.map { "\($0)" }.joined(separator: "\n") }
}

/// Runs a program with the library.
@MainActor private final class Machine {
  private let program: Program
  private let emitters = (0..<Program.emitters).map { _ in Emitter<Int>() }
  private var subscriptions: [Subscription?] = []
  private var told: [String] = []

  init(_ program: Program) { self.program = program }

  func run() -> [String] {
    for step in program.steps {
      run(step)
      told.append("|")
    }
    subscriptions = []
    return told
  }

  private func run(_ step: Step) {
    switch step {
    case .send(let emitter, let value): emitters[emitter].send(value)
    case .finish(let emitter): emitters[emitter].finish()
    case .cancel(let number):
      if subscriptions.indices.contains(number) { subscriptions[number]?.cancel() }
    case .subscribe(let emitter, let script):
      let number = subscriptions.count
      subscriptions.append(nil)
      var count = 0
      subscriptions[number] = emitters[emitter].sink(
        receiveCompletion: {
          self.told.append("\(number).")
          script.last.forEach(self.run)
        },
        receiveValue: { value in
          self.told.append("\(number):\(value)")
          count += 1
          if count <= script.steps.count { script.steps[count - 1].forEach(self.run) }
        })
    }
  }
}

/// Runs a program as the contract describes it.
private final class Oracle {
  private final class Listener {
    let number: Int
    let emitter: Int
    let script: Script
    var count = 0
    var isOver = false

    init(number: Int, emitter: Int, script: Script) {
      self.number = number
      self.emitter = emitter
      self.script = script
    }
  }

  private let program: Program
  private var listeners: [Listener] = []
  private var finished: Set<Int> = []
  private var queue: [() -> Void] = []
  private var isRunning = false
  private var told: [String] = []

  init(_ program: Program) { self.program = program }

  func run() -> [String] {
    for step in program.steps {
      run(step)
      told.append("|")
    }
    return told
  }

  private func run(_ step: Step) {
    switch step {
    case .send(let emitter, let value):
      guard !finished.contains(emitter) else { return }
      // The current subscribers that are still subscribed at their turn (S3, S4).
      let listening = listeners.filter { $0.emitter == emitter && !$0.isOver }
      enqueue { for listener in listening { self.tell(listener, value) } }
    case .finish(let emitter):
      guard finished.insert(emitter).inserted else { return }
      let listening = listeners.filter { $0.emitter == emitter && !$0.isOver }
      enqueue { for listener in listening { self.end(listener) } }
    case .cancel(let number):
      if listeners.indices.contains(number) { listeners[number].isOver = true }
    case .subscribe(let emitter, let script):
      let listener = Listener(number: listeners.count, emitter: emitter, script: script)
      listeners.append(listener)
      if finished.contains(emitter) { atOnce { self.end(listener) } }
    }
  }

  private func tell(_ listener: Listener, _ value: Int) {
    guard !listener.isOver else { return }
    told.append("\(listener.number):\(value)")
    listener.count += 1
    if listener.count <= listener.script.steps.count {
      listener.script.steps[listener.count - 1].forEach(run)
    }
  }

  private func end(_ listener: Listener) {
    guard !listener.isOver else { return }
    listener.isOver = true
    told.append("\(listener.number).")
    listener.script.last.forEach(run)
  }

  private func enqueue(_ delivery: @escaping () -> Void) {
    queue.append(delivery)
    drain()
  }

  private func atOnce(_ body: () -> Void) {
    guard !isRunning else { return body() }
    isRunning = true
    body()
    isRunning = false
    drain()
  }

  private func drain() {
    guard !isRunning else { return }
    isRunning = true
    while !queue.isEmpty { queue.removeFirst()() }
    isRunning = false
  }
}
