import RandomPrograms
import Testing

@testable import Signalbox

/// Random programs of a custom source behind its gate.
@MainActor struct GateLaws {
  @Test("S4 S5 S11 a gate lets every value pass in order, and ends its source once")
  func order() {
    var outcomes: Set<GateProgram.Outcome> = []
    for seed in LawPrograms.seeds(2_000) {
      let program = GateProgram(seed: seed)
      program.run()
      #expect(program.mistakes.isEmpty, "seed \(seed): \(program.steps.joined(separator: ", "))")
      outcomes.insert(program.outcome)
    }
    #expect(outcomes.count == 3, "the programs reach every end")
  }
}

/// A source and its subscriber, which act while they are connected, in deliveries and outside.
@MainActor private final class GateProgram {
  enum Outcome { case open, finished, cancelled }

  private(set) var mistakes: [String] = []
  private(set) var steps: [String] = []
  private(set) var outcome = Outcome.open
  private var random: SeededRandom
  private var budget = 25

  private var source: Subscriber<Int>?
  private var stage: Stage<Int>?
  private var sent = 0
  private var received: [Int] = []
  /// The values that the subscriber is receiving.
  private var receiving = 0
  private var isAttached = false
  private var isFinished = false
  private var upstreamsEnded = 0

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  func run() {
    let gated = Signal<Int> { source in
      self.source = source
      self.act()
      self.isAttached = true
      return Subscription { self.upstreamsEnded += 1 }
    }
    let subscription = Signal<Int>.staged { stage in
      self.stage = stage
      stage.connect(to: gated) { stage.send($0) }
    }.sink(receiveCompletion: { self.end() }, receiveValue: { self.receive($0) })
    let ticks = Emitter<Void>()
    let ticking = ticks.sink { self.act() }
    while budget > 0 { if random.oneIn(2) { ticks.send() } else { act() } }
    if outcome != .cancelled { check(received == Array(0..<sent), "all values arrive in order") }
    check((outcome == .finished) == (isFinished && outcome != .cancelled), "a finish arrives")
    check(upstreamsEnded == (outcome == .open ? 0 : 1), "an end of the source")
    check(source?.isOpen() == (outcome == .open), "whether the source is open")
    withExtendedLifetime((subscription, ticking)) {}
    (source, stage) = (nil, nil)
  }

  private func act() {
    for _ in 0..<random.below(4) where budget > 0 {
      budget -= 1
      switch random.below(12) {
      case 0: finish()
      case 1: cancel()
      default: send()
      }
    }
  }

  private func send() {
    steps.append("send")
    let isDropped = isFinished || outcome != .open
    let isEarlier = receiving > 0 || received.count < sent
    let waits = isAttached ? Propagation.isDelivering : isEarlier
    let before = received.count
    if !isDropped { sent += 1 }
    source?.receive(isDropped ? -1 : sent - 1)
    if isDropped || waits {
      check(received.count == before, "a value that waits or is dropped")
    } else {
      check(received.count > before, "a value that passes")
    }
  }

  private func finish() {
    steps.append("finish")
    if outcome == .open { isFinished = true }
    source?.finish()
  }

  private func cancel() {
    steps.append("cancel")
    if outcome == .open { outcome = .cancelled }
    stage?.finish()
  }

  /// The subscriber receives a value and makes the source act.
  private func receive(_ value: Int) {
    check(outcome == .open && (received.last ?? -1) == value - 1, "value \(value)")
    received.append(value)
    receiving += 1
    if random.oneIn(3) { act() }
    receiving -= 1
  }

  private func end() {
    steps.append("end")
    guard outcome == .open else { return }
    outcome = .finished
    check(received.count == sent, "a finish after all values")
  }

  private func check(_ isRight: Bool, _ subject: String) {
    guard !isRight else { return }
    steps.append("WRONG: \(subject)")
    mistakes.append(subject)
  }
}
