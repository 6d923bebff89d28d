extension Transducer {
  /// Lets a child deal with an event of its own, in its part of the state.
  ///
  ///     enum Shop: Transducer {
  ///       struct State { var search = Search.State(), basket = Basket.State() }
  ///       enum Event { case search(Search.Event), basket(Basket.Event) }
  ///       struct Env { var search: Search.Env }
  ///
  ///       static func update(_ state: inout State, event: Event) -> Effect? {
  ///         switch event {
  ///         case .search(let event):
  ///           forward(event, to: Search.self, at: \.search, in: &state, as: Event.search) { $0.search }
  ///         case .basket(let event):
  ///           forward(event, to: Basket.self, at: \.basket, in: &state, as: Event.basket)
  ///         }
  ///       }
  ///     }
  ///
  /// What the child wants carried out comes back as the parent's: its events are those of the
  /// parent, and its names are its own, also among siblings of one type, since the key path is part
  /// of them. Parent and child answer requests with the same type.
  ///
  /// - Parameters:
  ///   - event: what has happened in the child.
  ///   - child: its type.
  ///   - keyPath: where in the state the child's is.
  ///   - state: the parent's.
  ///   - embed: makes an event of the parent of one of the child, mostly a case.
  ///   - env: the child's part of the parent's `Env`.
  /// - Returns: what is to be carried out.
  public static func forward<Child: Transducer>(
    _ event: Child.Event, to child: Child.Type,
    at keyPath: any WritableKeyPath<State, Child.State> & Sendable, in state: inout State,
    as embed: @escaping @Sendable (Child.Event) -> Event,
    env: @escaping @Sendable (Env) -> Child.Env
  ) -> Effect? where Child.Output == Output {
    Child.update(&state[keyPath: keyPath], event: event).map {
      EffectMapper(keyPath: keyPath, event: embed, env: env).effect($0)
    }
  }

  /// Lets a child that needs nothing of the outside deal with an event of its own.
  ///
  /// - Parameters:
  ///   - event: what has happened in the child.
  ///   - child: its type.
  ///   - keyPath: where in the state the child's is.
  ///   - state: the parent's.
  ///   - embed: makes an event of the parent of one of the child, mostly a case.
  /// - Returns: what is to be carried out.
  public static func forward<Child: Transducer>(
    _ event: Child.Event, to child: Child.Type,
    at keyPath: any WritableKeyPath<State, Child.State> & Sendable, in state: inout State,
    as embed: @escaping @Sendable (Child.Event) -> Event
  ) -> Effect? where Child.Output == Output, Child.Env == Void {
    forward(event, to: child, at: keyPath, in: &state, as: embed) { _ in }
  }

  /// Lets a child that may not be there deal with an event of its own; if it is not, nothing happens.
  ///
  /// - Parameters:
  ///   - event: what has happened in the child.
  ///   - child: its type.
  ///   - keyPath: where in the state the child's is.
  ///   - state: the parent's.
  ///   - embed: makes an event of the parent of one of the child, mostly a case.
  ///   - env: the child's part of the parent's `Env`.
  /// - Returns: what is to be carried out.
  public static func forward<Child: Transducer>(
    _ event: Child.Event, to child: Child.Type,
    at keyPath: any WritableKeyPath<State, Child.State?> & Sendable, in state: inout State,
    as embed: @escaping @Sendable (Child.Event) -> Event,
    env: @escaping @Sendable (Env) -> Child.Env
  ) -> Effect? where Child.Output == Output {
    guard state[keyPath: keyPath] != nil else { return nil }
    // Where it lies, as it is there: a copy of it would copy what it appends to (M2).
    return Child.update(&state[keyPath: keyPath]!, event: event).map {
      EffectMapper(keyPath: keyPath, event: embed, env: env).effect($0)
    }
  }
}

/// Makes of a child's effects those of its parent.
private struct EffectMapper<
  Inner: Sendable, InnerEnv: Sendable, Outer: Sendable, OuterEnv: Sendable, Output: Sendable
