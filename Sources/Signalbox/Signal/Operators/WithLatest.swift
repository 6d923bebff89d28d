extension SignalOperators where Self: SignalConvertible {
  /// Delivers each value together with the latest value of another signal.
  ///
  ///     saves.withLatest(from: store.publisher.draft).sink { save, draft in … }
  ///
  /// A value of the other signal alone delivers nothing. A state signal has a value from the start;
  /// values that arrive before the first value of another event signal are dropped (S8). The other
  /// signal is subscribed to first, so what it makes of a commit is there when this one has a value.
  /// That does not hold for a shared signal that has had a subscriber before.
  ///
  /// The result finishes when this signal finishes, and also when the other one finishes without ever
  /// having had a value (S11).
  public func withLatest<Other: SignalConvertible>(
    from other: Other
  ) -> Signal<(Value, Other.Value)> {
    let (signal, other) = (signal, other.includingCurrent())
    return .staged { stage in
      var latest: Other.Value?
      stage.connect(
        to: other, finish: { if latest == nil { stage.finish() } },
        // Exchanged, because the `deinit` of the old value may call back into this closure.
        receive: { _ = exchange(&latest, with: $0) })
      stage.connect(to: signal) { if let latest { stage.send(($0, latest)) } }
    }
  }
}
