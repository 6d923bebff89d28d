extension SignalConvertible {
  /// Makes a signal from each value and delivers the values of the newest signal.
  ///
  /// The previous signal is cancelled. The result finishes when the source and the newest signal
  /// have finished.
  public func flatMapLatest<T>(
    _ transform: @escaping @MainActor (Value) -> Signal<T>
  ) -> Signal<T> {
    let signal = signal
    return Signal<T>.direct({ subscriber in
      let latest = Latest<T>()
      let owner = Propagation.owner
      let readPaths = Propagation.readPaths
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
              isOpen: { stage.isOpen }))
          latest.replace(with: inner)
          let signal = transform(value)
          @MainActor func connect() { inner.connect(to: signal) { inner.send($0) } }
          // The inner subscription belongs to the owner of the outer subscriber. The log of that
          // owner needs the parts that the inner signal reads.
          if let owner {
            owner.owning { if let readPaths { readPaths.gather(connect) } else { connect() } }
          } else {
            connect()
          }
        })
      return stage.subscription
    })
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
