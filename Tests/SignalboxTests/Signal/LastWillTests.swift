import Signalbox
import Testing

/// Tests objects that send or end subscriptions when a cancel or a finish releases them.
///
/// They are exit tests, because a mistake in the library makes the runtime trap ("overlapping
/// accesses").
@Suite(.timeLimit(.minutes(60))) @MainActor struct LastWillTests {
  @Test("S13 a finish releases an owner that its own sink holds, with its subscription")
  func ownerOfItsSink() async {
    await #expect(processExitsWith: .success) { @MainActor in
      let emitter = Emitter<Int>()
      let owner: WeakOwner? = make(emitter.signal, .sink)
      emitter.finish()
      precondition(owner?.owner == nil)
    }
  }

  @Test("S13 a finish releases an owner that a closure of its own chain holds")
  func ownerOfItsChain() async {
    await #expect(processExitsWith: .success) { @MainActor in
      let source = SignalSubject<Int>()
      let owner: WeakOwner? = make(source.signal, .map)
      source.finish()
      precondition(owner?.owner == nil)
    }
  }

  @Test("S13 the end of a store releases an owner that its own sink holds")
  func ownerOfStateSink() async {
    await #expect(processExitsWith: .success) { @MainActor in
      var store: Store<Int, Never>? = Store(state: 0)
      let owner = store.map { make($0.publisher.signal, .sink) }
      store = nil
      precondition(owner?.owner == nil)
    }
  }

  @Test("S13 the end of a store releases an owner that a map of its state holds")
  func ownerOfStateMap() async {
    await #expect(processExitsWith: .success) { @MainActor in
      var store: Store<Int, Never>? = Store(state: 0)
      let owner = store.map { make($0.publisher.signal, .map) }
      store = nil
      precondition(owner?.owner == nil)
    }
  }

  @Test("S13 an object that a cancel releases may send to the source it subscribed to")
  func sendsWhenReleased() async {
    await #expect(processExitsWith: .success) { @MainActor in
      let emitter = Emitter<Int>()
      let subscription = sink(emitter.signal, will: { emitter.send(1) })
      subscription.cancel()
    }
  }

  @Test("S13 an object that a cancel releases may send to the custom source it transformed")
  func sendsWhenChainReleased() async {
    await #expect(processExitsWith: .success) { @MainActor in
      let source = SignalSubject<Int>()
      let subscription = map(source.signal, will: { source.send(1) })
      subscription.cancel()
    }
  }

  @Test("S13 an object that a cancel releases may write to the state it observed")
  func writesWhenReleased() async {
    await #expect(processExitsWith: .success) { @MainActor in
      let store = Store<Int, Never>(state: 0)
      let binding = store.binder.self[dynamicMember: \.self]
      let sinking = sink(store.publisher.signal, will: { binding.wrappedValue += 1 })
      sinking.cancel()
      let mapping = map(store.publisher.signal, will: { binding.wrappedValue += 1 })
      mapping.cancel()
      precondition(store.state == 2)
    }
  }

  @Test("S13 a value that a newer one replaces may send when it is released")
  func valueWithAWill() async {
    await #expect(processExitsWith: .success) { @MainActor in
      let emitter = Emitter<SignalLastWill>()
      var sent = 0
      let subscription = emitter.removeDuplicates { $0 === $1 }.debounce(for: .seconds(1)).sink {
        _ in
      }
      for _ in 0..<3 {
        let silent = SignalLastWill {}
        emitter.send(
          SignalLastWill {
            MainActor.assumeIsolated {
              sent += 1
              emitter.send(silent)
            }
          })
      }
      subscription.cancel()
      precondition(sent == 3)
    }
  }
}

/// An object in a retain cycle with its subscription.
@MainActor private final class Owner {
  private var subscription: Subscription?
  private var sum = 0

  enum Place {
    case sink
    case map
  }

  init(_ signal: Signal<Int>, in place: Place) {
    switch place {
    case .sink: subscription = signal.sink { self.sum += $0 }
    case .map:
      let mapped = signal.map { value -> Int in
        self.sum += value
        return value
      }
      subscription = mapped.sink { _ in }
    }
  }
}

private struct WeakOwner {
  weak var owner: Owner?
}

@MainActor private func make(_ signal: Signal<Int>, _ place: Owner.Place) -> WeakOwner {
  let owner = Owner(signal, in: place)
  return WeakOwner(owner: owner)
}

@MainActor private func sink(
  _ signal: Signal<Int>, will: @escaping @MainActor @Sendable () -> Void
) -> Subscription {
  let will = SignalLastWill { MainActor.assumeIsolated { will() } }
  return signal.sink { _ in _ = will }
}

@MainActor private func map(
  _ signal: Signal<Int>, will: @escaping @MainActor @Sendable () -> Void
) -> Subscription {
  let will = SignalLastWill { MainActor.assumeIsolated { will() } }
  let mapped = signal.map { value -> Int in
    _ = will
    return value
  }
  return mapped.sink { _ in }
}
