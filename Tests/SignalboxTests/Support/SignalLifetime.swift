import Dispatch
import Signalbox
import Testing

/// A value or a captured object whose release can be observed.
final class SignalToken: Equatable, Sendable {
  let number: Int
  init(_ number: Int = 0) { self.number = number }
  static func == (l: SignalToken, r: SignalToken) -> Bool { l.number == r.number }
}

/// Calls back when it is released, on any thread.
final class SignalLastWill: Sendable {
  private let onRelease: @Sendable () -> Void
  init(_ onRelease: @escaping @Sendable () -> Void) { self.onRelease = onRelease }
  deinit { onRelease() }
}

/// Reports whether code runs on the main queue, without a trap where it does not.
enum SignalMainQueue {
  static func watched() -> @Sendable () -> Bool {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return { DispatchQueue.getSpecific(key: key) == true }
  }
}

/// A weak reference that can be kept in an array.
struct SignalTrace {
  weak var token: SignalToken?
  var isAlive: Bool { token != nil }

  /// Returns when the token is gone, which it may be on another thread, or the test is cancelled.
  @MainActor func release() async {
    while isAlive && !Task.isCancelled { await mainActorCatchesUp() }
  }
}

/// An operator whose closure, if it takes one, captures a token.
struct SignalOperator: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let apply: @MainActor @Sendable (Signal<SignalToken>, SignalToken) -> Signal<SignalToken>

  init(
    _ name: String,
    _ apply:
      @escaping @MainActor @Sendable (Signal<SignalToken>, SignalToken)
      -> Signal<SignalToken>
  ) {
    testDescription = name
    self.apply = apply
  }

  /// All operators.
  ///
  /// For those that take no closure, the values are watched instead.
  static let all: [SignalOperator] = [
    SignalOperator("none") { source, _ in source },
    SignalOperator("map") { source, token in source.map { touch($0, token) } },
    SignalOperator("compactMap") { source, token in source.compactMap { touch($0, token) } },
    SignalOperator("filter") { source, token in source.filter { touch($0, token).number >= 0 } },
    SignalOperator("removeDuplicates") { source, _ in source.removeDuplicates() },
    SignalOperator("removeDuplicates(by:)") { source, token in
      source.removeDuplicates { touch($0, token) == $1 }
    },
    SignalOperator("scan") { source, token in source.scan(token) { touch($1, $0) } },
    SignalOperator("dropFirst") { source, token in source.prepend(token).dropFirst() },
    SignalOperator("prefix") { source, _ in source.prefix(1_000) },
    SignalOperator("prepend") { source, token in source.prepend(token) },
    SignalOperator("merge") { source, token in
      source.merge(with: source.map { touch($0, token) })
    },
    SignalOperator("combineLatest") { source, token in
      combineLatest(source, source.map { touch($0, token) }).map { $0.0 }
    },
    SignalOperator("flatMapLatest") { source, token in
      source.flatMapLatest { value in Signal.never.prepend(touch(value, token)) }
    },
    SignalOperator("debounce") { source, token in
      source.map { touch($0, token) }.debounce(for: .seconds(1), clock: SignalClock())
    },
    SignalOperator("throttle") { source, token in
      source.map { touch($0, token) }.throttle(for: .seconds(1), clock: SignalClock())
    },
    SignalOperator("prefix(while:)") { source, token in
      source.prefix { touch($0, token).number >= 0 }
    },
    SignalOperator("drop(while:)") { source, token in
      source.drop { touch($0, token).number < 0 }
    },
    SignalOperator("prefix(untilOutputFrom:)") { source, token in
      source.prefix(untilOutputFrom: source.filter { touch($0, token).number < 0 })
    },
    SignalOperator("zip") { source, token in
      zip(source, source.map { touch($0, token) }).map { $0.0 }
    },
    SignalOperator("withLatest") { source, token in
      source.withLatest(from: source.map { touch($0, token) }).map { $0.0 }
    },
    SignalOperator("timeout") { source, token in
      source.map { touch($0, token) }.timeout(.seconds(1), clock: SignalClock())
    },
    SignalOperator("handleEvents") { source, token in
      source.handleEvents(
        receiveSubscription: { _ = token.number }, receiveValue: { _ = touch($0, token) },
        receiveCompletion: { _ = token.number }, receiveCancel: { _ = token.number })
    },
    SignalOperator("share") { source, token in
      source.map { touch($0, token) }.share(replay: 1)
    },
    SignalOperator("includingCurrent") { source, token in
      source.map { touch($0, token) }.includingCurrent()
    },
  ]

  private static func touch(_ value: SignalToken, _ token: SignalToken) -> SignalToken {
    _ = token.number
    return value
  }
}
