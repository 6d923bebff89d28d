import Signalbox
import Testing

@Suite(.timeLimit(.minutes(60))) @MainActor struct EmitterTests {
  @Test("S11 values are followed by one finish, and values after it are ignored")
  func valuesThenFinish() {
    let emitter = Emitter<Int>()
    var told: [String] = []
    let subscription = emitter.sink(
      receiveCompletion: { told.append(".") },
      receiveValue: { told.append("\($0)") })
    emitter.send(1)
    emitter.finish()
    emitter.send(2)
    emitter.finish()
    #expect(told == ["1", "."])
    withExtendedLifetime(subscription) {}
  }

  @Test("S11 a value sent before a nested finish arrives, and a value after it does not")
  func nestedFinishFromCompletion() {
    let emitter = Emitter<Int>()
    var told: [String] = []
    let subscription = emitter.sink(
      receiveCompletion: {
        told.append(".")
        emitter.send(9)
        emitter.finish()
      }, receiveValue: { told.append("\($0)") })
    emitter.finish()
    #expect(told == ["."])
    withExtendedLifetime(subscription) {}
  }

  @Test("S11 a late subscriber is finished before `sink` returns, even during a delivery")
  func late() {
    let (finished, other) = (Emitter<Int>(), Emitter<Int>())
    finished.finish()
    var told = ""
    var inner: Subscription?
    let outer = finished.map { $0 }.sink(receiveCompletion: { told += "." }, receiveValue: { _ in })
    #expect(told == ".")
    let nested = other.sink { _ in
      inner = finished.prefix(3).sink(receiveCompletion: { told += ":" }, receiveValue: { _ in })
      #expect(told == ".:")
    }
    other.send(0)
    #expect(told == ".:")
    withExtendedLifetime((outer, nested, inner)) {}
  }

  @Test("S11 an emitter that is released finishes")
  func released() {
    var emitter: Emitter<Int>? = Emitter()
    var told: [String] = []
    let subscription = emitter?.map { $0 }.sink(
      receiveCompletion: { told.append(".") },
      receiveValue: { told.append("\($0)") })
    emitter?.send(1)
    emitter = nil
    #expect(told == ["1", "."])
    withExtendedLifetime(subscription) {}
  }

  @Test("S11 an emitter released during a delivery finishes after what was sent before")
  func releasedInDelivery() {
    var emitter: Emitter<Int>? = Emitter()
    var told: [String] = []
    let a = emitter?.sink(
      receiveCompletion: { told.append("a.") },
      receiveValue: { value in
        told.append("a\(value)")
        emitter?.send(2)
        emitter = nil
      })
    let b = emitter?.sink(
      receiveCompletion: { told.append("b.") }, receiveValue: { told.append("b\($0)") })
    emitter?.send(1)
    #expect(told == ["a1", "b1", "a2", "b2", "a.", "b."])
    withExtendedLifetime((a, b)) {}
  }

  @Test("S11 an emitter that is released finishes after what was posted before")
  func releasedAfterPosts() async {
    let log = SignalLog<Int>()
    var emitter: Emitter<Int>? = Emitter()
    let subscription = emitter?.sink(
      receiveCompletion: { log.add(-1) }, receiveValue: { log.add($0) })
    for value in 0..<100 { emitter?.post(value) }
    emitter = nil
    await log.reach(101)
    #expect(log.entries == Array(0..<100) + [-1])
    withExtendedLifetime(subscription) {}
  }

  @Test("S11 an emitter released while posts are delivered finishes after the rest of them")
  func releasedDuringDrain() async {
    let log = SignalLog<Int>()
    let holder = Holder()
    let subscription = holder.emitter?.sink(
      receiveCompletion: { log.add(-1) },
      receiveValue: {
        log.add($0)
        holder.emitter = nil
      })
    for value in 1...3 { holder.emitter?.post(value) }
    await finished(log)
    #expect(log.entries == [1, 2, 3, -1])
    withExtendedLifetime(subscription) {}
  }

  @Test("S11 a finish during the delivery of posted values comes after the rest of them")
  func finishDuringDrain() async {
    let log = SignalLog<Int>()
    let emitter = Emitter<Int>()
    let subscription = emitter.sink(
      receiveCompletion: { log.add(-1) },
      receiveValue: {
        log.add($0)
        emitter.finish()
      })
    for value in 1...3 { emitter.post(value) }
    await finished(log)
    #expect(log.entries == [1, 2, 3, -1])
    withExtendedLifetime(subscription) {}
  }

  @Test("S11 an emitter released on another thread finishes on the main actor, after its posts")
  func releasedElsewhere() async {
    let log = SignalLog<Int>()
    let (subscription, task) = makeAndPost(log)
    await task.value
    await log.reach(11)
    #expect(log.entries == Array(0..<10) + [-1])
    withExtendedLifetime(subscription) {}
  }

  private func makeAndPost(_ log: SignalLog<Int>) -> (Subscription, Task<Void, Never>) {
    let emitter = Emitter<Int>()
    let subscription = emitter.sink(
      receiveCompletion: {
        MainActor.assertIsolated()
        log.add(-1)
      }, receiveValue: { log.add($0) })
    return (subscription, Task.detached { for value in 0..<10 { emitter.post(value) } })
  }

  @Test("an emitter of Void sends without an argument")
  func void() {
    let emitter = Emitter<Void>()
    var count = 0
    let subscription = emitter.sink { count += 1 }
    emitter.send()
    #expect(count == 1)
    withExtendedLifetime(subscription) {}
  }

  @Test("an emitter can be made anywhere, and its values need not be Sendable")
  func madeElsewhere() async {
    final class Plain {}
    let emitter = await Task.detached { Emitter<Int>() }.value
    let plain = Emitter<Plain>()
    var told = 0
    let subscriptions = [emitter.sink { told += $0 }, plain.sink { _ in told += 10 }]
    emitter.send(1)
    plain.send(Plain())
    #expect(told == 11)
    withExtendedLifetime(subscriptions) {}
  }

  private final class Holder {
    var emitter: Emitter<Int>? = Emitter()
  }

  /// Returns when the completion has been logged.
  private func finished(_ log: SignalLog<Int>) async {
    var count = 1
    while log.entries.last != -1 {
      count = log.entries.count + 1
      await log.reach(count)
    }
  }
}
