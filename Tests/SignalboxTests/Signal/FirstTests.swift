import Signalbox
import Testing

@Suite(.timeLimit(.minutes(60))) @MainActor struct FirstTests {
  @Test("S15 `first` subscribes before it suspends and returns the next value")
  func next() async {
    let emitter = Emitter<Int>()
    emitter.send(0)
    let task = Task.atOnce { @MainActor in await emitter.first() }
    emitter.send(1)
    emitter.send(2)
    #expect(await task.value == 1)
  }

  @Test("S15 `first` of a state signal waits for the next change")
  func state() async {
    let store = Store<Int, Never>(state: 1)
    let task = Task.atOnce { @MainActor in await store.publisher.first() }
    store.binder.self[dynamicMember: \.self].wrappedValue = 2
    #expect(await task.value == 2)
    #expect(await store.publisher.includingCurrent().first() == 2)
  }

  @Test("S14 `first` takes one value of a source that has more at once")
  func oneOfMany() async {
    var told: [Int] = []
    let source = Signal<Int>.never.prepend(1, 2, 3).handleEvents(receiveValue: { told.append($0) })
    #expect(await source.first() == 1)
    #expect(told == [1])
  }

  @Test("S15 `first` returns nil when the signal finishes without a value")
  func finished() async {
    let emitter = Emitter<Int>()
    let task = Task.atOnce { @MainActor in await emitter.first() }
    emitter.finish()
    #expect(await task.value == nil)
    #expect(await emitter.first() == nil)
    #expect(await Signal.just(3).first() == 3)
  }

  @Test("S15 `first` of a signal of optionals distinguishes a nil value from no value")
  func optional() async {
    let emitter = Emitter<Int?>()
    let task = Task.atOnce { @MainActor in await emitter.first() }
    emitter.send(nil)
    #expect(await task.value == .some(nil))
  }

  @Test("S15 `first` unsubscribes with the value")
  func unsubscribes() async {
    let source = SignalSubject<Int>()
    let task = Task.atOnce { @MainActor in await source.signal.first() }
    source.send(1)
    #expect(source.cancels == 1)
    #expect(await task.value == 1)
  }

  @Test("S15 cancelling the task that awaits `first` returns nil at once and unsubscribes")
  func cancelled() async {
    let source = SignalSubject<Int>()
    let task = Task.atOnce { @MainActor in await source.signal.first() }
    task.cancel()
    #expect(source.cancels == 1)
    source.send(1)
    #expect(await task.value == nil)
  }

  @Test("S15 `first` in a task that is already cancelled returns nil and does not subscribe")
  func cancelledBefore() async {
    let source = SignalSubject<Int>()
    let moment = StoreMoment()
    let task = Task.atOnce { @MainActor in
      await moment.arrival
      return await source.signal.first()
    }
    task.cancel()
    moment.happen()
    #expect(await task.value == nil)
    #expect(source.attachments == 0)
  }

  @Test("S15 `first` that another thread cancels while values are sent always returns")
  func cancelRace() async {
    for _ in 0..<100 {
      let emitter = Emitter<Int>()
      let task = Task.atOnce { @MainActor in await emitter.first() }
      let canceller = Task.detached { task.cancel() }
      emitter.post(1)
      let value = await task.value
      #expect(value == nil || value == 1)
      await canceller.value
    }
  }

  @Test("S13 `first` leaves nothing behind after a value, a finish or a cancel")
  func lifetime() async {
    let emitter = Emitter<Int>()
    for end in 0..<3 {
      let (trace, task) = start(emitter)
      #expect(trace.isAlive)
      switch end {
      case 0: emitter.send(1)
      case 1: task.cancel()
      default: emitter.finish()
      }
      _ = await task.value
      #expect(!trace.isAlive)
    }
  }

  private func start(_ emitter: Emitter<Int>) -> (SignalTrace, Task<Int?, Never>) {
    let token = SignalToken()
    let trace = SignalTrace(token: token)
    let task = Task.atOnce { @MainActor in
      await Self.mapped(emitter, token).first()
    }
    return (trace, task)
  }

  private static func mapped(_ emitter: Emitter<Int>, _ token: SignalToken) -> Signal<Int> {
    emitter.map { $0 + token.number }
  }
}
