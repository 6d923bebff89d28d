extension SignalOperators where Self: SignalConvertible {
  /// Starts with the current value, which each subscriber receives at once (S9).
  ///
  ///     store.publisher.volume.includingCurrent().sink { player.volume = $0 }
  ///
  /// The `share` of a state signal starts with the values that it replays or, if there are none, with
  /// the current value. Any other event signal has no current value, so the result is the signal
  /// itself. Starting with the current value of a missing part traps with a message (S10). In a batch,
  /// use it on the state signal and not on its `share`, which may deliver the current value again.
  public func includingCurrent() -> Signal<Value> {
    let signal = signal
    guard let current = signal.current else { return signal }
    return .staged { stage in
      var (isReplayed, isAhead) = (false, false)
      // Connected before the current value is sent, because the subscriber may write in response.
      stage.connect(to: signal) {
        isReplayed = true
        if !isAhead { stage.send($0) }
      }
      guard !isReplayed, stage.isOpen else { return }
      // A share may still pass on what was sent before, which the current value contains (S3).
      isAhead = true
      Propagation.send { isAhead = false }
      stage.send(current(stage.attachment))
    }
  }
}
