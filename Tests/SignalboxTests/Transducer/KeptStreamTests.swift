import Signalbox
import Testing

@Suite(.opensGates, .timeLimit(.minutes(60))) @MainActor struct KeptStreamTests {
  @Test(
    "X3 S14 cancelling an effect cancels the source of its kept stream while a value is on its way",
    arguments: [false, true])
  func cancelled(onTheWay: Bool) async {
    let store = Clockwork.store()
    let source = AsyncStream.makeStream(of: Clockwork.Event.self)
    let moment = StoreMoment()
    source.continuation.onTermination = { _ in Task { @MainActor in moment.happen() } }
    store.send(Clockwork.Event("go") { .events(id: "stream") { _ in source.stream } })
    // Resumes the effect, which continues only after this task suspends.
    if onTheWay { source.continuation.yield("late") }
    store.cancel(id: "stream")
    await moment.arrival
    #expect(store.log == ["go"])
    withExtendedLifetime(source.stream) {}
  }

  @Test("X3 S14 an effect whose event cancels it requests no more elements")
  func cancelledByItself() async {
    let store = Clockwork.store()
    let asked = SignalLog<Void>()
    store.send(
      Clockwork.Event("go") { .events(id: "stream") { _ in Asking(log: asked) } })
    await store.settle()
    #expect(store.log == ["go", "stop"])
    #expect(asked.entries.count == 1)
  }
}

/// A sequence of events that cancel the effect that reads it.
private struct Asking: AsyncSequence, Sendable {
  let log: SignalLog<Void>

  struct Iterator: AsyncIteratorProtocol {
    let log: SignalLog<Void>

    mutating func next() async -> Clockwork.Event? {
      await log.add(())
      return Clockwork.Event("stop") { .cancel("stream") }
    }
  }

  func makeAsyncIterator() -> Iterator { Iterator(log: log) }
}
