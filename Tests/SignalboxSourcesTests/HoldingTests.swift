import Foundation
import Signalbox
import SignalboxSources
import Testing

@Suite(.timeLimit(.minutes(60))) @MainActor struct HoldingTests {
  @Test("E7 a slow loop gets the newest values, and those that are lost are counted")
  func newest() async {
    let emitter = Emitter<Int>()
    var losses: [Int] = []
    let values = emitter.holding(newest: 3) { losses.append($0) }
    for value in 1...10 { emitter.send(value) }
    #expect(losses == Array(1...7))
    emitter.finish()
    var told: [Int] = []
    for await value in values { told.append(value) }
    #expect(told == [8, 9, 10] && losses.count == 7)
  }

  @Test("E7 a loop that keeps up loses nothing")
  func fast() async {
    let emitter = Emitter<Int>()
    var losses = 0
    var iterator = emitter.holding(newest: 1) { losses = $0 }.makeAsyncIterator()
    for value in 1...100 {
      emitter.send(value)
      #expect(await iterator.next() == value)
    }
    #expect(losses == 0)
  }

  @Test("E7 the stream unsubscribes when it is released or its task is cancelled")
  func release() async {
    var cancels = 0
    let source = Signal<Int>.never.handleEvents(receiveCancel: { cancels += 1 })
    do { _ = source.holding(newest: 1) }
    #expect(cancels == 1)
    let task = Task.atOnce { @MainActor in for await _ in source.holding(newest: 1) {} }
    task.cancel()
    await task.value
    while cancels < 2 { await Task { @MainActor in }.value }
  }

  @Test("E7 to hold no value traps with a message")
  func none() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      @MainActor in _ = Emitter<Int>().holding(newest: 0)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("holding(newest: 0): a loop needs at least one value"))
  }
}
