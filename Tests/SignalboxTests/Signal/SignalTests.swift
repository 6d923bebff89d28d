import Signalbox
import Testing

@MainActor struct SignalTests {
  @Test("a signal does nothing before there is a subscriber")
  func description() {
    let source = SignalSubject<Int>()
    let signal = source.signal.map { $0 + 1 }.filter { _ in true }
    #expect(source.attachments == 0)
    let subscriptions = [signal.sink { _ in }, signal.sink { _ in }]
    #expect(source.attachments == 2, "each subscriber has a run of its own")
    for subscription in subscriptions { subscription.cancel() }
    #expect(source.cancels == 2)
  }

  @Test("values sent while the source is attached arrive before `sink` returns, in order")
  func duringAttach() {
    var told: [Int] = []
    let source = SignalSubject<Int> {
      $0.receive(1)
      $0.receive(2)
      $0.finish()
      $0.receive(3)
    }
    let subscription = source.signal.sink(
      receiveCompletion: { told.append(-1) }, receiveValue: { told.append($0) })
    #expect(told == [1, 2, -1])
    #expect(source.cancels == 1, "the source is cancelled although it had finished early")
    subscription.cancel()
    #expect(source.cancels == 1)
  }

  @Test("S11 a source that finishes while it is attached ends, even if it keeps its subscription")
  func keptSubscription() {
    var kept: Subscription?
    var cancels = 0
    let signal = Signal<Int> { subscriber in
      let subscription = Subscription { cancels += 1 }
      kept = subscription
      subscriber.finish()
      return subscription
    }
    let subscription = signal.sink { _ in }
    #expect(cancels == 1)
    withExtendedLifetime((kept, subscription)) {}
  }

  @Test("values sent while the source is attached inside a delivery arrive at once")
  func duringAttachInDelivery() {
    let emitter = Emitter<Int>()
    var told: [Int] = []
    var inner: Subscription?
    let source = SignalSubject<Int> { $0.receive(1) }
    let outer = emitter.sink { _ in
      inner = source.signal.sink { told.append($0) }
      #expect(told == [1])
    }
    emitter.send(0)
    #expect(told == [1])
    withExtendedLifetime((outer, inner)) {}
  }

  @Test("S5 a value that a source sends during a delivery is queued")
  func insideDelivery() {
    let source = SignalSubject<Int>()
    let emitter = Emitter<Int>()
    var told: [String] = []
    let subscriptions = [
      emitter.sink { value in
        source.send(value)
        told.append("a\(value)")
      },
      emitter.sink { told.append("b\($0)") },
      source.signal.sink { told.append("s\($0)") },
    ]
    emitter.send(1)
    #expect(told == ["a1", "b1", "s1"])
    withExtendedLifetime(subscriptions) {}
  }

  @Test("S5 a source that its own subscriber feeds is queued and takes constant stack")
  func feedback() {
    let source = SignalSubject<Int>()
    var depth = SignalStackDepth()
    var told: [Int] = []
    let subscription = source.signal.sink { value in
      depth.measure()
      if value < 100_000 { source.send(value + 1) }
      told.append(value)
    }
    source.send(1)
    #expect(told == Array(1...100_000))
    #expect(depth.isConstant)
    withExtendedLifetime(subscription) {}
  }

  @Test("S5 a source that its own subscriber feeds while it is attached is queued")
  func feedbackDuringAttach() {
    var depth = SignalStackDepth()
    var told: [Int] = []
    var send: (Int) -> Void = { _ in }
    let source = SignalSubject<Int> { $0.receive(1) }
    send = { source.send($0) }
    let subscription = source.signal.sink { value in
      depth.measure()
      if value < 1_000 { send(value + 1) }
      told.append(value)
    }
    #expect(told == Array(1...1_000))
    #expect(depth.isConstant)
    withExtendedLifetime(subscription) {}
  }

  @Test("S5 a finish while attaching comes after what the first value has sent")
  func finishDuringAttach() {
    var told: [Int] = []
    let source = SignalSubject<Int> {
      $0.receive(1)
      $0.finish()
    }
    let subscription = source.signal.sink(
      receiveCompletion: { told.append(-1) },
      receiveValue: { value in
        if value == 1 { source.send(2) }
        told.append(value)
      })
    #expect(told == [1, 2, -1])
    withExtendedLifetime(subscription) {}
  }

