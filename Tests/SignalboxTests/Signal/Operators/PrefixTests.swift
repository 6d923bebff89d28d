import Signalbox
import Testing

@MainActor struct PrefixTests {
  @Test("S11 prefix delivers its count of values, finishes and cancels its source at once")
  func prefix() {
    let source = SignalSubject<Int>()
    var told: [Int] = []
    let subscription = source.signal.prefix(2).sink(
      receiveCompletion: { told.append(-source.cancels) }, receiveValue: { told.append($0) })
    for value in 1...3 { source.send(value) }
    #expect(told == [1, 2, -1])
    withExtendedLifetime(subscription) {}
  }

  @Test("S11 prefix(0) finishes at once without subscribing, and a short source finishes early")
  func edges() {
    let source = SignalSubject<Int>()
    var told: [Int] = []
    let subscriptions = [
      source.signal.prefix(0).sink(
        receiveCompletion: { told.append(-1) }, receiveValue: { told.append($0) }),
      Signal.just(1).prefix(5).sink(
        receiveCompletion: { told.append(-2) }, receiveValue: { told.append($0) }),
    ]
    #expect(told == [-1, 1, -2])
    #expect(source.attachments == 0)
    withExtendedLifetime(subscriptions) {}
  }

  @Test("S11 the last value comes before anything that it causes, and no further value follows")
  func feedback() {
    let emitter = Emitter<Int>()
    var told: [Int] = []
    let subscription = emitter.prefix(2).sink(
      receiveCompletion: { told.append(-1) },
      receiveValue: { value in
        emitter.send(value + 1)
        told.append(value)
      })
    emitter.send(1)
    #expect(told == [1, 2, -1])
    withExtendedLifetime(subscription) {}
  }

  @Test("S11 prefix(1) delivers one value, even if the source sends while it is attached")
  func feedbackDuringAttach() {
    var told: [Int] = []
    let source = SignalSubject<Int> { $0.receive(1) }
    let subscription = source.signal.prefix(1).sink { value in
      if value < 5 { source.send(value + 1) }
      told.append(value)
    }
    #expect(told == [1])
    withExtendedLifetime(subscription) {}
  }

  @Test("S18 a negative count of prefix traps with a message")
  func negative() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { @MainActor in
      _ = Emitter<Int>().prefix(-1)
    }
    expectError("prefix(-1): a count cannot be negative. Pass 0", from: result)
  }

  @Test("S18 a negative count of dropFirst traps with a message")
  func negativeDrop() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { @MainActor in
      _ = Emitter<Int>().dropFirst(-2)
    }
    expectError("dropFirst(-2): a count cannot be negative. Pass 0", from: result)
  }
}
