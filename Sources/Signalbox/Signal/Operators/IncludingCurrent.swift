extension SignalConvertible {
  /// Starts with the current value, which each subscriber receives at once (S9).
  ///
  ///     store.publisher.volume.includingCurrent().sink { player.volume = $0 }
  ///
  /// An event signal has no current value, so the result is the signal itself. Starting with the
  /// current value of a missing part traps with a message (S10).
  public func includingCurrent() -> Signal<Value> {
    let signal = signal
    guard let derivation = signal.derivation else { return signal }
    return Signal.direct { subscriber in
      let current = derivation.build(Watcher(), nil).value(.now)
      let stage = Stage(subscriber)
      // Connected before the current value is sent, because the subscriber may write in response.
      stage.connect(to: signal) { stage.send($0) }
      stage.send(current)
      return stage.subscription
    }
  }
}