  @Test("S4 after a cancel, nothing that the source sends arrives, queued or not")
  func afterCancel() {
    let source = SignalSubject<Int>()
    let emitter = Emitter<Int>()
    var told: [Int] = []
    let subscription = source.signal.sink(
      receiveCompletion: { told.append(-1) }, receiveValue: { told.append($0) })
    let killer = emitter.sink { _ in
      source.send(1)
      source.finish()
      subscription.cancel()
    }
    emitter.send(0)
    source.send(2)
    source.finish()
    #expect(told == [])
    #expect(source.cancels == 1)
    withExtendedLifetime(killer) {}
  }

  @Test("S11 after its finish, nothing that a source sends arrives")
  func afterFinish() {
    let source = SignalSubject<Int>()
    let emitter = Emitter<Int>()
    var told: [Int] = []
    let subscription = source.signal.sink(
      receiveCompletion: { told.append(-1) }, receiveValue: { told.append($0) })
    let trigger = emitter.sink { _ in
      source.send(1)
      source.finish()
      source.send(2)
      source.finish()
    }
    emitter.send(0)
    source.send(3)
    #expect(told == [1, -1])
    withExtendedLifetime((subscription, trigger)) {}
  }

  @Test("S11 a source has been cancelled when the completion is delivered")
  func cancelledBeforeCompletion() {
    let source = SignalSubject<Int>()
    var seen = 0
    let subscription = source.signal.map { $0 }.scan(0, +).sink(
      receiveCompletion: { seen = source.cancels }, receiveValue: { _ in })
    source.finish()
    #expect(seen == 1)
    withExtendedLifetime(subscription) {}
  }

  @Test("S12 what a source sends in its own cancel is dropped, and the cancel runs once")
  func speaksWhenCancelled() {
    var told: [Int] = []
    var cancels = 0
    let signal = Signal<Int> { subscriber in
      Subscription {
        cancels += 1
        subscriber.receive(1)
        subscriber.finish()
      }
    }
    let subscription = signal.sink(
      receiveCompletion: { told.append(-1) }, receiveValue: { told.append($0) })
    subscription.cancel()
    #expect(told == [])
    #expect(cancels == 1)
  }

  @Test("S12 a source that releases its own subscription cancels its upstream")
  func releasesItsOwn() {
    let source = SignalSubject<Int>()
    var told: [Int] = []
    let wrapper = Signal<Int> { subscriber in
      let inner = source.signal.sink(
        receiveCompletion: { subscriber.finish() }, receiveValue: { subscriber.receive($0) })
      return Subscription { inner.cancel() }
    }
    let subscription = wrapper.prefix(2).sink(
      receiveCompletion: { told.append(-1) }, receiveValue: { told.append($0) })
    for value in 1...3 { source.send(value) }
    #expect(told == [1, 2, -1])
    #expect(source.cancels == 1)
    withExtendedLifetime(subscription) {}
  }

  @Test("`just` delivers its value and finishes, and `never` does neither")
  func justAndNever() {
    var told: [Int] = []
    let subscriptions = [
      Signal.just(1).sink(
        receiveCompletion: { told.append(-1) }, receiveValue: { told.append($0) }),
      Signal<Int>.never.sink(
        receiveCompletion: { told.append(-2) }, receiveValue: { told.append($0) }),
    ]
    #expect(told == [1, -1])
    withExtendedLifetime(subscriptions) {}
  }

  @Test("operators work on emitters, key path publishers, bindings and signals")
  func convertible() {
    let store = Store<Int, Never>(state: 1)
    let emitter = Emitter<Int>()
    var told: [Int] = []
    let subscriptions = [
      merge(emitter, store.publisher, store.binder.self[dynamicMember: \.self], Signal.just(7))
        .sink { told.append($0) }
    ]
    emitter.send(8)
    store.binder.self[dynamicMember: \.self].wrappedValue = 9
    #expect(told == [7, 8, 9, 9])
    withExtendedLifetime(subscriptions) {}
  }
}
