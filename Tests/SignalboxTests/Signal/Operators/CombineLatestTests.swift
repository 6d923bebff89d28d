import Signalbox
import Testing

@MainActor struct CombineLatestTests {
  private struct Pair: Equatable {
    var a = 1
    var b = 2
  }

  @Test("S8 combineLatest waits for the first event of each input and then gives one output each")
  func events() {
    let (a, b) = (Emitter<Int>(), Emitter<String>())
    var told: [String] = []
    let subscription = combineLatest(a, b).sink { told.append("\($0.0)\($0.1)") }
    a.send(1)
    a.send(2)
    #expect(told == [])
    b.send("x")
    a.send(3)
    b.send("y")
    #expect(told == ["2x", "3x", "3y"])
    withExtendedLifetime(subscription) {}
  }

  @Test("S7 one event that reaches two inputs gives an output for each")
  func sameEvent() {
    let emitter = Emitter<Int>()
    var told: [String] = []
    let subscription = combineLatest(emitter, emitter.map { $0 * 10 }, emitter.filter { $0 > 1 })
      .sink { told.append("\($0.0) \($0.1) \($0.2)") }
    emitter.send(1)
    emitter.send(2)
    emitter.send(3)
    #expect(told == ["2 20 2", "3 20 2", "3 30 2", "3 30 3"])
    withExtendedLifetime(subscription) {}
  }

  @Test("S8 state has a value from the start but gives no output until the first event")
  func mixed() {
    let store = Store<Pair, Never>(state: Pair())
    let emitter = Emitter<Int>()
    var told: [String] = []
    let subscription = combineLatest(store.publisher.a, emitter, store.publisher.b)
      .sink { told.append("\($0.0) \($0.1) \($0.2)") }
    #expect(told == [])
    store.binder.a.wrappedValue = 10
    #expect(told == [])
    emitter.send(0)
    store.binder.b.wrappedValue = 20
    store.binder.self[dynamicMember: \.self].wrappedValue = Pair(a: 11, b: 21)
    emitter.send(1)
    #expect(told == ["10 0 2", "10 0 20", "11 0 21", "11 1 21"])
    withExtendedLifetime(subscription) {}
  }

