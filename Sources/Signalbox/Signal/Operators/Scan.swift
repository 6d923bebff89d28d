extension SignalConvertible {
  /// Gives, for each value, what a function makes of it and the result before.
  ///
  ///     emitter.scan(0, +)      // 1, 2, 3 → 1, 3, 6
  ///
  /// Each subscriber starts from `initial`, which is not itself given.
  public func scan<T>(
    _ initial: T, _ next: @escaping @MainActor (T, Value) -> T
  ) -> Signal<T> {
    let signal = signal
    return Signal<T>.direct({ subscriber in
      Propagation.readPaths?.append(ReadPaths.transformation)
      var result = initial
      return signal.attach(
        subscriber.pullback {
          let value = next(result, $0)
          // The result before is released when the new one is in place: its `deinit` may come back
          // here.
          _ = exchange(&result, with: value)
          subscriber.receive(value)
        })
    })
  }
}
