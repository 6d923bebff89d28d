import Signalbox
import Testing

@MainActor struct ZipTests {
  @Test("S11 zip pairs values in order and finishes when a finished input has none left")
  func pairs() {
    let (a, b, c) = (Emitter<Int>(), Emitter<String>(), Emitter<Bool>())
    var told: [String] = []
    let subscription = zip(a, b, c).sink(
      receiveCompletion: { told.append(".") }, receiveValue: { told.append("\($0)\($1)\($2)") })
    a.send(1)
    a.send(2)
    b.send("x")
    a.finish()
    c.send(true)
    c.send(false)
    #expect(told == ["1xtrue"])
    b.send("y")
    #expect(told == ["1xtrue", "2yfalse", "."])
    withExtendedLifetime(subscription) {}
  }

  @Test("S11 zip finishes at once if an input has finished without a value, and cancels the others")
  func nothing() {
    let source = SignalSubject<Int>()
    var told: [Int] = []
    let subscription = source.signal.zip(Signal<Int>.empty).sink(
      receiveCompletion: { told.append(-1) }, receiveValue: { told.append($0.0) })
    #expect(told == [-1] && source.cancels == 1)
    withExtendedLifetime(subscription) {}
  }

  @Test("S5 S11 a sink of zip may send, and a cancel in it is the end")
  func feedback() {
    let (a, b) = (Emitter<Int>(), Emitter<Int>())
    var told: [Int] = []
    var subscription: Subscription?
    subscription = a.zip(b).sink { value in
      told.append(value.0 * 10 + value.1)
      if value.0 == 1 { b.send(2) } else { subscription?.cancel() }
    }
    for value in 1...3 { a.send(value) }
    b.send(1)
    b.send(3)
    #expect(told == [11, 22])
  }

  @Test(
    "S7 S8 combineLatest of an array gives one output for a commit, and nothing finishes at once")
  func latest() {
    let store = Store(state: StateTwo())
    var told: [[Int]] = []
    let subscription = combineLatest([store.publisher.a, store.publisher.b]).sink {
      told.append($0)
    }
    store.binder.both.wrappedValue = 3
    #expect(told == [[3, 3]])
    var isFinished = false
    let none: [Signal<Int>] = []
    let empty = combineLatest(none).sink(
      receiveCompletion: { isFinished = true }, receiveValue: { _ in })
    #expect(isFinished)
    withExtendedLifetime((subscription, empty)) {}
  }

  @Test("S8 S11 combineLatest of an array of events waits for each first value")
  func events() {
    let emitters = [Emitter<Int>(), Emitter<Int>()]
    var told: [[Int]] = []
    let subscription = combineLatest(emitters).sink(
      receiveCompletion: { told.append([]) }, receiveValue: { told.append($0) })
    emitters[0].send(1)
    emitters[1].send(2)
    emitters[0].send(3)
    for emitter in emitters { emitter.finish() }
    #expect(told == [[1, 2], [3, 2], []])
    withExtendedLifetime(subscription) {}
  }

  @Test("S11 merge of an array delivers values as they arrive and finishes with the last input")
  func merged() {
    let (a, b) = (Emitter<Int>(), Emitter<Int>())
    var told: [Int] = []
    let subscription = merge([a, b.map { -$0 }]).sink(
      receiveCompletion: { told.append(0) }, receiveValue: { told.append($0) })
    a.send(1)
    b.send(2)
    a.finish()
    b.finish()
    #expect(told == [1, -2, 0])
    withExtendedLifetime(subscription) {}
  }
}

private struct StateTwo {
  var a = 1
  var b = 2
  var both: Int {
    get { a }
    set { (a, b) = (newValue, newValue) }
  }
}
