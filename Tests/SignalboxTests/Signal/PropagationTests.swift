import Signalbox
import Testing

@MainActor struct PropagationTests {
  private struct Counter: Equatable {
    var a = 0
    var b = 0
  }

  // MARK: - Order

  @Test("S1 subscribers are notified in the order of subscription, whichever of them have left")
  func order() {
    let emitter = Emitter<Int>()
    var told: [Int] = []
    var subscriptions = (0..<100).map { index in emitter.sink { _ in told.append(index) } }
    for index in stride(from: 98, through: 0, by: -2) { subscriptions.remove(at: index) }
    subscriptions += (100..<110).map { index in emitter.sink { _ in told.append(index) } }
    emitter.send(0)
    #expect(told == (0..<100).filter { !$0.isMultiple(of: 2) } + Array(100..<110))
  }

  @Test("S1 the order is that of subscribing, not of making the signal, through any operator")
  func orderThroughOperators() {
    let emitter = Emitter<Int>()
    var told: [String] = []
    let late = emitter.map { $0 }.filter { _ in true }
    let middle = emitter.merge(with: Signal<Int>.never)
    let early = combineLatest(emitter, Signal.just(0))
    let subscriptions = [
      early.sink { _ in told.append("1") },
      middle.sink { _ in told.append("2") },
      late.sink { _ in told.append("3") },
      emitter.sink { _ in told.append("4") },
      emitter.flatMapLatest { .just($0) }.sink { _ in told.append("5") },
    ]
    emitter.send(0)
    #expect(told == ["1", "2", "3", "4", "5"])
    withExtendedLifetime(subscriptions) {}
  }

  @Test("S1 a subscriber that cancels and subscribes again moves to the end")
  func orderAfterComingBack() {
    let emitter = Emitter<Int>()
    var told = ""
    var a = emitter.sink { _ in told += "a" }
    let b = emitter.sink { _ in told += "b" }
    a = emitter.sink { _ in told += "A" }
    emitter.send(0)
    #expect(told == "bA")
    withExtendedLifetime((a, b)) {}
  }

  // MARK: - Subscribing during a delivery

  @Test("S3 a subscriber that subscribes during a delivery gets only what is sent after that")
  func subscribeDuringDelivery() {
    let emitter = Emitter<Int>()
    var told: [String] = []
    var inner: [Subscription] = []
    let a = emitter.sink { value in
      told.append("a\(value)")
      guard value == 1 else { return }
      emitter.send(2)
      inner.append(emitter.sink { told.append("n\($0)") })
      emitter.send(3)
    }
    let b = emitter.sink { told.append("b\($0)") }
    emitter.send(1)
    #expect(told == ["a1", "b1", "a2", "b2", "a3", "b3", "n3"])
    withExtendedLifetime((a, b)) {}
  }

  @Test("S3 a new subscriber to a store during a delivery of an emitter gets later changes only")
  func subscribeDuringDeliveryAcross() {
    let store = Store<Counter, Never>(state: Counter())
    let emitter = Emitter<Int>()
    var told: [String] = []
    var inner: [Subscription] = []
    let a = emitter.sink { value in
      store.binder.a.wrappedValue = value
      inner.append(store.publisher.a.sink { told.append("n\($0)") })
      inner.append(store.publisher.a.includingCurrent().sink { told.append("c\($0)") })
      store.binder.a.wrappedValue = value + 1
    }
    let b = store.publisher.a.sink { told.append("b\($0)") }
    emitter.send(1)
    #expect(told == ["c1", "b1", "b2", "n2", "c2"])
    withExtendedLifetime((a, b)) {}
  }

  @Test("S3 a subscriber between two queued values gets only the one sent after it subscribed")
  func subscribeBetweenQueued() {
    let (first, second) = (Emitter<Int>(), Emitter<Int>())
    var told: [Int] = []
    var inner: Subscription?
    let a = first.sink { _ in
      second.send(1)
      inner = merge(first, second).sink { told.append($0) }
      second.send(2)
    }
    first.send(0)
    #expect(told == [2])
    withExtendedLifetime((a, inner)) {}
  }

