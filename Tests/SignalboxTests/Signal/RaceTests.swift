import Dispatch
import Signalbox
import Testing

/// Tests races between threads.
///
/// Run them under the thread sanitizer, too.
@Suite(.timeLimit(.minutes(60))) @MainActor struct RaceTests {
  @Test("S12 subscriptions may be cancelled on other threads while the main actor sends")
  func cancelWhileSending() async {
    let emitter = Emitter<Int>()
    let ended = SignalLog<Void>()
    let others = 200
    var told = 0
    let subscriptions = (0..<others).map { _ in
      emitter.handleEvents(receiveCancel: { ended.add(()) }).sink { told += $0 }
    }
    let cancels = subscriptions.enumerated().map { index, subscription in
      let cancel = Task.detached { subscription.cancel() }
      if index.isMultiple(of: 10) { emitter.send(1) }
      return cancel
    }
    // The cancels take effect on the main actor, which this test has not left yet.
    #expect(told == others * 20)
    for cancel in cancels { await cancel.value }
    await mainActorCatchesUp()
    #expect(ended.entries.count == others)
    emitter.send(1)
    #expect(told == others * 20)
  }

  @Test("S12 a subscription may be cancelled, released and finished on three threads at once")
  func threeEnds() async {
    for _ in 0..<200 {
      let emitter = Emitter<Int>()
      let ended = SignalLog<Void>()
      let subscription = emitter.handleEvents(receiveCancel: { ended.add(()) })
        .sink(receiveCompletion: { ended.add(()) }, receiveValue: { _ in })
      let all = Subscription.all(subscription, .empty)
      let cancels = [Task.detached { subscription.cancel() }, Task.detached { all.cancel() }]
      emitter.finish()
      for cancel in cancels { await cancel.value }
      await mainActorCatchesUp()
      #expect(ended.entries.count == 1)
    }
  }

  @Test("S14 an emitter may be posted to on two threads and released on a third")
  func releaseWhilePosting() async {
    for _ in 0..<100 {
      let log = SignalLog<Int>()
      let subscription = postAndRelease(log)
      await log.reach(21)
      #expect(log.entries.last == -1)
      #expect(log.entries.count { $0 == 1 } == 10)
      #expect(log.entries.count { $0 == 2 } == 10)
      withExtendedLifetime(subscription) {}
    }
  }

  private func postAndRelease(_ log: SignalLog<Int>) -> Subscription {
    let emitter = Emitter<Int>()
    for thread in 1...2 {
      DispatchQueue.global().async { for _ in 0..<10 { emitter.post(thread) } }
    }
    return emitter.sink(receiveCompletion: { log.add(-1) }, receiveValue: { log.add($0) })
  }

  @Test("S14 four threads may post while the main actor sends and delivers")
  func postWhileSending() async {
    let emitter = Emitter<Int>()
    let log = SignalLog<Int>()
    let subscription = emitter.sink { log.add($0) }
    for thread in 1...4 {
      DispatchQueue.global().async { for _ in 0..<1_000 { emitter.post(thread) } }
    }
    for _ in 0..<1_000 { emitter.send(0) }
    await log.reach(5_000)
    for thread in 0...4 { #expect(log.entries.count { $0 == thread } == 1_000) }
    withExtendedLifetime(subscription) {}
  }

  @Test("S15 streams may be released and tasks cancelled on other threads while values are sent")
  func streams() async {
    let emitter = Emitter<Int>()
    let ended = SignalLog<Void>()
    for _ in 0..<50 {
      let values = emitter.handleEvents(receiveCancel: { ended.add(()) }).values
      let task = Task.detached { for await _ in values {} }
      emitter.send(1)
      DispatchQueue.global().async { task.cancel() }
      emitter.send(2)
    }
    await ended.reach(50)
    #expect(ended.entries.count == 50)
  }

  @Test("S18 debounces may be cancelled on other threads while the main actor sends to them")
  func debounce() async {
    let emitter = Emitter<Int>()
    let ended = SignalLog<Void>()
    let clock = SignalClock()
    var told = 0
    let cancels = (0..<50).map { _ in
      let subscription = emitter.handleEvents(receiveCancel: { ended.add(()) })
        .debounce(for: .seconds(1), clock: clock).sink { _ in told += 1 }
      emitter.send(1)
      let cancel = Task.detached { subscription.cancel() }
      clock.advance(by: .milliseconds(100))
      return cancel
    }
    for cancel in cancels { await cancel.value }
    await mainActorCatchesUp()
    #expect(ended.entries.count == 50)
    #expect(clock.book.sleeping == 0)
    // Every value has started all waits anew, so no interval has passed before its cancel.
    clock.advance(by: .seconds(1))
    await mainActorCatchesUp()
    #expect(told == 0)
  }
}