>: Sendable {
  typealias Child = TransducerEffect<Inner, InnerEnv, Output>
  typealias Parent = TransducerEffect<Outer, OuterEnv, Output>

  let keyPath: any AnyKeyPath & Sendable
  let event: @Sendable (Inner) -> Outer
  let env: @Sendable (OuterEnv) -> InnerEnv

  func effect(_ effect: Child) -> Parent {
    let step = effect.step
    var handler: (@Sendable (any Error) -> Outer?)?
    if let inner = step.handler { handler = { inner($0).map(event) } }
    return Parent(
      EffectStep(
        step.kind, content(step.content), id: step.id.map(name), overlap: step.overlap,
        priority: step.priority, handler: handler))
  }

  private func name(_ id: any Hashable & Sendable) -> any Hashable & Sendable {
    NestedIdentifier(keyPath: keyPath, id: Identifier(id))
  }

  private func content(
    _ content: EffectStep<Inner, InnerEnv, Output>.Content
  ) -> EffectStep<Outer, OuterEnv, Output>.Content {
    switch content {
    case .work(let operation):
      .work { input, env in
        let inner = Input(
          receiver: MappedEventReceiver(input.receiver, event), origin: input.origin)
        return result(try await operation(inner, self.env(env)))
      }
    case .action(let action): .action { env in action(self.env(env)).map(event) }
    case .event(let event): .event(self.event(event))
    case .cancel(let id): .cancel(name(id))
    case .sequence(let effects): .sequence(effects.map(effect))
    case .merge(let effects): .merge(effects.map(effect))
    case .debounce(let effect, let interval, let clock):
      .debounce(self.effect(effect), interval) { clock(self.env($0)) }
    }
  }

  private func result(
    _ result: EffectResult<Inner, InnerEnv, Output>
  ) -> EffectResult<Outer, OuterEnv, Output> {
    switch result {
    case .nothing: .nothing
    case .output(let output): .output(output)
    case .event(let event): .event(self.event(event))
    case .effect(let effect): .effect(self.effect(effect))
    }
  }
}

/// A child's way into the store of its parent.
private final class MappedEventReceiver<Event: Sendable, Outer: Sendable, Output: Sendable>:
  EventReceiver
{
  private let outer: any EventReceiver<Outer, Output>
  private let lift: @Sendable (Event) -> Outer

  nonisolated init(
    _ outer: any EventReceiver<Outer, Output>, _ lift: @escaping @Sendable (Event) -> Outer
  ) {
    self.outer = outer
    self.lift = lift
  }

  nonisolated func post(_ event: Event, from origin: Work?) throws {
    try outer.post(lift(event), from: origin)
  }

  func take(_ event: Event, from origin: Work?) { outer.take(lift(event), from: origin) }

  func dispatch(_ event: Event, from origin: Work?) { outer.dispatch(lift(event), from: origin) }

  func willListen() -> (@MainActor () -> Void)? { outer.willListen() }

  func send(_ event: Event, from origin: Work?) async throws {
    try await outer.send(lift(event), from: origin)
  }

  func request(_ event: Event, from origin: Work?) async throws -> Output {
    try await outer.request(lift(event), from: origin)
  }
}

/// A name within a child, which is another one in each sibling.
private struct NestedIdentifier: Hashable, Sendable, CustomStringConvertible {
  let keyPath: any AnyKeyPath & Sendable
  let id: Identifier

  static func == (l: Self, r: Self) -> Bool { l.keyPath == r.keyPath && l.id == r.id }

  func hash(into hasher: inout Hasher) {
    hasher.combine(keyPath)
    hasher.combine(id)
  }

  var description: String { "\(id.value) at \(Self.text(of: keyPath))" }

  /// As in the code, but for what a subscript is given, which a key path does not tell.
  private static func text(of keyPath: AnyKeyPath) -> String {
    let parts = "\(keyPath)".split(separator: ".<computed ", omittingEmptySubsequences: false)
    let rest = parts.dropFirst().map { part in
      part.firstRange(of: ")>").map { "[…]" + part[$0.upperBound...] } ?? "[…]"
    }
    return (parts.prefix(1).map(String.init) + rest).joined()
  }
}

extension NestedIdentifier: CustomReflectable {
  /// Nothing but its description is to be seen of it.
  var customMirror: Mirror { Mirror(self, children: []) }
}
