extension Transducer {
  /// Passes an event to a child transducer, which changes its part of the state.
  ///
  ///     enum Shop: Transducer {
  ///       struct State { var search = Search.State(), basket = Basket.State() }
  ///       enum Event { case search(Search.Event), basket(Basket.Event) }
  ///       struct Env { var search: Search.Env }
  ///
  ///       static func update(_ state: inout State, event: Event) -> Effect? {
  ///         switch event {
  ///         case .search(let event):
  ///           forward(
  ///             event, to: Search.self, at: \.search, in: &state, as: { .search($0) },
  ///             env: { $0.search })
  ///         case .basket(let event):
  ///           forward(
  ///             event, to: Basket.self, at: \.basket, in: &state, as: { .basket($0) })
  ///         }
  ///       }
  ///     }
  ///
  /// The effect of the child is returned as an effect of the parent, which sends events of the
  /// parent. A child has its own names for work. The key path is part of each name, so two children
  /// of one type do not share names. The `Output` of parent and child must be the same type.
  ///
  /// An element of an array at an index (`\.rows[2]`) is a child as long as the array has that index.
  /// When it no longer has, the work of the child ends (X3), and an event that is forwarded to it
  /// stops the program. Behind a property that is computed, observed or wrapped, nothing can tell
  /// that, and the work goes on. An index does not follow an element that moves. Keep children that
  /// come and go in a dictionary, by their ids.
  ///
  /// - Parameters:
  ///   - event: the event of the child.
  ///   - child: the type of the child.
  ///   - keyPath: the child's state in the parent's state.
  ///   - state: the state of the parent.
  ///   - embed: turns an event of the child into an event of the parent, usually an enum case.
  ///   - env: returns the child's `Env` from the parent's.
  /// - Returns: the effect to carry out; `nil` for none.
  public static func forward<Child: Transducer>(
    _ event: Child.Event, to child: Child.Type,
    at keyPath: WritableKeyPath<State, Child.State>, in state: inout State,
    as embed: @escaping @Sendable (Child.Event) -> Event,
    env: @escaping @Sendable (Env) -> Child.Env
  ) -> Effect? where Child.Output == Output {
    Child.update(&state[keyPath: keyPath], event: event).map {
      EffectMapper(
        place: ChildPlace(keyPath), presence: { ChildPresence(keyPath, inner: $0) }, event: embed,
        env: env
      ).effect($0)
    }
  }

  /// Passes an event to a child transducer whose effects need no `Env`.
  ///
  /// - Parameters:
  ///   - event: the event of the child.
  ///   - child: the type of the child.
  ///   - keyPath: the child's state in the parent's state.
  ///   - state: the state of the parent.
  ///   - embed: turns an event of the child into an event of the parent, usually an enum case.
  /// - Returns: the effect to carry out; `nil` for none.
  public static func forward<Child: Transducer>(
    _ event: Child.Event, to child: Child.Type,
    at keyPath: WritableKeyPath<State, Child.State>, in state: inout State,
    as embed: @escaping @Sendable (Child.Event) -> Event
  ) -> Effect? where Child.Output == Output, Child.Env == Void {
    forward(event, to: child, at: keyPath, in: &state, as: embed) { _ in }
  }

  /// Passes an event to a child transducer whose state is optional; does nothing if it is `nil`.
  ///
  /// The work of the child ends when its state becomes `nil`, before any observer is notified (X3).
  /// `fireAndForget`, and a `debounce` of nothing else, go on unless they show a change, because they
  /// give nothing back. Use this for an element of a dictionary (`\.rows["a"]`), too.
  ///
  /// - Parameters:
  ///   - event: the event of the child.
  ///   - child: the type of the child.
  ///   - keyPath: the child's state in the parent's state.
  ///   - state: the state of the parent.
  ///   - embed: turns an event of the child into an event of the parent, usually an enum case.
  ///   - env: returns the child's `Env` from the parent's.
  /// - Returns: the effect to carry out; `nil` for none.
  public static func forward<Child: Transducer>(
    _ event: Child.Event, to child: Child.Type,
    at keyPath: WritableKeyPath<State, Child.State?>, in state: inout State,
    as embed: @escaping @Sendable (Child.Event) -> Event,
    env: @escaping @Sendable (Env) -> Child.Env
  ) -> Effect? where Child.Output == Output {
    guard state[keyPath: keyPath] != nil else { return nil }
    // Changed in place, because a variable would make the child copy what it appends to (M2).
    return Child.update(&state[keyPath: keyPath]!, event: event).map {
      EffectMapper(
        place: ChildPlace(keyPath), presence: { ChildPresence(optional: keyPath, inner: $0) },
        event: embed, env: env
      ).effect($0)
    }
  }
}

