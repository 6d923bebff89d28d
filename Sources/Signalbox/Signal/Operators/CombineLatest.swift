/// Delivers the latest values of several signals together, whenever one of them has a new value.
///
///     combineLatest(store.publisher.password, store.publisher.repeated)
///       .map { $0 == $1 }
///       .assign(to: \.passwordsMatch, using: store)
///
/// State signals have a value from the start. `combineLatest` waits for the first value of an event
/// signal (S8). State signals of one store give at most one output for each commit. The output is
/// computed from the state of that commit, never from a mix of two states. An event signal gives
/// one output for each event (S7).
///
/// The result finishes when all inputs have finished, or when an input finishes without ever having
/// had a value (S11).
@MainActor
public func combineLatest<
  A: SignalConvertible, B: SignalConvertible, each C: SignalConvertible
>(
  _ a: A, _ b: B, _ more: repeat each C
) -> Signal<(A.Value, B.Value, repeat (each C).Value)> {
  let (a, b) = (a.signal, b.signal)
  let more = (repeat (each more).signal)
  var isState = a.derivation != nil && b.derivation != nil
  for signal in repeat each more { isState = isState && signal.derivation != nil }

  let combine: @MainActor () -> Combination<(A.Value, B.Value, repeat (each C).Value)> = {
    let (a, b) = (TypedCombinedInput(a), TypedCombinedInput(b))
    let more = (repeat TypedCombinedInput(each more))
    var inputs: [any CombinedInput] = [a, b]
    for input in repeat each more { inputs.append(input) }
    return Combination(inputs: inputs) { (a.read($0), b.read($0), repeat (each more).read($0)) }
  }
  return .combining(isState: isState, combine)
}

/// Delivers the latest values of an array of signals together, whenever one has a new value.
///
/// It does what `combineLatest` of several arguments does. Without signals, it finishes at once.
@MainActor public func combineLatest<Value>(
  _ signals: [any SignalConvertible<Value>]
) -> Signal<[Value]> {
  let signals = signals.map { $0.signal }
  return .combining(isState: signals.allSatisfy { $0.derivation != nil }) {
    let inputs = signals.map { TypedCombinedInput($0) }
    return Combination(inputs: inputs) { point in inputs.map { $0.read(point) } }
  }
}

extension Signal {
  fileprivate static func combining(
    isState: Bool, _ combine: @escaping @MainActor () -> Combination<Value>
  ) -> Signal {
    guard isState else { return Signal.direct { combine().attach($0) } }
    return Signal(Derivation { combine().derived(for: $0, $1) })
  }
}

/// The inputs of one `combineLatest` for one subscriber.
@MainActor private final class Combination<Output> {
  private let inputs: [any CombinedInput]
  private let output: @MainActor (ReadPoint) -> Output

  init(inputs: [any CombinedInput], output: @escaping @MainActor (ReadPoint) -> Output) {
    self.inputs = inputs
    self.output = output
  }

  /// Builds the inputs, all of them state signals, for one watcher with one output for each commit.
  func derived(for watcher: Watcher, _ attachment: Attachment?) -> DerivationInstance<Output> {
    build(for: watcher, attachment)
    if watcher.spansStates { keepAll() }
    return DerivationInstance(
      value: output, change: { receive in if self.refresh() { receive(self.output(.commit)) } })
  }

  /// Attaches to inputs some of which are event signals; one watcher watches all the others.
  func attach(_ subscriber: Subscriber<Output>) -> Subscription {
    let events = inputs.filter(\.isEvent)
    let hasStates = events.count < inputs.count
    let stage = Stage(subscriber, inputs: events.count + (hasStates ? 1 : 0))
    let send: @MainActor @Sendable () -> Void = {
      if self.inputs.allSatisfy(\.hasValue) { stage.send(self.output(.commit)) }
    }
    if hasStates {
      let state = Derivation<Void> { watcher, attachment in
        self.build(for: watcher, attachment)
        self.keepAll()
        return DerivationInstance(
          value: { _ in }, change: { receive in if self.refresh() { receive(()) } })
      }
      stage.connect(to: Signal(state)) { _ in send() }
    }
    for input in events { input.connect(stage, receive: send) }
    return stage.subscription
  }

  private func build(for watcher: Watcher, _ attachment: Attachment?) {
    for input in inputs { input.build(for: watcher, attachment) }
  }

  /// Keeps the latest value of every input, because a fresh value could be ahead of the input's own
  /// notification if inputs change in different commits or are combined with events.
  private func keepAll() {
    for input in inputs { input.keep() }
  }

  /// Takes over the changes of the commit being delivered, asking each input exactly once.
  private func refresh() -> Bool {
    var hasChanged = false
    for input in inputs where input.refresh() { hasChanged = true }
    return hasChanged
  }
}

/// One input of a `combineLatest`, with any type of value.
@MainActor private protocol CombinedInput: AnyObject {
  var isEvent: Bool { get }
  var hasValue: Bool { get }
  func build(for watcher: Watcher, _ attachment: Attachment?)
  func keep()
  func refresh() -> Bool
  func connect<Output>(_ stage: Stage<Output>, receive: @escaping @MainActor () -> Void)
}

/// One input and its latest value.
@MainActor private final class TypedCombinedInput<Value>: CombinedInput {
  private let signal: Signal<Value>
  private var derived: DerivationInstance<Value>?
  private var latest: Value?

  init(_ signal: Signal<Value>) { self.signal = signal }

  var isEvent: Bool { signal.derivation == nil }
  var hasValue: Bool { latest != nil || derived != nil }

  func read(_ point: ReadPoint) -> Value {
    if let latest { return latest }
    // Nothing is read before every input has a value, and an input without `latest` is derived.
    guard let derived else { fatalError("combineLatest read an input that has no value.") }
    let value = derived.value(point)
    if keepsLatest { replaceLatest(with: value) }
    return value
  }

  func build(for watcher: Watcher, _ attachment: Attachment?) {
    derived = signal.derivation?.build(watcher, attachment)
  }

  func keep() { replaceLatest(with: derived?.value(.now)) }

  func refresh() -> Bool {
    var hasChanged = false
    derived?.change { value in
      hasChanged = true
      if latest != nil || keepsLatest { replaceLatest(with: value) }
    }
    return hasChanged
  }

  /// Whether the value is kept, so that the closures that compute it run once for each change.
  ///
  /// A plain part of the state is not kept, because the next change in place would copy it.
  private var keepsLatest: Bool { signal.derivation?.isLeaf == false }

  /// Releases the old value after the new one is in place, because its `deinit` may call back.
  private func replaceLatest(with value: Value?) { _ = exchange(&latest, with: value) }

  func connect<Output>(_ stage: Stage<Output>, receive: @escaping @MainActor () -> Void) {
    stage.connect(
      to: signal,
      finish: { if self.hasValue { stage.finishInput() } else { stage.finish() } },
      receive: {
        self.replaceLatest(with: $0)
        receive()
      })
  }
}
