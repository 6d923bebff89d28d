import Signalbox
import SignalboxTesting
import Testing

/// Tests the operators that begin or end with a condition or another signal.
@Suite(.timeLimit(.minutes(60))) @MainActor struct BoundaryTests {
  @Test("S11 empty, just and sequence deliver at once, and only what is wanted")
  func sources() {
    var told: [Int] = []
    var asked = 0
    let endless = sequence(first: 1) { value in
      asked += 1
      return value + 1
    }
    let subscriptions = [
      Signal<Int>.empty.sink(
        receiveCompletion: { told.append(-1) }, receiveValue: { told.append($0) }),
      Signal.just(1).sink(
        receiveCompletion: { told.append(-2) }, receiveValue: { told.append($0) }),
      Signal.sequence(2...4).sink(
        receiveCompletion: { told.append(-3) }, receiveValue: { told.append($0) }),
      Signal.sequence(endless).prefix(2).sink(
        receiveCompletion: { told.append(-4) }, receiveValue: { told.append($0) }),
    ]
    #expect(told == [-1, 1, -2, 2, 3, 4, -3, 1, 2, -4])
    #expect(asked <= 2)
    withExtendedLifetime(subscriptions) {}
  }

  @Test("S11 prefix(while:) finishes at the first other value, and cancels its source")
  func prefixWhile() {
    let source = SignalSubject<Int>()
    var told: [Int] = []
    let subscription = source.signal.prefix(while: { $0 < 3 }).sink(
      receiveCompletion: { told.append(-source.cancels) }, receiveValue: { told.append($0) })
    for value in [1, 2, 3, 1] { source.send(value) }
    #expect(told == [1, 2, -1])
    withExtendedLifetime(subscription) {}
  }

  @Test("S11 drop(while:) asks no more after the first other value")
  func dropWhile() {
    let emitter = Emitter<Int>()
    var (told, asked): ([Int], [Int]) = ([], [])
    let subscription = emitter.drop(while: {
      asked.append($0)
      return $0 < 3
    }).sink { told.append($0) }
    for value in [1, 3, 1] { emitter.send(value) }
    #expect(told == [3, 1] && asked == [1, 3])
    withExtendedLifetime(subscription) {}
  }

  @Test("S11 prefix(untilOutputFrom:) ends before a value that both deliver")
  func until() {
    let (source, end) = (Emitter<Int>(), Emitter<Void>())
    var told: [Int] = []
    let subscriptions = [
      source.prefix(untilOutputFrom: end).sink(
        receiveCompletion: { told.append(-1) }, receiveValue: { told.append($0) }),
      source.prefix(untilOutputFrom: source.filter { $0 == 2 }).sink(
        receiveCompletion: { told.append(-2) }, receiveValue: { told.append($0 * 10) }),
      source.prefix(untilOutputFrom: Signal<Int>.empty).dropFirst(2).sink { told.append($0 * 100) },
    ]
    source.send(1)
    end.send()
    source.send(2)
    source.send(3)
    #expect(told == [1, 10, -1, -2, 300])
    withExtendedLifetime(subscriptions) {}
  }

  @Test("S8 S11 withLatest(from:) takes the latest value, and that of the same commit")
  func withLatest() {
    let store = Store(state: 1)
    let (saves, names) = (Emitter<Int>(), Emitter<String>())
    var told: [String] = []
    let subscriptions = [
      saves.withLatest(from: store.publisher).sink { told.append("\($0)-\($1)") },
      saves.withLatest(from: names).sink(
        receiveCompletion: { told.append(".") }, receiveValue: { told.append("\($0)\($1)") }),
      store.publisher.withLatest(from: store.publisher.map { $0 * 10 }).sink {
        told.append("\($0)/\($1)")
      },
    ]
    saves.send(7)
    names.send("a")
    store.binder[dynamicMember: \.self].wrappedValue = 2
    saves.send(8)
    names.finish()
    saves.finish()
    #expect(told == ["7-1", "2/20", "8-2", "8a", "."])
    withExtendedLifetime(subscriptions) {}
  }

  @Test("S11 withLatest(from:) finishes if the other signal finishes without a value")
  func withNothing() {
    var told: [Int] = []
    let subscription = Emitter<Int>().withLatest(from: Signal<Int>.empty).sink(
      receiveCompletion: { told.append(-1) }, receiveValue: { told.append($0.0) })
    #expect(told == [-1])
    withExtendedLifetime(subscription) {}
  }

  @Test("S18 delay keeps the order and the distance of values, and delays the finish")
  func delay() async {
    let (emitter, clock) = (Emitter<Int>(), TestClock())
    var told: [Int] = []
    let subscription = emitter.delay(for: .seconds(3), clock: clock).sink(
      receiveCompletion: { told.append(-1) }, receiveValue: { told.append($0) })
    emitter.send(1)
    await clock.advance(by: .seconds(1))
    emitter.send(2)
    emitter.send(3)
    emitter.finish()
    await clock.advance(by: .seconds(1))
    #expect(told == [])
    await clock.advance(by: .seconds(1))
    #expect(told == [1])
    await clock.advance(by: .seconds(1))
    #expect(told == [1, 2, 3, -1])
    withExtendedLifetime(subscription) {}
  }

  @Test(
    "S4 S13 a cancel in a delayed value drops the rest and releases it",
    arguments: [Duration.zero, .milliseconds(500)])
  func delayCancel(pause: Duration) async {
    let (emitter, clock) = (Emitter<SignalToken>(), TestClock())
    var told: [Int] = []
    var subscription: Subscription?
    subscription = emitter.delay(for: .seconds(1), clock: clock).sink {
      told.append($0.number)
      subscription?.cancel()
    }
    weak var second: SignalToken?
    do {
      let token = SignalToken(2)
      second = token
      emitter.send(SignalToken(1))
      await clock.advance(by: pause)
      emitter.send(token)
    }
    #expect(second != nil)
    await clock.advance(by: .seconds(1) - pause)
    #expect(told == [1] && second == nil)
  }

  @Test("S11 timeout finishes once no value has arrived for the interval")
  func timeout() async {
    let (source, clock) = (SignalSubject<Int>(), TestClock())
    var told: [Int] = []
    let subscription = source.signal.timeout(.seconds(2), clock: clock).sink(
      receiveCompletion: { told.append(-source.cancels) }, receiveValue: { told.append($0) })
    await clock.advance(by: .seconds(1))
    source.send(1)
    await clock.advance(by: .milliseconds(1_999))
    #expect(told == [1])
    await clock.advance(by: .milliseconds(1))
    source.send(2)
    #expect(told == [1, -1])
    withExtendedLifetime(subscription) {}
  }

  @Test("S5 S11 a value that cancels leaves no timer behind")
  func timeoutCancel() async {
    let (emitter, clock) = (Emitter<Int>(), TestClock())
    var told: [Int] = []
    var subscription: Subscription?
    subscription = emitter.timeout(.seconds(2), clock: clock).sink(
      receiveCompletion: { told.append(-1) },
      receiveValue: {
        told.append($0)
        subscription?.cancel()
      })
    emitter.send(1)
    await clock.advance(by: .seconds(5))
    #expect(told == [1])
  }

  @Test("S18 a value at the end of an interval is the first of the next one")
  func throttle() async {
    let (emitter, clock) = (Emitter<Character>(), SignalClock())
    var told = ""
    let subscription = emitter.throttle(for: .seconds(2), clock: clock).sink { told.append($0) }
    for (index, letter) in "abcdefghijk".enumerated() {
      emitter.send(letter)
      #expect(told.last == letter || !index.isMultiple(of: 2))
      await clock.until { $0.sleeping == 1 }
      // Wakes the sleeper of the interval, which runs after the next value.
      clock.advance(by: .seconds(1))
    }
    emitter.finish()
    #expect(told == "acegik")
    withExtendedLifetime(subscription) {}
  }

  @Test("S18 a value at the end of an interval comes before a sleeper that has not woken")
  func throttleLate() async {
    let (emitter, clock) = (Emitter<Int>(), SignalClock())
    var told: [Int] = []
    let subscription = emitter.throttle(for: .seconds(2), clock: clock).sink { told.append($0) }
    emitter.send(1)
    await clock.until { $0.sleeping == 1 }
    emitter.send(2)
    clock.advance(by: .seconds(2))
    emitter.send(3)
    emitter.finish()
    #expect(told == [1, 3])
    withExtendedLifetime(subscription) {}
  }

  @Test("S14 a sequence that is ready delivers nothing before `sink` returns")
  func ready() async {
    var told: [Int] = []
    var subscription: Subscription?
    let ended = StoreMoment()
    subscription = Signal(CountdownSequence(from: 3)).handleEvents(receiveCancel: { ended.happen() }
    )
    .sink {
      told.append($0)
      subscription?.cancel()
    }
    #expect(told == [])
    await ended.arrival
    #expect(told == [3])
  }

  @Test(
    "S5 a value that is sent with the one that makes the inner signal is too early in a delivery")
  func tooEarly() {
    let (outer, inner, start) = (Emitter<Int>(), Emitter<Int>(), Emitter<Void>())
    var told: [Int] = []
    let subscriptions = [
      outer.flatMapLatest { _ in inner.signal }.sink { told.append($0) },
      start.sink {
        outer.send(1)
        inner.send(9)
      },
    ]
    start.send()
    #expect(told == [])
    outer.send(1)
    inner.send(9)
    #expect(told == [9])
    withExtendedLifetime(subscriptions) {}
  }

  @Test("S9 the share of a state signal can start with the current value")
  func sharedCurrent() {
    let store = Store(state: 1)
    let shared = store.publisher.share(replay: 1)
    var told: [String] = []
    let a = shared.includingCurrent().sink { told.append("a\($0)") }
    store.binder[dynamicMember: \.self].wrappedValue = 2
    let b = shared.includingCurrent().sink { told.append("b\($0)") }
    let c = store.publisher.share().includingCurrent().sink { told.append("c\($0)") }
    #expect(told == ["a1", "a2", "b2", "c2"])
    withExtendedLifetime((a, b, c)) {}
  }

  @Test("S9 M2 a state may have properties with the names of operators")
  func names() {
    let store = Store(state: Named())
    var told: [String] = []
    let subscriptions = [
      store.publisher.first.sink { told.append("first \($0)") },
      store.publisher.filter.filter { $0 > 1 }.sink { told.append("filter \($0)") },
      store.publisher.child.sink { told.append("child \($0 ?? 0)") },
    ]
    store.binder.first.wrappedValue = 2
    store.binder.filter.wrappedValue = 3
    store.binder[dynamicMember: \.child].wrappedValue = nil
    #expect(told == ["first 2", "filter 3", "child 0"])
    #expect(store.child == nil)
    let named = Store(state: Named(), actionable: Naming())
    named.dispatch(())
    #expect(named.child == nil && named.first == 5)
    withExtendedLifetime(subscriptions) {}
  }
}

private struct Named: Equatable {
  var child: Int? = 1
  var first = 1
  var filter = 1
}

private struct Naming: Actionable {
  func onAction(_ action: Void, store: MutatingStore<Named, Void>) {
    store.child? += 1
    store.child = nil
    store.first = 5
  }
}
