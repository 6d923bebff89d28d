import Signalbox
import Testing

@MainActor struct PrependTests {
  @Test("prepend delivers its values to each subscriber, before those of the signal")
  func prepend() {
    let emitter = Emitter<Int>()
    let signal = emitter.prepend(1, 2)
    var told: [Int] = []
    let subscriptions = [
      signal.sink { told.append($0) }, signal.prepend(0).sink { told.append($0 * 10) },
    ]
    #expect(told == [1, 2, 0, 10, 20])
    emitter.send(3)
    #expect(told == [1, 2, 0, 10, 20, 3, 30])
    withExtendedLifetime(subscriptions) {}
  }

  @Test("prepend with prefix delivers only the prefix and finishes once")
  func prefix() {
    let emitter = Emitter<Int>()
    var told: [Int] = []
    let subscription = emitter.prepend(1, 2, 3).prefix(2).sink(
      receiveCompletion: { told.append(-1) }, receiveValue: { told.append($0) })
    emitter.send(4)
    #expect(told == [1, 2, -1])
    withExtendedLifetime(subscription) {}
  }

  @Test("S11 prepend does not attach the source when the prepended values have ended the signal")
  func sourceIsLeftAlone() {
    let source = SignalSubject<Int>()
    let subscription = source.signal.prepend(1).prefix(1).sink { _ in }
    #expect(source.attachments == 0)
    withExtendedLifetime(subscription) {}
  }

  @Test("prepended values count in later operators such as dropFirst, scan and removeDuplicates")
  func behind() {
    let emitter = Emitter<Int>()
    var told: [Int] = []
    let subscription = emitter.prepend(1, 1, 2).dropFirst().removeDuplicates().scan(0, +)
      .sink { told.append($0) }
    emitter.send(2)
    emitter.send(3)
    #expect(told == [1, 3, 6])
    withExtendedLifetime(subscription) {}
  }

  @Test("S11 prepend to a finished source delivers the prepended values and then the finish")
  func finished() {
    let emitter = Emitter<Int>()
    emitter.finish()
    var told: [Int] = []
    let subscription = emitter.prepend(1).sink(
      receiveCompletion: { told.append(-1) }, receiveValue: { told.append($0) })
    #expect(told == [1, -1])
    withExtendedLifetime(subscription) {}
  }

  @Test("S4 prepend stops at the value with which its subscriber ends")
  func stopped() {
    var seen: [Int] = []
    let subscription = Emitter<Int>().prepend(1, 2, 3)
      .map { value in
        seen.append(value)
        return value
      }
      .prefix(2).sink { _ in }
    #expect(seen == [1, 2])
    withExtendedLifetime(subscription) {}
  }
}
