import Signalbox
import SignalboxTesting
import Testing

@Suite(.timeLimit(.minutes(60))) @MainActor struct ShareTests {
  @Test("E1 many subscribers share one subscription, which ends with the last of them")
  func oneSubscription() {
    let source = SignalSubject<Int>()
    let shared = source.signal.share()
    var told: [String] = []
    let subscriptions = (0..<1_000).map { number in shared.sink { told.append("\(number): \($0)") }
    }
    #expect(source.attachments == 1)
    source.send(7)
    #expect(told == (0..<1_000).map { "\($0): 7" })
    for subscription in subscriptions.dropLast() { subscription.cancel() }
    #expect(source.cancels == 0)
    subscriptions.last?.cancel()
    #expect(source.cancels == 1)
    let next = shared.sink { _ in }
    #expect(source.attachments == 2 && source.cancels == 1)
    withExtendedLifetime(next) {}
  }

  @Test("E1 lingering is counted anew each time the last subscriber leaves")
  func lingering() async {
    let (source, clock) = (SignalSubject<Int>(), TestClock())
    let shared = source.signal.share(lingering: .seconds(5), clock: clock)
    for _ in 1...3 {
      shared.sink { _ in }.cancel()
      await clock.advance(by: .milliseconds(4_999))
      #expect(source.attachments == 1 && source.cancels == 0)
    }
    let subscription = shared.sink { _ in }
    await clock.advance(by: .seconds(60))
    #expect(source.cancels == 0)
    subscription.cancel()
    await clock.advance(by: .seconds(5))
    #expect(source.attachments == 1 && source.cancels == 1)
  }

  @Test("E1 a shared signal without other references still lingers, and is released afterwards")
  func unkeptSignal() async {
    let (source, clock) = (SignalSubject<SignalToken>(), TestClock())
    weak var kept: SignalToken?
    do {
      let token = SignalToken()
      kept = token
      source.signal.handleEvents(receiveCancel: { _ = token.number })
        .share(lingering: .seconds(5), clock: clock).sink { _ in }.cancel()
    }
    #expect(source.cancels == 0 && kept != nil)
    await clock.advance(by: .seconds(5))
    #expect(source.cancels == 1 && kept == nil)
  }

  @Test("E1 a subscriber that comes after the time has passed begins a new subscription")
  func clockAhead() {
    let (source, clock) = (SignalSubject<Int>(), CallClock())
    let shared = source.signal.share(replay: 1, lingering: .seconds(1), clock: clock)
    shared.sink { _ in }.cancel()
    source.send(1)
    // The clock has not called back yet.
    clock.advance(by: .seconds(1))
    var told: [Int] = []
    let subscription = shared.sink { told.append($0) }
    #expect(source.attachments == 2 && source.cancels == 1)
    #expect(told == [] && clock.waiting == 0)
    // On a clock that never calls back, a subscription that is left would linger for ever.
    source.finish()
    withExtendedLifetime(subscription) {}
  }

  @Test("E1 a late subscriber receives the last values of the current subscription")
  func replay() {
    let source = SignalSubject<Int>()
    let shared = source.signal.share(replay: 3)
    var told: [Int] = []
    let first = shared.sink { _ in }
    for value in 1...8 { source.subscribers.last?.receive(value) }
    let late = shared.sink { told.append($0) }
    #expect(told == [6, 7, 8])
    source.subscribers.last?.receive(9)
    #expect(told == [6, 7, 8, 9])
    first.cancel()
    late.cancel()
    let next = shared.sink { told.append($0) }
    #expect(told == [6, 7, 8, 9], "a new subscription has no past")
    withExtendedLifetime(next) {}
  }

  @Test("E1 values that the source sends while it is subscribed to reach the first subscriber")
  func eagerSource() {
    var (first, second): ([Int], [Int]) = ([], [])
    let shared = Signal<Int>.never.prepend(1, 2).share(replay: 1)
    let subscriptions = [shared.sink { first.append($0) }, shared.sink { second.append($0) }]
    #expect(first == [1, 2] && second == [2])
    withExtendedLifetime(subscriptions) {}
  }

  @Test("S3 E1 a subscriber of a delivery receives its value once if it is replayed, else not")
  func duringDelivery() {
    for replay in 0...1 {
      let emitter = Emitter<Int>()
      let shared = emitter.share(replay: replay)
      var told: [Int] = []
      var late: Subscription?
      let first = shared.sink { _ in
        guard late == nil else { return }
        // In the queue, so the shared subscription receives it after the late subscriber has joined.
        emitter.send(2)
        late = shared.sink { told.append($0) }
      }
      emitter.send(1)
      #expect(told == (replay == 0 ? [2] : [1, 2]))
      withExtendedLifetime((first, late)) {}
    }
  }

  @Test("S3 S9 the current value that a share starts with is not delivered again", arguments: 0...1)
  func currentDuringDelivery(replay: Int) {
    let store = Store(state: 1)
    let shared = store.publisher.share(replay: replay)
    var told: [String] = []
    var late: Subscription?
    let subscriptions = [
      store.publisher.sink { _ in
        guard late == nil else { return }
        // The share receives both values after the late subscriber has joined.
        store.binder[dynamicMember: \.self].wrappedValue = 3
        late = shared.includingCurrent().sink { told.append("late \($0)") }
        store.binder[dynamicMember: \.self].wrappedValue = 4
      }, shared.sink { told.append("first \($0)") },
    ]
    store.binder[dynamicMember: \.self].wrappedValue = 2
    #expect(told == ["late 3", "first 2", "first 3", "first 4", "late 4"])
    withExtendedLifetime((subscriptions, late)) {}
  }

  @Test("E1 a finish ends the subscription for all, and the next subscriber begins a new one")
  func finish() {
    var begins = 0
    let shared = Signal<Int>.just(7).handleEvents(receiveSubscription: { begins += 1 })
      .share(replay: 1)
    var told: [Int] = []
    for _ in 1...2 {
      let subscription = shared.sink(
        receiveCompletion: { told.append(-1) }, receiveValue: { told.append($0) })
      withExtendedLifetime(subscription) {}
    }
    #expect(told == [7, -1, 7, -1] && begins == 2)
  }

  @Test("S4 E1 the last subscriber may cancel inside its closure, and subscribe again")
  func cancelInside() {
    let source = SignalSubject<Int>()
    let shared = source.signal.share(replay: 1)
    var told: [String] = []
    var subscription: Subscription?
    subscription = shared.sink {
      told.append("first \($0)")
      subscription?.cancel()
      subscription = shared.sink { told.append("second \($0)") }
    }
    source.subscribers[0].receive(1)
    #expect(source.attachments == 2 && source.cancels == 1)
    source.subscribers[1].receive(2)
    #expect(told == ["first 1", "second 2"])
  }

  @Test("E1 a prefix that is full while the source is being subscribed to ends the subscription")
  func fullAtOnce() {
    let source = SignalSubject<Int> { subscriber in for value in 1...3 { subscriber.receive(value) }
    }
    var told: [Int] = []
    let subscription = source.signal.share().prefix(1).sink { told.append($0) }
    #expect(told == [1] && source.attachments == 1 && source.cancels == 1)
    withExtendedLifetime(subscription) {}
  }

  @Test("S13 E1 past values and closures are released with the subscription")
  func release() {
    let source = SignalSubject<SignalToken>()
    let shared = source.signal.share(replay: 2)
    var traces: [SignalTrace] = []
    let subscription = shared.sink { _ in }
    for number in 1...3 {
      let token = SignalToken(number)
      traces.append(SignalTrace(token: token))
      source.send(token)
    }
    #expect(traces.map(\.isAlive) == [false, true, true])
    subscription.cancel()
    #expect(traces.map(\.isAlive) == [false, false, false])
    withExtendedLifetime(shared) {}
  }

  @Test("S13 E1 a past value may subscribe when it is released, and receives the new value once")
  func subscribingInDeinit() {
    final class Value {
      let number: Int
      let whenReleased: @MainActor () -> Void
      init(_ number: Int, whenReleased: @escaping @MainActor () -> Void = {}) {
        self.number = number
        self.whenReleased = whenReleased
      }
      deinit { MainActor.assumeIsolated { [whenReleased] in whenReleased() } }
    }
    let emitter = Emitter<Value>()
    let shared = emitter.share(replay: 1)
    var told: [Int] = []
    var late: Subscription?
    let first = shared.sink { _ in }
    emitter.send(Value(1) { late = shared.sink { told.append($0.number) } })
    emitter.send(Value(2))
    #expect(told == [2])
    emitter.send(Value(3))
    #expect(told == [2, 3])
    withExtendedLifetime((first, late)) {}
  }

  @Test("E1 a negative replay traps with a message")
  func negativeReplay() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      @MainActor in
      _ = Signal<Int>.never.share(replay: -1)
    }
    expectError("share(replay: -1): a count cannot be negative.", from: result)
  }
}
