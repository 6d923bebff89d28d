import Signalbox
import Testing

@Suite(.opensDoors, .timeLimit(.minutes(10))) @MainActor struct KeptStreamTests {
  @Test(
    "X3 S14 cancelling an effect cancels the source of its kept stream while a value is on its way",
    arguments: [false, true])
  func cancelled(onTheWay: Bool) async {
    let store = Clockwork.store()
    let source = AsyncStream.makeStream(of: Clockwork.Event.self)
    let gate = SignalGate()
    source.continuation.onTermination = { _ in Task { @MainActor in gate.open() } }
    store.send(Clockwork.Event("go") { .events(id: "stream") { _ in source.stream } })
    // Resumes the effect, which continues only after this task suspends.
    if onTheWay { source.continuation.yield("late") }
    store.cancel(id: "stream")
    await gate.opened
    #expect(store.log == ["go"])
    withExtendedLifetime(source.stream) {}
  }

  @Test("X3 S14 an effect whose event cancels it requests no more elements")
  func cancelledByItself() async {
    let store = Clockwork.store()
    let asked = StateCounterBox()
    store.send(
      Clockwork.Event("go") { .events(id: "stream") { _ in Asking(counter: asked) } })
    await store.settle()
    #expect(store.log == ["go", "stop"])
    #expect(asked.count == 1)
  }
}

@MainActor private final class StateCounterBox {
  private(set) var count = 0
  func add() { count += 1 }
}

/// A sequence of events that cancel the effect that reads it.
private struct Asking: AsyncSequence, Sendable {
  let counter: StateCounterBox

  struct Iterator: AsyncIteratorProtocol {
    let counter: StateCounterBox

    mutating func next() async -> Clockwork.Event? {
      await counter.add()
      return Clockwork.Event("stop") { .cancel("stream") }
    }
  }

  func makeAsyncIterator() -> Iterator { Iterator(counter: counter) }
}
