extension SignalOperators where Self: SignalConvertible {
  /// Combines each value with the previous result and delivers the new result.
  ///
  ///     emitter.scan(0, +)      // 1, 2, 3 → 1, 3, 6
  ///
  /// Each subscriber starts from `initial`, which is not delivered.
  public func scan<T>(
    _ initial: T, _ next: @escaping @MainActor (T, Value) -> T
  ) -> Signal<T> {
    let signal = signal
    return Signal<T>.direct { subscriber in
      subscriber.attachment?.addTransformation()
      var result = initial
      return signal.attach(
        subscriber.pullback {
          let value = next(result, $0)
          // Exchanged, because the `deinit` of the old result may call back into this closure.
          _ = exchange(&result, with: value)
          subscriber.receive(value)
        })
    }
  }
}
