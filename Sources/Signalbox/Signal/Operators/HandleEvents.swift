extension SignalOperators where Self: SignalConvertible {
  /// Calls closures when the signal is subscribed to, delivers a value, finishes or is cancelled.
  ///
  /// - Parameters:
  ///   - receiveSubscription: is called before the source is subscribed to.
  ///   - receiveValue: is called with each value, before the subscriber receives it.
  ///   - receiveCompletion: is called when the source finishes, before the subscriber is notified.
  ///   - receiveCancel: is called when the subscriber cancels before the source has finished.
  public func handleEvents(
    receiveSubscription: (@MainActor () -> Void)? = nil,
    receiveValue: (@MainActor (Value) -> Void)? = nil,
    receiveCompletion: (@MainActor () -> Void)? = nil,
    receiveCancel: (@MainActor () -> Void)? = nil
  ) -> Signal<Value> {
    let signal = signal
    return Signal.direct { subscriber in
      receiveSubscription?()
      var isFinished = false
      let stage = Stage(subscriber) { if !isFinished { receiveCancel?() } }
      stage.connect(
        to: signal,
        finish: {
          isFinished = true
          receiveCompletion?()
          stage.finish()
        },
        receive: {
          receiveValue?($0)
          stage.send($0)
        })
      return stage.subscription
    }
  }
}
