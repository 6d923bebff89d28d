/// Delivers the first values of several signals together, then the second ones, and so on.
///
///     zip(questions, answers).sink { print("\($0) \($1)") }
///
/// The values of a signal that is ahead are kept without limit. The result finishes when a signal has
/// finished whose values have all been delivered (S11).
@MainActor
public func zip<A: SignalConvertible, B: SignalConvertible, each C: SignalConvertible>(
  _ a: A, _ b: B, _ more: repeat each C
) -> Signal<(A.Value, B.Value, repeat (each C).Value)> {
  let (a, b) = (a.signal, b.signal)
  let more = (repeat (each more).signal)
  return .staged { stage in
    let (a, b) = (TypedZippedInput(a), TypedZippedInput(b))
    let more = (repeat TypedZippedInput(each more))
    var inputs: [any ZippedInput] = [a, b]
    for input in repeat each more { inputs.append(input) }
    let update: @MainActor () -> Void = { [inputs] in
      if !inputs.contains(where: \.isEmpty) {
        stage.send((a.next(), b.next(), repeat (each more).next()))
      }
      if inputs.contains(where: { $0.isEmpty && $0.isFinished }) { stage.finish() }
    }
    for input in inputs { input.connect(stage, update) }
  }
}

extension SignalOperators where Self: SignalConvertible {
  /// Delivers the values of this signal and of another one in pairs, as `zip` of both does.
  public func zip<Other: SignalConvertible>(_ other: Other) -> Signal<(Value, Other.Value)> {
    Signalbox.zip(self, other)
  }
}

/// One input of a `zip`, with any type of value.
@MainActor private protocol ZippedInput: AnyObject {
  var isEmpty: Bool { get }
  var isFinished: Bool { get }
  /// Subscribes, and calls a closure when a value has arrived and when the input has finished.
  func connect<Output>(_ stage: Stage<Output>, _ update: @escaping @MainActor () -> Void)
}

/// One input and those of its values that wait for the other inputs.
@MainActor private final class TypedZippedInput<Value>: ZippedInput {
  private let signal: Signal<Value>
  private var values = Queue<Value>()
  private(set) var isFinished = false

  init(_ signal: Signal<Value>) { self.signal = signal }

  var isEmpty: Bool { values.isEmpty }

  func next() -> Value {
    guard let value = values.popFirst() else { fatalError("zip read an input that has no value.") }
    return value
  }

  func connect<Output>(_ stage: Stage<Output>, _ update: @escaping @MainActor () -> Void) {
    stage.connect(
      to: signal,
      finish: {
        self.isFinished = true
        update()
      },
      receive: {
        self.values.append($0)
        update()
      })
  }
}
