import Signalbox
import Testing

@MainActor struct FlatMapLatestTests {
  @Test("flatMapLatest delivers the values of the newest signal and cancels the previous one")
  func switches() {
    let outer = Emitter<Int>()
    let inner = [SignalSubject<String>(), SignalSubject<String>()]
    var told: [String] = []
    let subscription = outer.flatMapLatest { inner[$0].signal }.sink { told.append($0) }
    outer.send(0)
    inner[0].send("a")
    outer.send(1)
    #expect(inner[0].cancels == 1)
    inner[0].send("b")
    inner[1].send("c")
    #expect(told == ["a", "c"])
    subscription.cancel()
    #expect(inner[1].cancels == 1)
  }

  @Test("the previous signal is cancelled before the next one is made")
  func cancelFirst() {
    let outer = Emitter<Int>()
    var told: [String] = []
    let subscription = outer.flatMapLatest { value -> Signal<Int> in
      told.append("make \(value)")
      return Signal { _ in
        told.append("attach \(value)")
        return Subscription { told.append("cancel \(value)") }
      }
    }.sink { _ in }
    outer.send(0)
    outer.send(1)
    #expect(told == ["make 0", "attach 0", "cancel 0", "make 1", "attach 1"])
    withExtendedLifetime(subscription) {}
  }

  @Test("S4 after a switch during a delivery, later values of the previous signal are dropped")
  func switchDuringDelivery() {
    let (outer, trigger) = (Emitter<Int>(), Emitter<Int>())
    let inner = [Emitter<String>(), Emitter<String>()]
    var told: [String] = []
    let subscription = outer.flatMapLatest { inner[$0].signal }.sink { told.append($0) }
    let script = trigger.sink { _ in
      inner[0].send("before")
      inner[1].send("nobody listens yet")
      outer.send(1)
      inner[0].send("after")
      inner[1].send("too early: the switch is still in the queue")
    }
    outer.send(0)
    trigger.send(0)
    inner[1].send("now")
    #expect(told == ["before", "now"])
    withExtendedLifetime((subscription, script)) {}
  }

  @Test("S4 after a switch by an inner value, the remaining values of the old signal are dropped")
  func switchFromInside() {
    let outer = Emitter<Int>()
    let source = SignalSubject<Int>()
    var told: [Int] = []
    let subscription = outer.flatMapLatest { $0 == 0 ? source.signal : .just($0) }.sink { value in
      told.append(value)
      guard value == 100 else { return }
      outer.send(1)
      source.send(101)
    }
    outer.send(0)
    source.send(100)
    #expect(told == [100, 1])
    #expect(source.cancels == 1)
    withExtendedLifetime(subscription) {}
  }

  @Test("S11 flatMapLatest finishes when the source and the last signal have, in either order")
  func finish() {
    for outerFirst in [true, false] {
      let (outer, inner) = (Emitter<Int>(), Emitter<Int>())
      var told: [Int] = []
      let subscription = outer.flatMapLatest { _ in inner.signal }.sink(
        receiveCompletion: { told.append(-1) }, receiveValue: { told.append($0) })
      outer.send(0)
      inner.send(1)
      if outerFirst { outer.finish() } else { inner.finish() }
      #expect(told == [1])
      if outerFirst { inner.finish() } else { outer.finish() }
      #expect(told == [1, -1])
      withExtendedLifetime(subscription) {}
    }
  }

  @Test("S11 flatMapLatest finishes with the source if no inner signal is active")
  func finishWithout() {
    let (outer, inner) = (Emitter<Int>(), Emitter<Int>())
    var told: [Int] = []
    let first = outer.flatMapLatest { _ in inner.signal }.sink(
      receiveCompletion: { told.append(-1) }, receiveValue: { told.append($0) })
    let second = outer.flatMapLatest { $0 == 0 ? .just(5) : inner.signal }.sink(
      receiveCompletion: { told.append(-2) }, receiveValue: { told.append($0) })
    let third = Signal<Int>.just(0).flatMapLatest { _ in .just(7) }.sink(
      receiveCompletion: { told.append(-3) }, receiveValue: { told.append($0) })
    #expect(told == [7, -3])
    outer.send(0)
    outer.send(1)
    outer.finish()
    inner.send(6)
    inner.finish()
    #expect(told == [7, -3, 5, 6, 6, -1, -2])
    withExtendedLifetime((first, second, third)) {}
  }

  @Test("S4 flatMapLatest that the end of the previous signal cancels makes no other signal")
  func cancelledWhileSwitching() {
    let outer = Emitter<Int>()
    let source = SignalSubject<Int>()
    var own: Subscription?
    var made = 0
    own = outer.flatMapLatest { _ in
      made += 1
      return source.signal.handleEvents(receiveCancel: { own?.cancel() })
    }.sink { _ in }
    outer.send(0)
    outer.send(1)
    #expect(made == 1)
    #expect(source.attachments == source.cancels)
  }

  @Test("the inner signal may be a state signal")
  func innerState() {
    let store = Store<Int, Never>(state: 1)
    let outer = Emitter<Void>()
    var told: [Int] = []
    let subscription = outer.flatMapLatest { store.publisher.includingCurrent() }
      .sink { told.append($0) }
    outer.send()
    store.binder.self[dynamicMember: \.self].wrappedValue = 2
    outer.send()
    store.binder.self[dynamicMember: \.self].wrappedValue = 3
    #expect(told == [1, 2, 2, 3])
    withExtendedLifetime(subscription) {}
  }
}
