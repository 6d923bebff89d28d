/// A type that can be subscribed to, such as a signal, an emitter or a key path publisher.
///
/// All operators are extensions of this protocol, so they work on all of these types.
@MainActor public protocol SignalConvertible<Value> {
  /// The type of the values that subscribers receive.
  associatedtype Value

  /// This source as a signal.
  var signal: Signal<Value> { get }
}

/// A stream of values on the main actor that never fails: `value* finish?`.
///
/// A signal is a description. Nothing happens until a caller subscribes with `sink`, `assign`,
/// `values` or `first`. Operators run separately for each subscriber.
///
/// There are two kinds of signals (S7). A *state signal* always has a current value. State signals
/// are key path publishers and the signals that `map`, `removeDuplicates` and `combineLatest` make
/// from them. All other signals are *event signals*.
@MainActor public struct Signal<Value>: SignalConvertible {
  let attach: @MainActor (Subscriber<Value>) -> Subscription

  /// How a state signal is computed from the state, or `nil` for an event signal.
  let derivation: Derivation<Value>?

  /// Makes a signal from a custom source.
  ///
  ///     let volume = Signal<Double> { subscriber in
  ///       player.onVolumeChange = { subscriber.receive($0) }
  ///       return Subscription { player.onVolumeChange = nil }
  ///     }
  ///
  /// - Parameter attach: is called once for each subscriber, on the main actor, and is kept as long
  ///   as the signal. Values that it sends before it returns arrive at once. The subscription that
  ///   it returns is cancelled when the subscriber cancels or the signal finishes.
  public init(_ attach: @escaping @MainActor (Subscriber<Value>) -> Subscription) {
    self.init(attaching: { SourceGate($0).open(attach) })
  }

  private init(attaching attach: @escaping @MainActor (Subscriber<Value>) -> Subscription) {
    self.attach = attach
    derivation = nil
  }

  /// Makes a signal from a source that sends only inside deliveries.
  static func direct(
    _ attach: @escaping @MainActor (Subscriber<Value>) -> Subscription
  ) -> Signal {
    Signal(attaching: attach)
  }

  init(_ derivation: Derivation<Value>) {
    attach = derivation.attach
    self.derivation = derivation
  }

  /// The signal itself.
  public var signal: Signal<Value> { self }

  /// Makes a signal that delivers one value to each subscriber at once and finishes.
  public static func just(_ value: Value) -> Signal {
    Signal.direct { subscriber in
      subscriber.receive(value)
      subscriber.finish()
      return .empty
    }
  }

  /// A signal that never delivers a value and never finishes.
  public static var never: Signal { Signal.direct { _ in .empty } }
}
