import Signalbox
import Testing

@MainActor struct MergeTests {
  @Test("S11 merge delivers values as they arrive and finishes when all inputs have")
  func finish() {
    let (a, b, c) = (Emitter<Int>(), Emitter<Int>(), Emitter<Int>())
    var told: [Int] = []
    let subscription = a.merge(with: b, c.map { $0 * 10 }).sink(
      receiveCompletion: { told.append(-1) }, receiveValue: { told.append($0) })
    a.send(1)
    b.send(2)
    c.send(3)
    b.finish()
    a.finish()
    c.send(4)
    #expect(told == [1, 2, 30, 40])
    c.finish()
    #expect(told == [1, 2, 30, 40, -1])
    withExtendedLifetime(subscription) {}
  }

  @Test("S11 merge counts inputs that have already finished")
  func finishedAlready() {
    let done = Emitter<Int>()
    done.finish()
    var told: [Int] = []
    let subscriptions = [
      merge(done, Signal.just(1), done).sink(
        receiveCompletion: { told.append(-1) }, receiveValue: { told.append($0) }),
      done.merge().sink(
        receiveCompletion: { told.append(-2) }, receiveValue: { told.append($0) }),
    ]
    #expect(told == [1, -1, -2])
    withExtendedLifetime(subscriptions) {}
  }

  @Test("S5 merging a source with itself delivers both values before what the first one causes")
  func sameSourceTwice() {
    let emitter = Emitter<Int>()
    var told: [Int] = []
    let subscription = merge(emitter, emitter.map { -$0 }).sink { value in
      told.append(value)
      if value == 1 { emitter.send(2) }
    }
    emitter.send(1)
    #expect(told == [1, -1, 2, -2])
    withExtendedLifetime(subscription) {}
  }

  @Test("S12 a cancel cancels all inputs")
  func cancel() {
    let (a, b) = (SignalSubject<Int>(), SignalSubject<Int>())
    merge(a.signal, b.signal).sink { _ in }.cancel()
    #expect(a.cancels == 1)
    #expect(b.cancels == 1)
  }

  @Test("S11 merge does not attach later inputs when earlier ones have ended the signal")
  func inputIsLeftAlone() {
    let source = SignalSubject<Int>()
    let subscription = merge(Signal.just(1), source.signal).prefix(1).sink { _ in }
    #expect(source.attachments == 0)
    withExtendedLifetime(subscription) {}
  }

  @Test("S11 merge of no signals finishes at once")
  func nothing() {
    var told: [Int] = []
    let nothing: Signal<Int> = merge()
    let subscription = nothing.sink(
      receiveCompletion: { told.append(-1) }, receiveValue: { told.append($0) })
    #expect(told == [-1])
    withExtendedLifetime(subscription) {}
  }
}
