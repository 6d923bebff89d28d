import Signalbox
import Testing

@Suite(.timeLimit(.minutes(60))) @MainActor struct ValuesTests {
  @Test("S15 `values` of an event signal keeps all values from the time it was called")
  func eventValues() async {
    let emitter = Emitter<Int>()
    emitter.send(0)
    let values = emitter.values
    for value in 1...1_000 { emitter.send(value) }
    emitter.finish()
    var told: [Int] = []
    for await value in values { told.append(value) }
    #expect(told == Array(1...1_000))
  }

  @Test("S15 `values` of a state signal starts with the current value")
  func stateValues() async {
    let store = Store<Int, Never>(state: 7)
    var iterator = store.publisher.values.makeAsyncIterator()
    #expect(await iterator.next() == 7)
    store.binder.self[dynamicMember: \.self].wrappedValue = 8
    #expect(await iterator.next() == 8)
  }

  @Test("S15 `values` of a state signal keeps the newest, also through state operators")
  func newest() async {
    let store = Store<Int, Never>(state: 1)
    let plain = store.publisher.values
    let mapped = combineLatest(store.publisher.map { $0 * 2 }, store.publisher)
      .map { $0.0 }.removeDuplicates().values
    for value in 2...5 { store.binder.self[dynamicMember: \.self].wrappedValue = value }
    var plainIterator = plain.makeAsyncIterator()
    var mappedIterator = mapped.makeAsyncIterator()
    #expect(await plainIterator.next() == 5)
    #expect(await mappedIterator.next() == 10)
  }

  @Test("S15 `values` of a state signal that became an event signal buffers all")
  func stateThroughFilter() async {
    var store: Store<Int, Never>? = Store(state: 1)
    guard let values = store?.publisher.filter({ _ in true }).values else { return }
    let binding = store?.binder.self[dynamicMember: \.self]
    for value in 2...4 { binding?.wrappedValue = value }
    store = nil
    var told: [Int] = []
    for await value in values { told.append(value) }
    #expect(told == [2, 3, 4])
  }

  @Test("S15 `values(bufferingPolicy:)` sets another policy, for state and for events")
  func policy() async {
    var store: Store<Int, Never>? = Store(state: 1)
    let emitter = Emitter<Int>()
    guard let state = store?.publisher.values(bufferingPolicy: .unbounded) else { return }
    let newest = emitter.values(bufferingPolicy: .bufferingNewest(2))
    let oldest = emitter.values(bufferingPolicy: .bufferingOldest(2))
    let binding = store?.binder.self[dynamicMember: \.self]
    for value in 2...5 {
      binding?.wrappedValue = value
      emitter.send(value)
    }
    store = nil
    emitter.finish()
    #expect(await collect(state) == [1, 2, 3, 4, 5])
    #expect(await collect(newest) == [4, 5])
    #expect(await collect(oldest) == [2, 3])
  }

  @Test("S15 a finish ends the stream after earlier values, and a finished signal's is empty")
  func finish() async {
    let emitter = Emitter<Int>()
    let values = emitter.values
    emitter.send(1)
    emitter.finish()
    #expect(await collect(values) == [1])
    #expect(await collect(emitter.values) == [])
    #expect(await collect(Signal.just(1).values) == [1])
  }

  @Test("S15 a stream that is released unsubscribes")
  func dropped() {
    let source = SignalSubject<Int>()
    var values: AsyncStream<Int>? = source.signal.values
    source.send(1)
    #expect(values != nil)
    #expect(source.cancels == 0)
    values = nil
    #expect(source.cancels == 1)
  }

  @Test("S15 leaving the loop unsubscribes")
  func leftLoop() async {
    let (attached, cancelled) = (StoreMoment(), StoreMoment())
    let source = SignalSubject<Int>(onAttach: { _ in attached.happen() })
    let log = SignalLog<Int>()
    let signal = source.signal.handleEvents(receiveCancel: { cancelled.happen() })
    let task = Task { @MainActor in
      for await value in signal.values {
        log.add(value)
        break
      }
    }
    await attached.arrival
    source.send(1)
    source.send(2)
    await cancelled.arrival
    await task.value
    #expect(log.entries == [1])
  }

  @Test("S15 cancelling the task that iterates unsubscribes and ends the loop")
  func cancelledTask() async {
    let emitter = Emitter<Int>()
    let (log, cancelled) = (SignalLog<Int>(), StoreMoment())
    let values = emitter.handleEvents(receiveCancel: { cancelled.happen() }).values
    let task = Task { @MainActor in
      for await value in values { log.add(value) }
    }
    emitter.send(1)
    await log.reach(1)
    task.cancel()
    await cancelled.arrival
    await task.value
    #expect(log.entries == [1])
  }

  @Test("S13 the end of a stream releases what its signal captured, by release or by finish")
  func streamLifetime() async {
    let emitter = Emitter<Int>()
    let (dropped, left) = make(emitter.signal)
    let (finished, stream) = make(emitter.signal)
    _ = consume left
    #expect(!dropped.isAlive)
    emitter.finish()
    #expect(!finished.isAlive)
    #expect(await collect(stream) == [])
  }

  private func make(_ source: Signal<Int>) -> (SignalTrace, AsyncStream<Int>) {
    let token = SignalToken()
    return (SignalTrace(token: token), source.map { $0 + token.number }.values)
  }

  private func collect(_ stream: AsyncStream<Int>) async -> [Int] {
    var told: [Int] = []
    for await value in stream { told.append(value) }
    return told
  }
}
