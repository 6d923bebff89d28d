import Signalbox
import Testing

@Suite(.timeLimit(.minutes(60))) @MainActor struct SinkTests {
  @Test("S4 the current value does not reach a sink that an earlier subscriber cancels")
  func inFlight() {
    let emitter = Emitter<Int>()
    var told: [Int] = []
    var victim: Subscription?
    let killer = emitter.sink { _ in victim?.cancel() }
    victim = emitter.sink { told.append($0) }
    emitter.send(1)
    #expect(told == [])
    withExtendedLifetime(killer) {}
  }

  @Test("S4 neither a queued value nor a queued finish reaches a cancelled sink")
  func queued() {
    let emitter = Emitter<Int>()
    var told: [String] = []
    var own: Subscription?
    own = emitter.sink(
      receiveCompletion: { told.append(".") },
      receiveValue: { value in
        told.append("\(value)")
        emitter.send(2)
        emitter.finish()
        own?.cancel()
      })
    emitter.send(1)
    #expect(told == ["1"])
  }

  @Test("S4 a cancel during a delivery of one emitter drops queued values of another")
  func cancelAcross() {
    let (first, second) = (Emitter<Int>(), Emitter<Int>())
    var told: [Int] = []
    let victim = second.sink { told.append($0) }
    let killer = first.sink { _ in
      second.send(1)
      victim.cancel()
      second.send(2)
    }
    first.send(0)
    #expect(told == [])
    withExtendedLifetime(killer) {}
  }

  @Test(
    "S4 a cancel inside a closure of the chain stops the current value there",
    arguments: SignalCancelPoint.all)
  func insideClosure(_ point: SignalCancelPoint) {
    let emitter = Emitter<Int>()
    var told: [Int] = []
    var own: Subscription?
    own = point.chain(emitter.signal, { if $0 == 2 { own?.cancel() } })
      .sink(receiveCompletion: { told.append(-1) }, receiveValue: { told.append($0) })
    for value in 1...3 { emitter.send(value) }
    emitter.finish()
    #expect(told == point.expected)
  }

  @Test("S4 a cancel inside a map of state stops the current value there")
  func insideStateMap() {
    let store = Store<Int, Never>(state: 0)
    var told: [Int] = []
    var own: Subscription?
    let doubled = store.publisher.map { value -> Int in
      if value == 2 { own?.cancel() }
      return value * 2
    }
    own = combineLatest(doubled.removeDuplicates(), store.publisher)
      .sink { told.append($0.0 + $0.1) }
    for value in 1...3 { store.binder.self[dynamicMember: \.self].wrappedValue = value }
    #expect(told == [3])
  }

  @Test("S4 a sink that cancels itself is not called by its own nested send")
  func insideSink() {
    let emitter = Emitter<Int>()
    var told: [Int] = []
    var own: Subscription?
    own = emitter.sink { value in
      emitter.send(value + 1)
      own?.cancel()
      emitter.send(value + 2)
      told.append(value)
    }
    emitter.send(1)
    #expect(told == [1])
  }

  @Test("S4 releasing the last reference cancels, even during a delivery")
  func releaseInFlight() {
    let emitter = Emitter<Int>()
    var told: [Int] = []
    var victims: [Subscription] = []
    let killer = emitter.sink { _ in victims = [] }
    for index in 0..<5 { victims.append(emitter.sink { _ in told.append(index) }) }
    emitter.send(0)
    #expect(told == [])
    withExtendedLifetime(killer) {}
  }

  @Test("S4 a posted value that was not delivered before the cancel does not arrive")
  func posted() async {
    let emitter = Emitter<Int>()
    let log = SignalLog<Int>()
    let victim = emitter.sink { _ in Issue.record("told after its cancel") }
    let witness = emitter.sink { log.add($0) }
    emitter.post(1)
    victim.cancel()
    await log.reach(1)
    #expect(log.entries == [1])
    withExtendedLifetime(witness) {}
  }

  @Test("S4 no completion arrives after a cancel")
  func noCompletion() {
    let emitter = Emitter<Int>()
    var victim: Subscription?
    let killer = emitter.sink(receiveCompletion: { victim?.cancel() }, receiveValue: { _ in })
    victim = emitter.sink(
      receiveCompletion: { Issue.record("told after its cancel") }, receiveValue: { _ in })
    emitter.finish()
    withExtendedLifetime(killer) {}
  }

  @Test("S5 a sink at top level counts as a delivery, so what its first value sends is queued")
  func attachIsDelivery() {
    let emitter = Emitter<Int>()
    var told: [String] = []
    let listener = emitter.sink { told.append("e\($0)") }
    let subscription = Signal.never.prepend(1, 2).sink { value in
      emitter.send(value)
      told.append("p\(value)")
    }
    #expect(told == ["p1", "p2", "e1", "e2"])
    withExtendedLifetime((listener, subscription)) {}
  }
}

/// A chain with one closure that runs for each value.
struct SignalCancelPoint: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let expected: [Int]
  let chain: @MainActor @Sendable (Signal<Int>, @escaping @MainActor (Int) -> Void) -> Signal<Int>

  static let all = [
    SignalCancelPoint(testDescription: "map", expected: [1]) { source, look in
      source.map { pass($0, $0, look) }
    },
    SignalCancelPoint(testDescription: "compactMap", expected: [1]) { source, look in
      source.compactMap { pass($0, $0, look) }
    },
    SignalCancelPoint(testDescription: "filter", expected: [1]) { source, look in
      source.filter { pass($0, true, look) }
    },
    SignalCancelPoint(testDescription: "removeDuplicates(by:)", expected: [1]) { source, look in
      source.removeDuplicates { pass($1, $0 == $1, look) }
    },
    SignalCancelPoint(testDescription: "scan", expected: [1]) { source, look in
      source.scan(0) { pass($1, $1, look) }
    },
    SignalCancelPoint(testDescription: "flatMapLatest", expected: [1]) { source, look in
      source.flatMapLatest { pass($0, .just($0), look) }
    },
    SignalCancelPoint(testDescription: "handleEvents", expected: [1]) { source, look in
      source.handleEvents(receiveValue: { look($0) })
    },
    SignalCancelPoint(testDescription: "merge", expected: [1, 1]) { source, look in
      source.merge(with: source.map { pass($0, $0, look) }).filter { pass($0, true, look) }
    },
    SignalCancelPoint(testDescription: "combineLatest", expected: [1]) { source, look in
      combineLatest(source.map { pass($0, $0, look) }, source).map { $0.1 }
    },
    SignalCancelPoint(testDescription: "prefix", expected: [1]) { source, look in
      source.map { pass($0, $0, look) }.prefix(2)
    },
    SignalCancelPoint(testDescription: "handleEvents, at the end", expected: [1, 2, 3]) {
      source, look in
      source.handleEvents(receiveCompletion: { look(2) })
    },
  ]

  @MainActor private static func pass<Result>(
    _ value: Int, _ result: @autoclosure () -> Result, _ look: @MainActor (Int) -> Void
  ) -> Result {
    look(value)
    return result()
  }
}