/// Maps the effects of a child to those of its parent; unchecked, because `presence` has a key
/// path, with which it reads nothing.
private struct EffectMapper<
  Inner: Sendable, InnerEnv: Sendable, Outer: Sendable, OuterEnv: Sendable, Output: Sendable
>: @unchecked Sendable {
  typealias Child = TransducerEffect<Inner, InnerEnv, Output>
  typealias Parent = TransducerEffect<Outer, OuterEnv, Output>

  let place: ChildPlace
  /// Whether the child is there, and a child of the child within it.
  let presence: (ChildPresence?) -> ChildPresence?
  let event: @Sendable (Inner) -> Outer
  let env: @Sendable (OuterEnv) -> InnerEnv

  func effect(_ effect: Child) -> Parent {
    let step = effect.step
    var handler: (@Sendable (any Error) -> Outer?)?
    if let inner = step.handler { handler = { inner($0).map(event) } }
    return Parent(
      EffectStep(
        step.kind, content(step.content), id: step.id.map(name), overlap: step.overlap,
        priority: step.priority, handler: handler, presence: presence(step.presence),
        shown: step.shown.map(event)))
  }

  private func name(_ id: any Hashable & Sendable) -> any Hashable & Sendable {
    NestedIdentifier(place: place, id: id)
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

/// Passes the events of a child to the store of its parent.
private final class MappedEventReceiver<Event: Sendable, Outer: Sendable, Output: Sendable>:
  EventReceiver
{
  private let outer: any EventReceiver<Outer, Output>
  private let embed: @Sendable (Event) -> Outer

  nonisolated init(
    _ outer: any EventReceiver<Outer, Output>, _ embed: @escaping @Sendable (Event) -> Outer
  ) {
    self.outer = outer
    self.embed = embed
  }

  nonisolated func post(_ event: Event, from origin: Work?) throws {
    try outer.post(embed(event), from: origin)
  }

  func take(_ event: Event, from origin: Work?) { outer.take(embed(event), from: origin) }

  func dispatch(_ event: Event, from origin: Work?) { outer.dispatch(embed(event), from: origin) }

  func willListen() -> (@MainActor () -> Void)? { outer.willListen() }

  func send(_ event: Event, from origin: Work?) async throws {
    try await outer.send(embed(event), from: origin)
  }

  func request(_ event: Event, from origin: Work?) async throws -> Output {
    try await outer.request(embed(event), from: origin)
  }
}

/// Where the state of a child is, as a part of the names of the child's work.
///
/// Unchecked, because a key path to an isolated property is not sendable. This one reads no
/// property: it is compared, hashed and printed, and never changes.
private struct ChildPlace: Hashable, @unchecked Sendable, CustomStringConvertible {
  private let keyPath: AnyKeyPath

  init(_ keyPath: AnyKeyPath) { self.keyPath = keyPath }

  /// The key path as in code, with `[…]` for subscripts, whose arguments it does not reveal.
  var description: String {
    let parts = "\(keyPath)".split(separator: ".<computed ", omittingEmptySubsequences: false)
    let rest = parts.dropFirst().map { part in
      part.firstRange(of: ")>").map { "[…]" + part[$0.upperBound...] } ?? "[…]"
    }
    return (parts.prefix(1).map(String.init) + rest).joined()
  }
}

/// A name of work within a child, which differs from the same name in a sibling.
private struct NestedIdentifier: Hashable, Sendable, CustomStringConvertible {
  let place: ChildPlace
  let id: any Hashable & Sendable

  static func == (l: Self, r: Self) -> Bool {
    l.place == r.place && Identifier(l.id) == Identifier(r.id)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(place)
    hasher.combine(Identifier(id))
  }

  var description: String {
    let name = Identifier(id).value.base
    return "\(name as? String ?? Dump.description(of: name)) at \(place)"
  }
}

/// Shown by its description, which hides what is redacted in `id`.
extension NestedIdentifier: Presentable {}
