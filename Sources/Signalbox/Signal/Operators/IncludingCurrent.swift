extension SignalConvertible {
  /// Starts with the value of now, given to each subscriber at once (S9).
  ///
  ///     store.publisher.volume.includingCurrent().sink { player.volume = $0 }
  ///
  /// An event signal has no current value and stays as it is.
  public func includingCurrent() -> Signal<Value> {
    let signal = signal
    guard let derivation = signal.derivation else { return signal }
    return Signal.direct({ subscriber in
      // Subscribed first: what the receiver of the current value writes must reach it, too.
      let current = derivation.build(Watcher()).value(.now)
      let stage = Stage(subscriber)
      stage.connect(to: signal) { stage.send($0) }
      stage.send(current)
      return stage.subscription
    })
  }
}
