import Signalbox
import Testing

@Suite(.timeLimit(.minutes(60))) @MainActor struct SubscriptionTests {
  @Test("S12 a subscription cancels once, however often it is cancelled and released")
  func once() {
    var count = 0
    var subscription: Subscription? = Subscription { count += 1 }
    subscription?.cancel()
    #expect(count == 1)
    subscription?.cancel()
    subscription = nil
    #expect(count == 1)
  }

  @Test("S12 releasing a subscription cancels it")
  func release() {
    var count = 0
    var subscription: Subscription? = Subscription { count += 1 }
    #expect(subscription != nil)
    subscription = nil
    #expect(count == 1)
  }

  @Test("S12 a cancel inside its own closure does nothing")
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

  @Test("S12 a hundred concurrent cancels on threads cancel once, on the main actor")
  func anyThread() async {
    for _ in 0..<20 {
      let log = SignalLog<Bool>()
      let moment = StoreMoment()
      let subscription = Subscription {
        MainActor.assertIsolated()
        log.add(true)
        moment.happen()
      }
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<20 { group.addTask { subscription.cancel() } }
      }
      await moment.arrival
      #expect(log.entries.count == 1)
    }
  }

  @Test("S12 a subscription that is released on another thread cancels on the main actor")
  func releasedElsewhere() async {
    let isMain = SignalMainQueue.watched()
    let ended = SignalLog<Bool>()
    await Task.detached { _ = Subscription { ended.add(isMain()) } }.value
    await mainActorCatchesUp()
    #expect(ended.entries == [true])
  }

  @Test("S12 captured objects are released on the main actor, wherever the cancel was called")
  func capturesEndOnMain() async {
    let isMain = SignalMainQueue.watched()
    let (onMain, elsewhere) = (SharedCount(), SharedCount())
    let cancels = (0..<500).map { _ in
      let subscription = withWill { (isMain() ? onMain : elsewhere).increase() }
      return Task.detached { subscription.cancel() }
    }
    for cancel in cancels { await cancel.value }
    await mainActorCatchesUp()
    #expect(onMain.value == 500 && elsewhere.value == 0)
  }

  private func withWill(_ onRelease: @escaping @Sendable () -> Void) -> Subscription {
    let will = SignalLastWill(onRelease)
    return Subscription { _ = will }
  }

  @Test("S12 cancelling an emitter's subscription on another thread releases captured objects")
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

  @Test("S12 `.all` cancels each of its subscriptions once, in order")
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

  @Test("S12 `.all` keeps its subscriptions and releases them with the cancel")
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

  @Test("S12 `.empty` can be cancelled and shared without effect")
  func empty() {
    Subscription.empty.cancel()
    var set: Set<Subscription> = []
    Subscription.empty.store(in: &set)
    Subscription.empty.store(in: &set)
    #expect(set.count == 1)
    set = []
    Subscription.empty.cancel()
  }

  @Test("S12 a set identifies subscriptions by identity and cancels them when it is emptied")
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

  @Test("S12 a subscription that is dropped at once receives only the values sent while it is made")
  func dropped() {
    let emitter = Emitter<Int>()
    var told: [Int] = []
    _ = emitter.prepend(1).sink { told.append($0) }
    emitter.send(2)
    #expect(told == [1])
  }
}
