extension SignalOperators where Self: SignalConvertible {
  /// Makes a signal from each value and delivers the values of the newest signal.
  ///
  /// The previous signal is cancelled. The result finishes when the source and the newest signal
  /// have finished. The new signal is subscribed to when the value is delivered, so what it sends
  /// before that is not delivered (S5).
  public func flatMapLatest<T>(
    _ transform: @escaping @MainActor (Value) -> Signal<T>
  ) -> Signal<T> {
    let signal = signal
    return Signal<T>.direct { subscriber in
      let attachment = subscriber.attachment
      attachment?.addTransformation()
      let latest = Latest<T>()
      let stage = Stage(subscriber) { latest.replace(with: nil) }
      var outerIsFinished = false
      stage.connect(
        to: signal,
        finish: {
          outerIsFinished = true
          if latest.isFinished { stage.finish() }
        },
        receive: { value in
          latest.replace(with: nil)
          guard !stage.isClosed else { return }
          let inner = Stage(
            Subscriber<T>(
              receive: { stage.send($0) },
              finish: {
                latest.isFinished = true
                if outerIsFinished { stage.finish() }
              },
              isOpen: { stage.isOpen }, attachment: attachment))
          latest.replace(with: inner)
          let signal = transform(value)
          @MainActor func connect() { inner.connect(to: signal) { inner.send($0) } }
          // Sinks that the closures of the inner signal make while it is being attached have the
          // same owner as those that the closures of the outer signal make.
          if let owner = attachment?.owner { owner.owning(connect) } else { connect() }
        })
      return stage.subscription
    }
  }
}

/// The inner signal of a `flatMapLatest`, of which there is at most one.
@MainActor private final class Latest<Output> {
  var isFinished = true
  private var subscription: Subscription?

  func replace(with inner: Stage<Output>?) {
    let old = exchange(&subscription, with: inner?.subscription)
    isFinished = inner == nil
    old?.end()
  }
}
