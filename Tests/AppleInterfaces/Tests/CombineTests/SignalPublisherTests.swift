import Combine
import Signalbox
import SignalboxUI
import Testing

@MainActor struct SignalPublisherTests {
  private struct Player: Equatable {
    var title = "Fugue"
    var volume = 1
  }

  @Test("a signal's publisher publishes what a sink would receive")
  func values() {
    let store = Store(state: Player())
    var received: [String] = []
    let changes = store.publisher.title.publisher().sink { received.append($0) }
    let current = store.publisher.title.includingCurrent().publisher().sink {
      received.append("(\($0))")
    }
    store.binder.title.wrappedValue = "Air"
    store.binder.volume.wrappedValue = 2
    #expect(received == ["(Fugue)", "Air", "(Air)"])
    changes.cancel()
    store.binder.title.wrappedValue = "Canon"
    #expect(received == ["(Fugue)", "Air", "(Air)", "(Canon)"])
    withExtendedLifetime(current) {}
  }

  @Test("a publisher completes with its signal and keeps no store alive")
  func completion() {
    var store: Store<Player, Never>? = Store(state: Player())
    weak let gone = store
    var events: [String] = []
    let publisher = store?.publisher.volume.publisher()
    let cancellable = publisher?.sink(
      receiveCompletion: { _ in events.append("finished") },
      receiveValue: { events.append("\($0)") })
    store?.binder.volume.wrappedValue = 2
    store = nil
    #expect(gone == nil)
    #expect(events == ["2", "finished"])
    withExtendedLifetime(cancellable) {}
  }

  @Test("a cancel ends the subscription to the signal and releases undelivered values")
  func cancel() {
    final class Token {}
    var cancels = 0
    let emitter = Emitter<Token>()
    let (first, second) = (Slow<Token>(), Slow<Token>())
    for slow in [first, second] {
      emitter.handleEvents(receiveCancel: { cancels += 1 }).publisher().subscribe(slow)
    }
    weak var waiting: Token?
    do {
      let token = Token()
      waiting = token
      emitter.send(token)
    }
    #expect(waiting != nil)
    first.subscription?.cancel()
    #expect(cancels == 1)
    second.subscription?.cancel()
    #expect(cancels == 2)
    #expect(waiting == nil)
    first.subscription?.request(.unlimited)
    #expect(first.received.isEmpty)
  }

  /// A subscriber that requests values one by one.
  private final class Slow<Input>: Combine.Subscriber {
    typealias Failure = Never
    var subscription: (any Combine.Subscription)?
    var received: [Input] = []
    var isFinished = false
    var wantsMore = Subscribers.Demand.none

    func receive(subscription: any Combine.Subscription) { self.subscription = subscription }
    func receive(_ value: Input) -> Subscribers.Demand {
      received.append(value)
      return wantsMore
    }
    func receive(completion: Subscribers.Completion<Never>) { isFinished = true }
  }

  @Test("a subscriber that requests values one by one gets all of them and then the end")
  func demand() {
    let emitter = Emitter<Int>()
    let slow = Slow<Int>()
    emitter.publisher().subscribe(slow)
    for value in 1...5 { emitter.send(value) }
    #expect(slow.received == [])
    slow.subscription?.request(.max(1))
    #expect(slow.received == [1])
    slow.subscription?.request(.max(2))
    #expect(slow.received == [1, 2, 3])
    emitter.finish()
    #expect(!slow.isFinished)
    slow.wantsMore = .max(1)
    slow.subscription?.request(.max(1))
    #expect(slow.received == [1, 2, 3, 4, 5])
    #expect(slow.isFinished)
  }

  /// A subscriber that requests the next value while it receives one.
  private final class Greedy: Combine.Subscriber {
    typealias Input = Int
    typealias Failure = Never
    var subscription: (any Combine.Subscription)?
    var depth = 0
    var deepest = 0
    var received: [Int] = []

    func receive(subscription: any Combine.Subscription) { self.subscription = subscription }
    func receive(_ value: Int) -> Subscribers.Demand {
      depth += 1
      deepest = max(deepest, depth)
      received.append(value)
      subscription?.request(.max(1))
      depth -= 1
      return .none
    }
    func receive(completion: Subscribers.Completion<Never>) {}
  }

  @Test("a value that is requested while another one is received follows afterwards")
  func reentrancy() {
    let emitter = Emitter<Int>()
    let greedy = Greedy()
    emitter.publisher().subscribe(greedy)
    for value in 1...5 { emitter.send(value) }
    greedy.subscription?.request(.max(1))
    #expect(greedy.received == [1, 2, 3, 4, 5])
    #expect(greedy.deepest == 1)
  }

  @Test("a subscriber on another thread receives values on the main actor")
  func subscribingElsewhere() async {
    let publisher = Signal.just(7).publisher()
    let (values, continuation) = AsyncStream.makeStream(of: Int.self)
    nonisolated(unsafe) var cancellable: AnyCancellable?
    Background.run {
      cancellable = publisher.sink { value in
        MainActor.assertIsolated()
        continuation.yield(value)
      }
    }
    for await value in values {
      #expect(value == 7)
      break
    }
    withExtendedLifetime(cancellable) {}
  }

  @Test("a round trip keeps the order, and a cancel during a value makes that value the last")
  func roundTrip() {
    let emitter = Emitter<Int>()
    var received: [Int] = []
    var cancellable: AnyCancellable?
    cancellable = Signal(emitter.publisher()).publisher().sink { value in
      received.append(value)
      if value == 3 { cancellable?.cancel() }
    }
    for value in 1...5 { emitter.send(value) }
    #expect(received == [1, 2, 3])
    cancellable = nil
  }
}