  // MARK: - Re-entrancy

  @Test("S5 the order is A1 B1 A2 B2, never A1 A2 B2 B1")
  func nestedSend() {
    let emitter = Emitter<Int>()
    var told: [String] = []
    let a = emitter.sink { value in
      told.append("A\(value)")
      if value < 3 { emitter.send(value + 1) }
      told.append("/A\(value)")
    }
    let b = emitter.sink { told.append("B\($0)") }
    emitter.send(1)
    #expect(told == ["A1", "/A1", "B1", "A2", "/A2", "B2", "A3", "/A3", "B3"])
    withExtendedLifetime((a, b)) {}
  }

  @Test("S5 all emitters and stores share one queue, so what is sent first is delivered first")
  func oneQueue() {
    let store = Store<Counter, Never>(state: Counter())
    let (first, second) = (Emitter<Int>(), Emitter<Int>())
    var told: [String] = []
    let subscriptions = [
      first.sink { value in
        told.append("f\(value)")
        guard value == 1 else { return }
        second.send(1)
        store.binder.a.wrappedValue = 1
        #expect(store.a == 1, "the state changes at once")
        first.send(2)
        store.binder.b.wrappedValue = 1
      },
      second.sink { value in
        told.append("s\(value)")
        if value == 1 { second.send(2) }
      },
      store.publisher.a.sink { told.append("a\($0)") },
      store.publisher.b.sink { told.append("b\($0)") },
      first.sink { told.append("g\($0)") },
    ]
    first.send(1)
    #expect(told == ["f1", "g1", "s1", "a1", "f2", "g2", "b1", "s2"])
    withExtendedLifetime(subscriptions) {}
  }

  @Test("S5 the outermost send returns when everything that it caused was delivered")
  func drainedBeforeReturn() {
    let emitter = Emitter<Int>()
    var last = 0
    let subscription = emitter.sink { value in
      last = value
      if value < 10 { emitter.send(value + 1) }
    }
    emitter.send(1)
    #expect(last == 10)
    withExtendedLifetime(subscription) {}
  }

  @Test("S5 a finish is queued like a value")
  func nestedFinish() {
    let emitter = Emitter<Int>()
    var told: [String] = []
    let a = emitter.sink(
      receiveCompletion: { told.append("A.") },
      receiveValue: { value in
        told.append("A\(value)")
        guard value == 1 else { return }
        emitter.send(2)
        emitter.finish()
        emitter.send(3)
      })
    let b = emitter.sink(
      receiveCompletion: { told.append("B.") }, receiveValue: { told.append("B\($0)") })
    emitter.send(1)
    #expect(told == ["A1", "B1", "A2", "B2", "A.", "B."])
    withExtendedLifetime((a, b)) {}
  }

  @Test("S5 100,000 nested sends across two emitters and a store take constant stack")
  func constantStack() {
    let store = Store<Counter, Never>(state: Counter())
    let (first, second) = (Emitter<Int>(), Emitter<Int>())
    var depth = SignalStackDepth()
    var seen = 0
    let subscriptions = [
      first.map { $0 + 1 }.sink { value in
        depth.measure()
        store.binder.a.wrappedValue = value
        if value < 100_000 { second.send(value) }
      },
      second.flatMapLatest { .just($0 + 1) }.sink { value in
        depth.measure()
        store.binder.b.wrappedValue = value
        if value < 100_000 { first.send(value) }
      },
      store.publisher.sink { _ in
        depth.measure()
        seen += 1
      },
    ]
    first.send(0)
    #expect(seen == 100_000)
    #expect(depth.isConstant)
    withExtendedLifetime(subscriptions) {}
  }
}
