extension SignalOperators where Self: SignalConvertible {
  /// Delivers the values of this signal and others as they arrive.
  ///
  /// The result finishes when all of the signals have finished (S11).
  public func merge(with others: any SignalConvertible<Value>...) -> Signal<Value> {
    .merging([signal] + others.map { $0.signal })
  }
}

/// Delivers the values of several signals as they arrive.
///
/// The result finishes when all of the signals have finished (S11).
@MainActor public func merge<Value>(_ signals: any SignalConvertible<Value>...) -> Signal<Value> {
  .merging(signals.map { $0.signal })
}

/// Delivers the values of an array of signals as they arrive.
///
/// The result finishes when all of the signals have finished (S11).
@MainActor public func merge<Value>(_ signals: [any SignalConvertible<Value>]) -> Signal<Value> {
  .merging(signals.map { $0.signal })
}

extension Signal {
  fileprivate static func merging(_ signals: [Signal]) -> Signal {
    .staged(inputs: signals.count) { stage in
      if signals.isEmpty { stage.finish() }
      for signal in signals { stage.connect(to: signal) { stage.send($0) } }
    }
  }
}
