/// The operators of everything that is `SignalConvertible`.
///
/// They extend this protocol, with a condition. For members that have a condition, Swift also looks
/// for a property of the state. So `store.publisher.first` publishes the property `first` of a state
/// that has one, and `await store.publisher.first()` waits for a value.
@MainActor public protocol SignalOperators {}

/// A type that can be subscribed to, such as a signal, an emitter or a key path publisher.
///
/// All operators work on all of these types.
@MainActor public protocol SignalConvertible<Value>: SignalOperators {
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

  /// Reads the value of the shared signal and adds its provenance; `nil` for an event signal.
  private let currentOfShared: CurrentReading?

  typealias CurrentReading = @MainActor (Attachment?) -> Value

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

  /// Makes a signal from a source that iterates a sequence, and asks for an executor for each wait.
  package init(
    iterating attach:
      @escaping @MainActor (
        Subscriber<Value>, _ executor: @escaping @MainActor () -> (any TaskExecutor)?
      ) -> Subscription
  ) {
    self.init(attaching: {
      let gate = SourceGate($0)
      return gate.open { attach($0) { gate.executor } }
    })
  }

  private init(
    attaching attach: @escaping @MainActor (Subscriber<Value>) -> Subscription,
    currentOfShared: CurrentReading? = nil
  ) {
    self.attach = attach
    self.currentOfShared = currentOfShared
    derivation = nil
  }

  /// Makes a signal from a source that sends only inside deliveries.
  static func direct(
    sharing shared: Signal? = nil,
    _ attach: @escaping @MainActor (Subscriber<Value>) -> Subscription
  ) -> Signal {
    Signal(attaching: attach, currentOfShared: shared?.current)
  }

  init(_ derivation: Derivation<Value>) {
    attach = derivation.attach
    self.derivation = derivation
    currentOfShared = nil
  }

  /// Reads the current value; `nil` for an event signal that shares no state signal.
  var current: CurrentReading? {
    guard let derivation else { return currentOfShared }
    return { derivation.build(Watcher(), $0).value(.now) }
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

  /// Makes a signal that delivers the elements of a sequence to each subscriber at once and finishes.
  ///
  /// - Parameter elements: is iterated once for each subscriber, until that wants no more values. An
  ///   endless sequence needs an operator that ends it, such as `prefix`. In a `zip` it never returns.
  public static func sequence(_ elements: some Sequence<Value>) -> Signal {
    Signal.direct { subscriber in
      for element in elements {
        guard subscriber.isOpen() else { return .empty }
        subscriber.receive(element)
      }
      subscriber.finish()
      return .empty
    }
  }

  /// A signal that finishes at once without a value.
  public static var empty: Signal { .sequence(EmptyCollection()) }

  /// A signal that never delivers a value and never finishes.
  public static var never: Signal { Signal.direct { _ in .empty } }
}
