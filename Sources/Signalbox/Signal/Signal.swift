/// Anything that can be subscribed to: a signal, an emitter, a key path publisher, a binding.
///
/// Every operator is defined here, so all of them work on all of those.
@MainActor public protocol SignalConvertible<Value> {
  /// The kind of value that arrives.
  associatedtype Value

  /// This source as a signal.
  var signal: Signal<Value> { get }
}

/// A stream of values on the main actor that never fails: `value* finish?`.
///
/// A signal is a description. Nothing happens until someone subscribes with `sink`, `assign`,
/// `values` or `first`, and each subscriber gets a run of its own.
///
/// There are two kinds (S7). A *state signal* always has a current value: key path publishers,
/// and what `map`, `removeDuplicates` and `combineLatest` make of them. Everything else is an
/// *event signal*.
@MainActor public struct Signal<Value>: SignalConvertible {
  let attach: @MainActor (Subscriber<Value>) -> Subscription

  /// How a state signal follows from the state; `nil` for event signals.
  let derivation: Derivation<Value>?

  /// Makes a signal from a source of one's own.
  ///
  ///     let volume = Signal<Double> { subscriber in
  ///       player.onVolumeChange = { subscriber.receive($0) }
  ///       return Subscription { player.onVolumeChange = nil }
  ///     }
  ///
  /// - Parameter attach: runs once for each subscriber, on the main actor. What it sends before
  ///   it returns arrives at once; the subscription it returns is cancelled when the subscriber
  ///   cancels or the signal finishes.
  public init(_ attach: @escaping @MainActor (Subscriber<Value>) -> Subscription) {
    self.init(attaching: { SourceGate($0).open(attach) })
  }

  private init(attaching attach: @escaping @MainActor (Subscriber<Value>) -> Subscription) {
    self.attach = attach
    derivation = nil
  }

  /// A signal whose source is known to send only from within deliveries.
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

  /// A signal that gives one value to each subscriber, at once, and finishes.
  public static func just(_ value: Value) -> Signal {
    Signal.direct({ subscriber in
      subscriber.receive(value)
      subscriber.finish()
      return .empty
    })
  }

  /// A signal that neither gives a value nor finishes.
  public static var never: Signal { Signal.direct({ _ in .empty }) }
}
