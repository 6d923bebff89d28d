import Combine
import Dispatch
import Signalbox
import SignalboxUI
import Testing

@MainActor struct PublisherSignalTests {
  private struct Refused: Error, Equatable {}

  @Test("S14 a value published on the main actor arrives before the publisher continues")
  func atOnce() {
    let subject = PassthroughSubject<Int, Never>()
    var received: [Int] = []
    let subscription = Signal(subject).sink { received.append($0) }
    subject.send(1)
    #expect(received == [1])
    subject.send(2)
    #expect(received == [1, 2])
    subscription.cancel()
    subject.send(3)
    #expect(received == [1, 2])
  }

  @Test("a publisher with a current value delivers it to each subscriber")
  func current() {
    let subject = CurrentValueSubject<Int, Never>(1)
    let signal = Signal(subject)
    var received: [Int] = []
    let first = signal.sink { received.append($0) }
    subject.send(2)
    let second = signal.sink { received.append($0 * 10) }
    #expect(received == [1, 2, 20])
    withExtendedLifetime((first, second)) {}
  }

  @Test("S14 values published on another thread all arrive on the main actor, in order")
  func elsewhere() async {
    nonisolated(unsafe) let subject = PassthroughSubject<Int, Never>()
    let values = Signal(subject).values
    let queue = DispatchQueue(label: "publisher")
    queue.async {
      for value in 0..<1_000 { subject.send(value) }
      subject.send(completion: .finished)
    }
    var received: [Int] = []
    for await value in values {
      MainActor.assertIsolated()
      received.append(value)
    }
    #expect(received == Array(0..<1_000))
  }

  @Test("S14 values of a publisher keep their order when it changes to another thread")
  func changingThreads() {
    nonisolated(unsafe) let subject = PassthroughSubject<Int, Never>()
    var received: [Int] = []
    let subscription = Signal(subject).sink { received.append($0) }
    for round in 0..<100 {
      Background.run { subject.send(round * 2) }
      subject.send(round * 2 + 1)
    }
    #expect(received == Array(0..<200))
    withExtendedLifetime(subscription) {}
  }

  @Test("a publisher that completes on any thread finishes the signal after its values")
  func completion() async {
    var events: [String] = []
    let just = Signal(Just(1)).sink(
      receiveCompletion: { events.append("finished") }, receiveValue: { events.append("\($0)") })
    #expect(events == ["1", "finished"])
    nonisolated(unsafe) let subject = PassthroughSubject<Int, Never>()
    let last = Signal(subject).scan(0) { $0 + $1 }.values
    Background.run {
      subject.send(1)
      subject.send(2)
      subject.send(completion: .finished)
    }
    var sums: [Int] = []
    for await sum in last { sums.append(sum) }
    #expect(sums == [1, 3])
    withExtendedLifetime(just) {}
  }

  @Test("S16 results(of:) delivers values, and the error as the last one")
  func results() {
    let subject = PassthroughSubject<Int, Refused>()
    var received: [Result<Int, Refused>] = []
    var isFinished = false
    let subscription = Signal.results(of: subject).sink(
      receiveCompletion: { isFinished = true }, receiveValue: { received.append($0) })
    subject.send(1)
    subject.send(completion: .failure(Refused()))
    #expect(received == [.success(1), .failure(Refused())])
    #expect(isFinished)
    withExtendedLifetime(subscription) {}
  }

  @Test("a cancel unsubscribes from the publisher and releases the closures")
  func lifetime() {
    final class Token {}
    let subject = PassthroughSubject<Int, Never>()
    var cancels = 0
    var token: Token? = Token()
    weak let gone = token
    let signal = Signal(subject.handleEvents(receiveCancel: { cancels += 1 }))
    let subscription = signal.sink { [token] _ in _ = token }
    token = nil
    #expect(gone != nil)
    subscription.cancel()
    #expect(cancels == 1)
    #expect(gone == nil)
  }
}

/// A background thread.
enum Background {
  /// Runs a body on the thread and waits for it.
  static func run(_ body: @escaping @Sendable () -> Void) {
    let thread = DispatchQueue(label: "background")
    let done = DispatchSemaphore(value: 0)
    thread.async {
      body()
      done.signal()
    }
    done.wait()
  }
}
