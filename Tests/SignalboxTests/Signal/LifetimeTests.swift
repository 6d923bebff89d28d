import Signalbox
import Testing

@MainActor struct LifetimeTests {
  private struct Run {
    var traces: [SignalTrace] = []
    var subscription: Subscription?
    var survivors: Int { traces.count { $0.isAlive } }
  }

  /// Subscribes with closures that capture tokens, and sends a few values.
  private func run(
    _ operation: SignalOperator, on source: Signal<SignalToken>,
    send: (SignalToken) -> Void = { _ in }
  ) -> Run {
    var run = Run()
    func token(_ number: Int = 0) -> SignalToken {
      let token = SignalToken(number)
      run.traces.append(SignalTrace(token: token))
      return token
    }
    let (transform, sink, completion) = (token(), token(), token())
    run.subscription = operation.apply(source, transform).sink(
      receiveCompletion: { _ = completion.number },
      receiveValue: { _ = $0.number + sink.number })
    for number in 1...3 { send(token(number)) }
    return run
  }

  @Test("S13 cancel releases captured objects at once", arguments: SignalOperator.all)
  func cancel(_ operation: SignalOperator) {
    let emitter = Emitter<SignalToken>()
    let run = run(operation, on: emitter.signal) { emitter.send($0) }
    #expect(run.survivors >= 2, "it did hold something")
    run.subscription?.cancel()
    #expect(run.survivors == 0)
  }

  @Test("S11 a finish releases captured objects at once", arguments: SignalOperator.all)
  func finish(_ operation: SignalOperator) {
    let emitter = Emitter<SignalToken>()
    let run = run(operation, on: emitter.signal) { emitter.send($0) }
    // The inner signal of `flatMapLatest` continues and has its own end.
    guard operation.testDescription != "flatMapLatest" else { return }
    emitter.finish()
    #expect(run.survivors == 0)
    withExtendedLifetime(run.subscription) {}
  }

  @Test("S13 releasing the emitter releases everything", arguments: SignalOperator.all)
  func release(_ operation: SignalOperator) {
    weak var gone: Emitter<SignalToken>?
    var left: Run?
    do {
      let emitter = Emitter<SignalToken>()
      gone = emitter
      left = run(operation, on: emitter.signal) { emitter.send($0) }
    }
    #expect(gone == nil, "its subscribers do not keep it alive")
    left?.subscription = nil
    #expect(left?.survivors == 0)
  }

  @Test("S13 releasing the subscription releases everything", arguments: SignalOperator.all)
  func releaseSubscription(_ operation: SignalOperator) {
    let emitter = Emitter<SignalToken>()
    var run = run(operation, on: emitter.signal) { emitter.send($0) }
    run.subscription = nil
    #expect(run.survivors == 0)
  }

  @Test(
    "S13 a source that never drops its subscribers keeps nothing that they captured",
    arguments: SignalOperator.all)
  func selfishSource(_ operation: SignalOperator) {
    let source = SignalSubject<SignalToken>()
    let cancelled = run(operation, on: source.signal) { source.send($0) }
    cancelled.subscription?.cancel()
    #expect(cancelled.survivors == 0)
    let finished = run(operation, on: source.signal) { source.send($0) }
    source.finish()
    if operation.testDescription != "flatMapLatest" { #expect(finished.survivors == 0) }
    finished.subscription?.cancel()
    #expect(finished.survivors == 0)
    withExtendedLifetime(source.subscribers) {}
  }

  @Test("S13 the state of a source is released when it is cancelled", arguments: SignalOperator.all)
  func sourceState(_ operation: SignalOperator) {
    var trace: SignalTrace?
    func subscribe() -> Subscription {
      let state = SignalToken()
      trace = SignalTrace(token: state)
      let signal = Signal<SignalToken> { subscriber in
        subscriber.receive(SignalToken())
        return Subscription { _ = state.number }
      }
      return operation.apply(signal, SignalToken()).sink { _ in }
    }
    let subscription = subscribe()
    subscription.cancel()
    #expect(trace?.isAlive == false)
  }

  @Test(
    "S13 cancelling state subscriptions releases captured objects", arguments: SignalOperator.all)
  func state(_ operation: SignalOperator) {
    let store = Store<SignalToken, Never>(state: SignalToken())
    let binding = store.binder.self[dynamicMember: \.self]
    let run = run(operation, on: store.publisher.signal) { binding.wrappedValue = $0 }
    run.subscription?.cancel()
    binding.wrappedValue = SignalToken(9)
    #expect(run.survivors == 0)
  }

  @Test("S13 the end of a store releases captured objects", arguments: SignalOperator.all)
  func endOfStore(_ operation: SignalOperator) {
    var store: Store<SignalToken, Never>? = Store(state: SignalToken())
    guard let signal = store?.publisher.signal else { return }
    let binding = store?.binder.self[dynamicMember: \.self]
    let run = run(operation, on: signal) { binding?.wrappedValue = $0 }
    binding?.wrappedValue = SignalToken(9)
    store = nil
    if operation.testDescription != "flatMapLatest" { #expect(run.survivors == 0) }
    run.subscription?.cancel()
    #expect(run.survivors == 0)
  }

  @Test("S13 a cancel during a delivery releases another subscriber's captured objects at once")
  func inDelivery() {
    let emitter = Emitter<SignalToken>()
    var victim: Run?
    let killer = emitter.sink { value in
      guard value.number == 1 else { return }
      emitter.send(SignalToken(2))
      victim?.subscription?.cancel()
      #expect(victim?.survivors == 0)
    }
    victim = run(SignalOperator.all[1], on: emitter.signal)
    #expect(victim?.survivors == 3)
    emitter.send(SignalToken(1))
    withExtendedLifetime(killer) {}
  }

  @Test("S13 `assign(to:on:)` holds its object weakly and ends with the next value")
  func assignOn() {
    final class Label { var text = "" }
    let source = SignalSubject<String>()
    var label: Label? = Label()
    weak let gone = label
    let subscription = label.map { source.signal.assign(to: \.text, on: $0) }
    source.send("a")
    #expect(label?.text == "a")
    label = nil
    #expect(gone == nil)
    source.send("b")
    #expect(source.cancels == 1)
    withExtendedLifetime(subscription) {}
  }

  @Test("S13 a sink that `prefix` cancels at its first value leaves nothing behind")
  func endedDuringAttach() {
    var trace: SignalTrace?
    let source = SignalSubject<Int> { $0.receive(1) }
    func subscribe() -> Subscription {
      let token = SignalToken()
      trace = SignalTrace(token: token)
      return source.signal.map { $0 + token.number }.prefix(1).sink { _ in _ = token }
    }
    let subscription = subscribe()
    #expect(trace?.isAlive == false)
    #expect(source.cancels == 1)
    withExtendedLifetime(subscription) {}
  }

  @Test("S13 unused emitters and signals leave nothing behind")
  func leftAlone() {
    weak var emitter: Emitter<Int>?
    var trace: SignalTrace?
    do {
      let made = Emitter<Int>()
      emitter = made
      let token = SignalToken()
      trace = SignalTrace(token: token)
      _ = combineLatest(made.map { $0 + token.number }, made.prepend(1)).debounce(for: .zero)
    }
    #expect(emitter == nil)
    #expect(trace?.isAlive == false)
  }
}
