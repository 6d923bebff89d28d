import Signalbox
import Testing

/// Tests user code that runs inside a signal and calls back into it.
@MainActor struct ReentryTests {
  /// What a callback does to the signal that called it.
  enum Deed: String, CaseIterable, Codable { case send, cancel, subscribe, finish, release }

  /// A signal and its subscribers.
  @MainActor private final class Scene {
    var emitter: Emitter<SignalLastWill?>? = Emitter()
    var subscriptions: [Subscription] = []
    private(set) var deeds = 0

    func act(_ deed: Deed) {
      deeds += 1
      guard deeds < 50 else { return }
      switch deed {
      case .send: emitter?.send(nil)
      case .cancel: for subscription in subscriptions { subscription.cancel() }
      case .subscribe: if let emitter { subscriptions.append(emitter.sink { _ in }) }
      case .finish: emitter?.finish()
      case .release:
        _ = emitter.take()
        let held = subscriptions
        subscriptions = []
        withExtendedLifetime(held) {}
      }
    }

    /// A value that acts when it is released.
    func value(_ deed: Deed) -> SignalLastWill {
      SignalLastWill { [weak self] in MainActor.assumeIsolated { self?.act(deed) } }
    }
  }

  private static let operators: [@MainActor (Signal<SignalLastWill?>) -> Signal<SignalLastWill?>] =
    [
      { $0.removeDuplicates { $0 === $1 } }, { $0.scan(nil) { $1 ?? $0 } },
      { $0.debounce(for: .seconds(1)) }, { $0.throttle(for: .seconds(1)) },
      { $0.throttle(for: .seconds(1), latest: false) }, { combineLatest($0, $0).map { $0.0 } },
      { $0.flatMapLatest { Signal.never.prepend($0) } }, { $0.prefix(2) }, { $0.merge(with: $0) },
      { source in source.handleEvents(receiveCancel: { _ = source.signal }) },
    ]

  @Test(
    "S4 S5 S13 a value that a newer one replaces may do anything when it is released",
    arguments: Deed.allCases)
  func values(deed: Deed) async {
    await #expect(processExitsWith: .success) { @MainActor [deed] in
      for transform in Self.operators {
        let scene = Scene()
        guard let signal = scene.emitter?.signal else { return }
        scene.subscriptions = (0..<3).map { _ in transform(signal).sink { _ in } }
        for _ in 0..<4 { scene.emitter?.send(scene.value(deed)) }
        scene.act(.release)
        precondition(scene.deeds >= 2)
      }
      let emitter = Emitter<Int>()
      var told = 0
      let subscription = emitter.sink { told = $0 }
      emitter.send(1)
      precondition(told == 1, "nothing is left under way")
      withExtendedLifetime(subscription) {}
    }
  }

  @Test(
    "S4 S5 S13 a comparison, a transform and a cancel may do anything to their own signal",
    arguments: Deed.allCases)
  func closures(deed: Deed) async {
    await #expect(processExitsWith: .success) { @MainActor [deed] in
      let scene = Scene()
      guard let signal = scene.emitter?.signal else { return }
      let custom = Signal<SignalLastWill?> { [weak scene] subscriber in
        let inner = signal.sink { subscriber.receive($0) }
        return Subscription {
          inner.cancel()
          scene?.act(deed)
        }
      }
      let all: [Signal<SignalLastWill?>] = [
        signal.removeDuplicates { [weak scene] _, _ in
          scene?.act(deed)
          return false
        },
        signal.map { [weak scene] in
          scene?.act(deed)
          return $0
        },
        signal.flatMapLatest { [weak scene] _ in
          scene?.act(deed)
          return signal
        },
        signal.handleEvents(
          receiveValue: { [weak scene] _ in scene?.act(deed) },
          receiveCompletion: { [weak scene] in scene?.act(deed) },
          receiveCancel: { [weak scene] in scene?.act(deed) }),
        custom, combineLatest(custom, signal.dropFirst()).map { $0.0 }, custom.prefix(1),
      ]
      scene.subscriptions = (all + all).map { $0.sink { [weak scene] _ in scene?.act(deed) } }
      for _ in 0..<4 { scene.emitter?.send(nil) }
      scene.act(.release)
    }
  }

  @MainActor private final class Kept { var subscriptions: [Subscription] = [] }

  @Test("S4 10,000 subscribers that the first one cancels during a delivery receive nothing")
  func cancelMany() {
    let emitter = Emitter<Int>()
    let kept = Kept()
    var told = 0
    let first = emitter.sink { _ in
      for subscription in kept.subscriptions { subscription.cancel() }
    }
    kept.subscriptions = (0..<10_000).map { _ in emitter.sink { _ in told += 1 } }
    let last = emitter.sink { told += $0 }
    emitter.send(1)
    #expect(told == 1)
    emitter.send(1)
    #expect(told == 2)
    withExtendedLifetime((first, last)) {}
  }

  @Test("S4 S12 10,000 subscriptions that cancel one another are each cancelled once")
  func chainOfCancels() {
    let emitter = Emitter<Int>()
    let kept = Kept()
    var cancels = 0
    for _ in 0..<10_000 {
      let before = kept.subscriptions.last
      let signal = emitter.handleEvents(receiveCancel: {
        cancels += 1
        if cancels.isMultiple(of: 100) { before?.cancel() }
      })
      kept.subscriptions.append(signal.sink { _ in })
    }
    let canceller = emitter.sink { _ in for one in kept.subscriptions.reversed() { one.cancel() } }
    emitter.send(1)
    #expect(cancels == 10_000)
    withExtendedLifetime(canceller) {}
  }
}
