import Dispatch
import Signalbox
import Testing

@Suite(.timeLimit(.minutes(10))) @MainActor struct SubscriptionTests {
  @Test("S12 a subscription cancels once, however often it is told to, and not again when released")
  func once() {
    var count = 0
    var subscription: Subscription? = Subscription { count += 1 }
    subscription?.cancel()
    #expect(count == 1)
    subscription?.cancel()
    subscription = nil
    #expect(count == 1)
  }

  @Test("S12 releasing is cancelling")
  func release() {
    var count = 0
    var subscription: Subscription? = Subscription { count += 1 }
    #expect(subscription != nil)
    subscription = nil
    #expect(count == 1)
  }

  @Test("S12 a cancel from inside its own closure does nothing")
  func insideItself() {
    var count = 0
    var subscription: Subscription?
    subscription = Subscription {
      count += 1
      subscription?.cancel()
      subscription = nil
    }
    subscription?.cancel()
    #expect(count == 1)
  }

  @Test("S12 after a finish neither cancel nor release ends the source again")
  func finishThenCancel() {
    let source = SignalSubject<Int>()
    var subscription: Subscription? = source.signal.map { $0 }.prefix(5).sink { _ in }
    source.finish()
    #expect(source.cancels == 1)
    subscription?.cancel()
    subscription = nil
    source.finish()
    #expect(source.cancels == 1)
  }

  @Test("S12 a hundred threads at once cancel it once, and on the main actor")
  func anyThread() async {
    for _ in 0..<20 {
      let log = SignalLog<Bool>()
      let gate = SignalGate()
      let subscription = Subscription {
        MainActor.assertIsolated()
        log.add(true)
        gate.open()
      }
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<20 { group.addTask { subscription.cancel() } }
      }
      await gate.opened
      #expect(log.entries.count == 1)
    }
  }

  @Test("S12 released on another thread it cancels on the main actor")
  func releasedElsewhere() async {
    let isMain = SignalMainQueue.watched()
    let ended = SignalLog<Bool>()
    await Task.detached { _ = Subscription { ended.add(isMain()) } }.value
    await mainActorCatchesUp()
    #expect(ended.entries == [true])
  }

  @Test(
    "S12 what the closure captured is released on the main actor, wherever it was cancelled")
  func capturesEndOnMain() async {
    let isMain = SignalMainQueue.watched()
    for _ in 0..<500 {
      let subscription = withWill { if !isMain() { Issue.record("released off the main actor") } }
      DispatchQueue.global().async { subscription.cancel() }
    }
    let last = SignalGate()
    let fence = Subscription { last.open() }
    DispatchQueue.global().async { fence.cancel() }
    await last.opened
  }

  private func withWill(_ onRelease: @escaping @Sendable () -> Void) -> Subscription {
    let will = SignalLastWill(onRelease)
    return Subscription { _ = will }
  }

  @Test("S12 an emitter's subscription cancelled on another thread ends, and its captures with it")
  func emitterElsewhere() async {
    let emitter = Emitter<Int>()
    let released = SignalLog<Void>()
    let subscription = makeSink(emitter) { MainActor.assumeIsolated { released.add(()) } }
    await Task.detached { subscription.cancel() }.value
    await mainActorCatchesUp()
    #expect(released.entries.count == 1)
    emitter.send(1)
  }

  private func makeSink(
    _ emitter: Emitter<Int>, _ onRelease: @escaping @Sendable () -> Void
  ) -> Subscription {
    let will = SignalLastWill(onRelease)
    return emitter.sink { _ in
      _ = will
      Issue.record("told after its cancel")
    }
  }

  @Test("S12 `.all` cancels each of its own, in order, once")
  func all() {
    var told = ""
    let (a, b, c) = (
      Subscription { told += "a" }, Subscription { told += "b" }, Subscription { told += "c" }
    )
    let all = Subscription.all(c, .empty, a, Subscription.all(b, a))
    a.cancel()
    all.cancel()
    all.cancel()
    #expect(told == "acb")
  }

  @Test("S12 `.all` keeps what it was given, and releases it with the cancel")
  func allKeeps() {
    var told = ""
    var all: Subscription? = .all(Subscription { told += "a" }, Subscription { told += "b" })
    #expect(told == "")
    weak var inner: Subscription?
    do {
      let last = Subscription { told += "c" }
      inner = last
      all = .all(all ?? .empty, last)
    }
    #expect(told == "")
    all?.cancel()
    #expect(told == "abc")
    #expect(inner == nil)
  }

  @Test("S12 `.empty` may be cancelled and shared by whoever likes")
  func empty() {
    Subscription.empty.cancel()
    var set: Set<Subscription> = []
    Subscription.empty.store(in: &set)
    Subscription.empty.store(in: &set)
    #expect(set.count == 1)
    set = []
    Subscription.empty.cancel()
  }

  @Test("S12 a set keeps subscriptions apart by identity and cancels them when it is emptied")
  func storeIn() {
    let emitter = Emitter<Int>()
    var told = 0
    var set: Set<Subscription> = []
    let first = emitter.sink { _ in told += 1 }
    first.store(in: &set)
    first.store(in: &set)
    emitter.sink { _ in told += 1 }.store(in: &set)
    #expect(set.count == 2)
    #expect(set.contains(first))
    #expect(first == first)
    #expect(first != emitter.sink { _ in })
    emitter.send(0)
    #expect(told == 2)
    set.remove(first)
    set = []
    emitter.send(0)
    #expect(told == 3, "the one that is still held here")
    first.cancel()
    emitter.send(0)
    #expect(told == 3)
  }

  @Test("S12 a subscription dropped at once hears what arrives while it is made, and nothing else")
  func dropped() {
    let emitter = Emitter<Int>()
    var told: [Int] = []
    _ = emitter.prepend(1).sink { told.append($0) }
    emitter.send(2)
    #expect(told == [1])
  }
}
