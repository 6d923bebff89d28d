import RandomPrograms
import Testing

@testable import Signalbox

/// Random programs of a custom source, run by the state of its gate alone.
struct GateLaws {
  @Test("S4 S5 S11 a gate lets every value pass in order, and ends its source once")
  func order() {
    var outcomes: Set<GateProgram.Outcome> = []
    for seed in LawPrograms.seeds(2_000) {
      var program = GateProgram(seed: seed)
      program.run()
      #expect(program.mistakes.isEmpty, "seed \(seed): \(program.steps.joined(separator: ", "))")
      outcomes.insert(program.outcome)
    }
    #expect(outcomes.count == 3, "the programs reach every end")
  }
}

/// A source, its subscriber and the queue of deliveries, each reduced to what a gate can see.
private struct GateProgram {
  enum Outcome { case open, finished, cancelled }

  private enum Delivery {
    case value(Int)
    case finish
  }

  private(set) var mistakes: [String] = []
  private(set) var steps: [String] = []
  private var random: SeededRandom
  private var gate = GateState()
  private var queue: [Delivery] = []
  private var budget = 25

  // What has happened.
  private var sent = 0
  private var received: [Int] = []
  /// The values that the subscriber is receiving directly from the source.
  private var passing = 0
  private var isAttached = false
  private var isFinished = false
  private var upstreamsEnded = 0
  private(set) var outcome = Outcome.open

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  mutating func run() {
    act(isDuringDelivery: true)
    isAttached = true
    note(gate.attached(), "attached")
    check(upstreamsEnded == (outcome == .open ? 0 : 1), "an end on attaching")
    drain()
    while budget > 0 {
      let isDuringDelivery = random.oneIn(2)
      act(isDuringDelivery: isDuringDelivery)
      drain()
    }
    if outcome != .cancelled { check(received == Array(0..<sent), "all values arrive in order") }
    check((outcome == .finished) == (isFinished && outcome != .cancelled), "a finish arrives")
    check(upstreamsEnded == (outcome == .open ? 0 : 1), "an end of the source")
  }

  private mutating func act(isDuringDelivery: Bool) {
    for _ in 0..<random.below(4) where budget > 0 {
      budget -= 1
      switch random.below(12) {
      case 0: finish(isDuringDelivery: isDuringDelivery)
      case 1: cancel()
      default: send(isDuringDelivery: isDuringDelivery)
      }
    }
  }

  private mutating func send(isDuringDelivery: Bool) {
    let hasOlder = passing > 0 || !queue.isEmpty
    let passage = gate.send(isDuringDelivery: isDuringDelivery)
    steps.append("send \(passage)")
    if isFinished || outcome != .open { return check(passage == .drop, "a value after the end") }
    let mustWait = isAttached ? isDuringDelivery : hasOlder
    check(passage == (mustWait ? .wait : .pass), "a value")
    sent += 1
    switch passage {
    case .drop: break
    case .wait: queue.append(.value(sent - 1))
    case .pass:
      passing += 1
      receive(sent - 1)
      passing -= 1
      gate.hasPassed()
      // A value that passes outside of a delivery is a delivery itself.
      if !isDuringDelivery { drain() }
    }
  }

  private mutating func finish(isDuringDelivery: Bool) {
    let hasOlder = passing > 0 || !queue.isEmpty
    let passage = gate.finish()
    steps.append("finish \(passage)")
    if isFinished || outcome != .open { return check(passage == .drop, "a second finish") }
    check(passage == (isAttached || hasOlder ? .wait : .pass), "a finish")
    isFinished = true
    if passage == .wait, isDuringDelivery { queue.append(.finish) } else { takeFinish() }
  }

  private mutating func cancel() {
    steps.append("cancel")
    if outcome == .open { outcome = .cancelled }
    note(gate.close(), "a cancel")
  }

  private mutating func drain() {
    while !queue.isEmpty {
      switch queue.removeFirst() {
      case .value(let value): if outcome == .open { receive(value) }
      case .finish: takeFinish()
      }
    }
  }

  /// The subscriber receives a value and makes the source act.
  private mutating func receive(_ value: Int) {
    check(outcome == .open && received.last ?? -1 == value - 1, "value \(value)")
    received.append(value)
    if random.oneIn(3) { act(isDuringDelivery: true) }
  }

  private mutating func takeFinish() {
    steps.append("finished")
    if outcome == .open {
      check(received.count == sent, "a finish after all values")
      outcome = .finished
    }
    note(gate.close(), "a finish")
  }

  private mutating func note(_ upstream: GateState.Upstream, _ event: String) {
    if upstream == .end { upstreamsEnded += 1 }
    check(upstream == .keep || isAttached && outcome != .open, "an end of the source by \(event)")
    check(gate.isOpen == (outcome == .open && !isFinished), "openness after \(event)")
  }

  private mutating func check(_ isRight: Bool, _ subject: String) {
    guard !isRight else { return }
    steps.append("WRONG: \(subject)")
    mistakes.append(subject)
  }
}
