import Dispatch
import Signalbox
import Testing

/// Tests finishes from several threads.
///
/// Run them under the thread sanitizer, too.
@Suite(.timeLimit(.minutes(60))) @MainActor struct EmitterFinishTests {
  private func listen(to emitter: Emitter<Int>, _ log: SignalLog<Int>) -> Subscription {
    emitter.sink(receiveCompletion: { log.add(-1) }, receiveValue: { log.add($0) })
  }

  @Test("S14 a finish on another thread comes after the posts of that thread and ends the signal")
  func afterPosts() async {
    let emitter = Emitter<Int>()
    let log = SignalLog<Int>()
    let subscription = listen(to: emitter, log)
    DispatchQueue.global().async {
      for value in 1...1_000 { emitter.post(value) }
      emitter.finish()
      emitter.post(1_001)
      emitter.finish()
    }
    await log.reach(1_001)
    emitter.send(1_002)
    #expect(log.entries == Array(1...1_000) + [-1])
    withExtendedLifetime(subscription) {}
  }

  @Test(
    "S14 S11 a finish on the main actor delivers earlier posts and takes effect before it returns")
  func onMainActor() {
    let emitter = Emitter<Int>()
    let log = SignalLog<Int>()
    let subscription = listen(to: emitter, log)
    for value in 1...3 { emitter.post(value) }
    emitter.finish()
    #expect(log.entries == [1, 2, 3, -1])
    emitter.finish()
    emitter.post(4)
    emitter.send(5)
    #expect(log.entries == [1, 2, 3, -1])
    withExtendedLifetime(subscription) {}
  }

  @Test("S14 S5 a finish during a delivery comes after what was sent and posted before it")
  func duringDelivery() async {
    let emitter = Emitter<Int>()
    let log = SignalLog<Int>()
    let first = emitter.sink { value in
      guard value == 1 else { return }
      emitter.send(2)
      emitter.post(3)
      emitter.finish()
      emitter.send(4)
    }
    let second = listen(to: emitter, log)
    emitter.send(1)
    #expect(log.entries == [1, 2, 3, -1])
    withExtendedLifetime((first, second)) {}
  }

  @Test("S14 a finish during the delivery of posted values comes after the rest of them")
  func duringDrain() async {
    let emitter = Emitter<Int>()
    let log = SignalLog<Int>()
    let first = emitter.sink { if $0 == 1 { emitter.finish() } }
    let second = listen(to: emitter, log)
    for value in 1...3 { emitter.post(value) }
    await log.reach(4)
    #expect(log.entries == [1, 2, 3, -1])
    withExtendedLifetime((first, second)) {}
  }

  @Test("S14 two finishes on two threads during posts give one completion and nothing after it")
  func race() async {
    for _ in 0..<100 {
      let emitter = Emitter<Int>()
      let log = SignalLog<Int>()
      let ended = SignalLog<Void>()
      let subscription = emitter.sink(
        receiveCompletion: {
          log.add(-1)
          ended.add(())
        }, receiveValue: { log.add($0) })
      for thread in 1...2 {
        DispatchQueue.global().async {
          for _ in 0..<10 { emitter.post(thread) }
          emitter.finish()
          emitter.post(3)
        }
      }
      emitter.send(0)
      await ended.reach(1)
      #expect(log.entries.last == -1)
      #expect(log.entries.count { $0 == -1 } == 1)
      // The first finish comes after everything that its own thread had posted.
      #expect([1, 2].contains { thread in log.entries.count { $0 == thread } == 10 })
      withExtendedLifetime(subscription) {}
    }
  }

  @Test("S14 10,000 emitters finish on other threads, each after its value")
  func many() async {
    let log = SignalLog<Int>()
    let emitters = (0..<10_000).map { _ in Emitter<Int>() }
    var subscriptions: [Subscription] = []
    var isRight = true
    for emitter in emitters {
      var count = 0
      subscriptions.append(
        emitter.sink(
          receiveCompletion: {
            if count != 1 { isRight = false }
            log.add(-1)
          }, receiveValue: { _ in count += 1 }))
    }
    DispatchQueue.global().async {
      DispatchQueue.concurrentPerform(iterations: emitters.count) { index in
        emitters[index].post(1)
        emitters[index].finish()
      }
    }
    await log.reach(emitters.count)
    #expect(isRight)
    #expect(log.entries.count == emitters.count)
    withExtendedLifetime(subscriptions) {}
  }

  @Test("S14 an emitter of values that are not Sendable can finish on any thread")
  func notSendable() async {
    final class Plain {}
    let emitter = Emitter<Plain>()
    var isFinished = false
    let subscription = emitter.sink(
      receiveCompletion: { isFinished = true }, receiveValue: { _ in })
    await Task.detached { emitter.finish() }.value
    await mainActorCatchesUp()
    #expect(isFinished)
    withExtendedLifetime(subscription) {}
  }
}