  @Test("S7 an event next to state uses the delivered state, never a queued one")
  func mixedInDelivery() {
    let store = Store<Pair, Never>(state: Pair())
    let emitter = Emitter<Int>()
    var told: [String] = []
    let trigger = emitter.sink { value in
      store.binder.a.wrappedValue = value * 100
      store.binder.b.wrappedValue = value * 200
    }
    let subscription = combineLatest(store.publisher.a, emitter, store.publisher.b)
      .sink { told.append("\($0.0) \($0.1) \($0.2)") }
    emitter.send(1)
    emitter.send(2)
    #expect(
      told == [
        "1 1 2", "100 1 2", "100 1 200", "100 2 200", "200 2 200", "200 2 400",
      ])
    withExtendedLifetime((trigger, subscription)) {}
  }

  @Test("S7 derived state next to an event gives one output for each commit that changes it")
  func mixedDerived() {
    let store = Store<Pair, Never>(state: Pair())
    let emitter = Emitter<Int>()
    var told: [String] = []
    let parity = store.publisher.a.map { $0 % 2 }.removeDuplicates()
    let sum = combineLatest(store.publisher.a, store.publisher.b).map { $0.0 + $0.1 }
    let subscription = combineLatest(parity, sum.removeDuplicates(), emitter)
      .sink { told.append("\($0.0) \($0.1) \($0.2)") }
    emitter.send(0)
    store.binder.self[dynamicMember: \.self].wrappedValue = Pair(a: 2, b: 1)
    store.binder.self[dynamicMember: \.self].wrappedValue = Pair(a: 4, b: -1)
    store.binder.self[dynamicMember: \.self].wrappedValue = Pair(a: 5, b: 5)
    #expect(told == ["1 3 0", "0 3 0", "1 10 0"])
    withExtendedLifetime(subscription) {}
  }

  @Test("S8 a mapped state signal starts with the mapped current value")
  func seedOfMap() {
    let store = Store<Pair, Never>(state: Pair())
    let emitter = Emitter<Int>()
    var told: [String] = []
    let subscription = combineLatest(store.publisher.a.map { "<\($0)>" }, emitter)
      .sink { told.append("\($0.0)\($0.1)") }
    store.binder.a.wrappedValue = 5
    emitter.send(1)
    #expect(told == ["<5>1"])
    withExtendedLifetime(subscription) {}
  }

  @Test("S8 an optional event that is nil counts as a value")
  func optional() {
    let (a, b) = (Emitter<Int?>(), Emitter<Int?>())
    var told: [String] = []
    let subscription = combineLatest(a, b).sink {
      told.append("\($0.0.map(String.init) ?? "-")\($0.1.map(String.init) ?? "-")")
    }
    a.send(nil)
    b.send(nil)
    a.send(1)
    #expect(told == ["--", "1-"])
    withExtendedLifetime(subscription) {}
  }

  @Test("S8 a `just` input counts as an event that has arrived")
  func just() {
    let emitter = Emitter<Int>()
    var told: [Int] = []
    let subscription = combineLatest(Signal.just(1), emitter).sink { told.append($0.0 + $0.1) }
    emitter.send(2)
    #expect(told == [3])
    withExtendedLifetime(subscription) {}
  }

  @Test("S11 combineLatest finishes when all inputs have and delivers values until then")
  func finish() {
    let (a, b) = (Emitter<Int>(), Emitter<Int>())
    var told: [Int] = []
    let subscription = combineLatest(a, b).sink(
      receiveCompletion: { told.append(-1) }, receiveValue: { told.append($0.0 + $0.1) })
    a.send(1)
    b.send(1)
    a.finish()
    b.send(2)
    #expect(told == [2, 3])
    b.finish()
    #expect(told == [2, 3, -1])
    withExtendedLifetime(subscription) {}
  }

  @Test("S11 combineLatest finishes when an input finishes without a value, and cancels the rest")
  func finishWithoutValue() {
    let source = SignalSubject<Int>()
    let emitter = Emitter<Int>()
    var told: [Int] = []
    let subscription = combineLatest(source.signal, emitter).sink(
      receiveCompletion: { told.append(-1) }, receiveValue: { told.append($0.0 + $0.1) })
    source.send(1)
    emitter.finish()
    #expect(told == [-1])
    #expect(source.cancels == 1)
    withExtendedLifetime(subscription) {}
  }

  @Test("S11 combineLatest with state finishes when events and store have ended, in any order")
  func finishMixed() {
    for storeFirst in [true, false] {
      var store: Store<Pair, Never>? = Store(state: Pair())
      let emitter = Emitter<Int>()
      var told: [Int] = []
      let subscription = store.map {
        combineLatest($0.publisher.a, emitter).sink(
          receiveCompletion: { told.append(-1) }, receiveValue: { told.append($0.0 + $0.1) })
      }
      emitter.send(1)
      if storeFirst {
        store = nil
        emitter.send(2)
        #expect(told == [2, 3])
        emitter.finish()
        #expect(told == [2, 3, -1])
      } else {
        emitter.finish()
        store?.binder.a.wrappedValue = 5
        #expect(told == [2, 6])
        store = nil
        #expect(told == [2, 6, -1])
      }
      withExtendedLifetime(subscription) {}
    }
  }

  @Test("S8 the state of a released store is still a value to combine with")
  func deadStore() {
    var store: Store<Pair, Never>? = Store(state: Pair())
    guard let state = store?.publisher.a.signal else { return }
    store = nil
    let emitter = Emitter<Int>()
    var told: [Int] = []
    let subscription = combineLatest(state, emitter).sink { told.append($0.0 + $0.1) }
    emitter.send(1)
    #expect(told == [2])
    withExtendedLifetime(subscription) {}
  }

  @Test("S7 combineLatest takes any number of inputs")
  func many() {
    let emitters = (0..<6).map { _ in Emitter<Int>() }
    var told: [Int] = []
    let subscription = combineLatest(
      emitters[0], emitters[1], emitters[2], emitters[3], emitters[4], emitters[5]
    ).sink { a, b, c, d, e, f in told.append([a, b, c, d, e, f].reduce(0, +)) }
    for (index, emitter) in emitters.enumerated() { emitter.send(1 << index) }
    #expect(told == [63])
    withExtendedLifetime(subscription) {}
  }

  @Test("S3 combineLatest made during a delivery starts with current state and gets no old change")
  func duringDelivery() {
    let store = Store<Pair, Never>(state: Pair())
    let emitter = Emitter<Int>()
    var told: [String] = []
    var inner: [Subscription] = []
    let outer = emitter.sink { value in
      guard value == 1 else { return }
      store.binder.a.wrappedValue = 7
      inner.append(
        combineLatest(store.publisher.a, store.publisher.b).sink { told.append("s\($0.0)\($0.1)") })
      inner.append(combineLatest(store.publisher.a, emitter).sink { told.append("m\($0.0)") })
      store.binder.b.wrappedValue = 8
      emitter.send(2)
    }
    emitter.send(1)
    #expect(told == ["s78", "m7"])
    withExtendedLifetime((outer, inner)) {}
  }
}
