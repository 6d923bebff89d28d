/// One pure function that decides how an event changes the state and which effect follows.
///
///     enum Search: Transducer {
///       struct State { var query = "", results: [String] = [] }
///       enum Event { case queryChanged(String), found([String]) }
///       struct Env { var search: @Sendable (String) async throws -> [String] }
///
///       static func update(_ state: inout State, event: Event) -> Effect? {
///         switch event {
///         case .queryChanged(let query):
///           state.query = query
///           return run(id: "search") { input, env in
///             try input.post(.found(try await env.search(query)))
///           }
///         case .found(let results):
///           state.results = results
///           return nil
///         }
///       }
///     }
///
///     let env = Search.Env(search: service.search)
///     let store = Store(state: .init(), transducer: Search.self, env: env)
///     store.dispatch(.queryChanged("cat"))
///
/// A conforming type declares `Event`. It declares `State` unless `output` determines that type. If
/// the compiler reports `Effect` as an invalid type alias, declare `typealias Env = Void` and
/// `typealias Output = Void` as well. In some places the compiler does not use the defaults of
/// these types.
public protocol Transducer: Feature where Action == Event {
  /// The value that the store holds.
  associatedtype State
  // With a default for `Action` instead of the condition, the compiler finds a cycle in `Effect`.

  /// What can happen, which is also the type of the store's actions.
  associatedtype Event: Sendable
  /// What effects need from outside, which is released with the store.
  associatedtype Env: Sendable = Void
  /// The answer to a request.
  associatedtype Output: Sendable = Void
  /// What the store carries out after an event.
  typealias Effect = TransducerEffect<Event, Env, Output>

  /// Changes the state in response to an event and returns the effect to carry out (X1).
  ///
  /// The state changes nowhere else. The function has exclusive access to the state. It must touch
  /// only its arguments. Accessing the store here traps.
  ///
  /// - Parameters:
  ///   - state: the state to change.
  ///   - event: the event.
  /// - Returns: the effect to carry out; `nil` for none.
  static func update(_ state: inout State, event: Event) -> Effect?

  /// Returns the answer to a request whose chain ended with an event (X5).
  ///
  /// - Parameters:
  ///   - state: the state after the event.
  ///   - event: the last event of the chain.
  static func output(state: State, event: Event) -> Output
}

extension Transducer where Output == Void {
  /// Answers a request with `Void`.
  public static func output(state: State, event: Event) {}
}

extension Transducer {
  /// Starts work that can send any number of events; shorthand for `TransducerEffect.run`.
  ///
  /// - Parameters:
  ///   - id: the name of the work within its store. `nil` means no name.
  ///   - overlap: what happens to running and queued work of the same name.
  ///   - priority: the priority of the task that runs the work.
  ///   - operation: the work. It runs off the main actor unless it is isolated to it. An error that
  ///     it throws goes to `catch` or is reported as unhandled (X6).
  public static func run(
    id: (any Hashable & Sendable)? = nil, overlap: Overlap = .latest,
    priority: TaskPriority? = nil,
    _ operation: @escaping @Sendable (Input<Event, Output>, Env) async throws -> Void
  ) -> Effect {
    .run(id: id, overlap: overlap, priority: priority, operation)
  }
}
