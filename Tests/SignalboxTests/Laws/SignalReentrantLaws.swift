import RandomPrograms
import Signalbox
import Testing

/// Random programs in which everything that a signal holds or calls acts on signals.
///
/// Actors are released values and captured objects, comparisons, transforms and cancels.
@MainActor struct SignalReentrantLaws {
  @Test("S4 S5 S11 S13 whatever a deinit or a closure does, no signal breaks or leaks")
  func callbacks() {
    var steps = 0
    let seeds = LawPrograms.seeds(300)
    for seed in seeds {
      let program = WilfulProgram(seed: seed)
      program.run()
      program.judge()
      steps += program.steps
      #expect(program.mistakes.isEmpty, "seed \(seed): \(program.mistakes)")
    }
    #expect(steps > 90 * seeds.count, "the programs do something")
  }
}

/// A value or a captured object that acts when it is released.
private final class Wilful: Sendable {
  let number: Int
  private let onRelease: @Sendable () -> Void

  init(_ number: Int, _ onRelease: @escaping @Sendable () -> Void) {
    self.number = number
    self.onRelease = onRelease
  }

  deinit { onRelease() }

  /// Does nothing, and lets a closure capture the object by calling it.
  func hold() {}
}

/// A random program.
@MainActor private final class WilfulProgram {
  /// The state of a subscriber.
  private enum Phase { case listening, finished, cancelled }

  private(set) var mistakes: [String] = []
  private(set) var steps = 0
  private var random: SeededRandom
  private var budget = 400
  private var depth = 0
  private var emitters: [Emitter<Wilful>] = []
  private var subscriptions: [(number: Int, subscription: Subscription)] = []
  private var phases: [Phase] = []
  private var alive = 0
  private var isReceiving = false

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  func run() {
    emitters = (0..<3).map { _ in Emitter() }
    while budget > 0 { act() }
    for (number, _) in subscriptions { cancel(number) }
    let held = (subscriptions, emitters)
    (subscriptions, emitters) = ([], [])
    withExtendedLifetime(held) {}
  }

  /// Checks that nothing is left after the program has released everything.
  func judge() {
    if alive != 0 { mistakes.append("\(alive) alive") }
    let emitter = Emitter<Int>()
    var told = 0
    let subscription = emitter.sink { told = $0 }
    emitter.send(1)
    if told != 1 { mistakes.append("something is under way") }
    subscription.cancel()
  }

  private func act() {
    guard depth < 5 else { return }
    depth += 1
    defer { depth -= 1 }
    for _ in 0...random.below(3) { actOnce() }
  }

  private func actOnce() {
    budget -= 1
    guard budget > 0 else { return }
    steps += 1
    let emitter = emitters.isEmpty ? nil : random.pick(emitters)
    switch random.below(20) {
    case 0..<8: emitter?.send(wilful())
    case 8..<13: if let emitter { subscribe(to: emitter.signal) }
    case 13..<16: if !phases.isEmpty { cancel(random.below(phases.count)) }
    case 16, 17: release()
    case 18: emitter?.finish()
    default: replaceEmitter()
    }
  }

  private func wilful() -> Wilful {
    alive += 1
    return Wilful(random.below(4)) { [weak self] in
      MainActor.assumeIsolated {
        guard let self else { return }
        self.alive -= 1
        if self.random.oneIn(2) { self.act() }
      }
    }
  }

  private func cancel(_ number: Int) {
    guard let entry = subscriptions.first(where: { $0.number == number }) else { return }
    if phases[number] == .listening { phases[number] = .cancelled }
    entry.subscription.cancel()
  }

  private func release() {
    guard !subscriptions.isEmpty else { return }
    let entry = subscriptions.remove(at: random.below(subscriptions.count))
    if phases[entry.number] == .listening { phases[entry.number] = .cancelled }
  }

  private func replaceEmitter() {
    guard !emitters.isEmpty else { return }
    let index = random.below(emitters.count)
    let old = emitters[index]
    emitters[index] = Emitter()
    withExtendedLifetime(old) {}
  }

  private func subscribe(to source: Signal<Wilful>) {
    let number = phases.count
    phases.append(.listening)
    let token = wilful()
    var signal = source
    for _ in 0..<random.below(4) { signal = transformed(signal) }
    let subscription = signal.sink(
      receiveCompletion: { [weak self] in
        token.hold()
        guard let self else { return }
        if phases[number] != .listening { mistakes.append("\(number) finished: \(phases[number])") }
        phases[number] = .finished
        act()
      },
      receiveValue: { [weak self] _ in
        token.hold()
        guard let self else { return }
        if phases[number] != .listening { mistakes.append("\(number) told: \(phases[number])") }
        if isReceiving { mistakes.append("\(number) told while another was") }
        isReceiving = true
        act()
        isReceiving = false
      })
    // What its source did meanwhile may have released it, so nothing could cancel it.
    subscriptions.append((number, subscription))
  }

  private func transformed(_ signal: Signal<Wilful>) -> Signal<Wilful> {
    let token = wilful()
    let call: @MainActor () -> Void = { [weak self] in
      token.hold()
      self?.act()
    }
    return switch random.below(14) {
    case 0:
      signal.map {
        call()
        return $0
      }
    case 1:
      signal.filter {
        call()
        return $0.number != 0
      }
    case 2:
      signal.removeDuplicates {
        call()
        return $0.number == $1.number
      }
    case 3:
      signal.scan(token) {
        call()
        return $1.number == 0 ? $0 : $1
      }
    case 4: signal.prefix(random.below(4))
    case 5: signal.dropFirst(random.below(3))
    case 6: signal.debounce(for: .seconds(1), clock: SignalClock())
    case 7: signal.throttle(for: .seconds(1), latest: random.oneIn(2), clock: SignalClock())
    case 8: signal.merge(with: random.pick(emitters))
    case 9: combineLatest(signal, random.pick(emitters)).map { $0.0 }
    case 10:
      signal.flatMapLatest { [weak self] _ in
        call()
        guard let self, !emitters.isEmpty else { return .never }
        return random.pick(emitters).signal
      }
    case 11:
      signal.share(
        replay: random.below(3), lingering: .seconds(random.below(2)), clock: SignalClock())
    case 12:
      signal.handleEvents(
        receiveSubscription: call, receiveValue: { _ in call() }, receiveCompletion: call,
        receiveCancel: call)
    default:
      Signal { subscriber in
        let inner = signal.sink(
          receiveCompletion: { subscriber.finish() }, receiveValue: { subscriber.receive($0) })
        return Subscription {
          inner.cancel()
          call()
        }
      }
    }
  }
}
