import Signalbox
import Testing

@MainActor struct HandleEventsTests {
  private func watched(_ signal: Signal<Int>, _ log: SignalLog<String>, _ name: String = "")
    -> Signal<Int>
  {
    signal.handleEvents(
      receiveSubscription: { log.add("subscribe\(name)") },
      receiveValue: { log.add("value\(name) \($0)") },
      receiveCompletion: { log.add("finish\(name)") },
      receiveCancel: { log.add("cancel\(name)") })
  }

  private func sink(_ signal: Signal<Int>, _ log: SignalLog<String>) -> Subscription {
    signal.sink(receiveCompletion: { log.add("done") }, receiveValue: { log.add("told \($0)") })
  }

  @Test("handleEvents runs before the source is attached and before the subscriber is notified")
  func order() {
    let log = SignalLog<String>()
    let source = SignalSubject<Int> {
      log.add("attach")
      $0.receive(0)
    }
    let subscription = sink(watched(source.signal, log), log)
    source.send(1)
    source.finish()
    subscription.cancel()
    #expect(
      log.entries == [
        "subscribe", "attach", "value 0", "told 0", "value 1", "told 1", "finish", "done",
      ])
  }

  @Test("a cancel is reported once, and not after a finish")
  func cancel() {
    let log = SignalLog<String>()
    let emitter = Emitter<Int>()
    let subscription = sink(watched(emitter.signal, log), log)
    subscription.cancel()
    subscription.cancel()
    emitter.finish()
    #expect(log.entries == ["subscribe", "cancel"])
  }

  @Test("in a chain, subscribing is reported upwards, and values and the finish downwards")
  func chain() {
    let log = SignalLog<String>()
    let emitter = Emitter<Int>()
    let subscription = sink(watched(watched(emitter.signal, log, " 1"), log, " 2"), log)
    emitter.send(7)
    emitter.finish()
    #expect(
      log.entries == [
        "subscribe 2", "subscribe 1", "value 1 7", "value 2 7", "told 7", "finish 1", "finish 2",
        "done",
      ])
    withExtendedLifetime(subscription) {}
  }

  @Test("a downstream end cancels upstream, and an upstream finish is not reported")
  func prefix() {
    let log = SignalLog<String>()
    let emitter = Emitter<Int>()
    let subscription = sink(watched(watched(emitter.signal, log, " 1").prefix(1), log, " 2"), log)
    emitter.send(7)
    emitter.finish()
    #expect(
      log.entries == [
        "subscribe 2", "subscribe 1", "value 1 7", "value 2 7", "told 7", "cancel 1", "finish 2",
        "done",
      ])
    withExtendedLifetime(subscription) {}
  }

  @Test("S4 handleEvents does not call receiveCompletion after a cancel")
  func finishAfterCancel() {
    let emitter = Emitter<Int>()
    var told: [String] = []
    var second: Subscription?
    let first = emitter.sink(receiveCompletion: { second?.cancel() }, receiveValue: { _ in })
    second =
      emitter.handleEvents(
        receiveCompletion: { told.append("finished") }, receiveCancel: { told.append("cancelled") }
      ).sink { _ in }
    emitter.finish()
    #expect(told == ["cancelled"])
    withExtendedLifetime(first) {}
  }
}
