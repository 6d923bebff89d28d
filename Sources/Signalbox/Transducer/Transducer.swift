/// One pure function that decides everything: what an event does to the state, and which effect the
/// runtime is to carry out.
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
///     let store = Store(state: .init(), transducer: Search.self, env: .init(search: service.search))
///     store.dispatch(.queryChanged("cat"))
///
/// A conforming type declares `Event`, and `State` unless `output` says it. Where the compiler calls
/// `Effect` an invalid type alias, it has met the type in a place where it does not look for defaults:
/// declare `typealias Env = Void` and `typealias Output = Void` as well.
public protocol Transducer {
  /// The value that the store holds.
  associatedtype State
  /// What can happen; the actions of the store.
  associatedtype Event: Sendable
  /// What effects need of the outside; released with the store.
  associatedtype Env: Sendable = Void
  /// What a request is answered with.
  associatedtype Output: Sendable = Void
  /// What the runtime is to carry out after an event.
  typealias Effect = TransducerEffect<Event, Env, Output>

  /// Changes the state as an event demands, and says what is to be carried out (X1).
  ///
  /// The only place that changes the state. It has the state for itself: what it reads and writes
  /// besides is nobody's business, and to touch the store in here traps.
  ///
  /// - Parameters:
  ///   - state: the state to change.
  ///   - event: what has happened.
  /// - Returns: what follows; `nil`: nothing.
  static func update(_ state: inout State, event: Event) -> Effect?

  /// What a request is answered with that ended with an event.
  ///
  /// - Parameters:
  ///   - state: the state after the event.
  ///   - event: the last one of the request's chain.
  static func output(state: State, event: Event) -> Output
}

extension Transducer where Output == Void {
  /// Answers nothing.
  public static func output(state: State, event: Event) {}
}

extension Transducer {
  /// Starts work that sends events when it likes; `TransducerEffect.run`, without its name.
  ///
  /// - Parameters:
  ///   - id: the name of the work; `nil`: none.
  ///   - overlap: what happens to work of the same name that is not done yet.
  ///   - priority: of the task that runs it.
  ///   - operation: runs off the main actor; see `TransducerEffect.run`.
  public static func run(
    id: (any Hashable & Sendable)? = nil, overlap: Overlap = .latest,
    priority: TaskPriority? = nil,
    _ operation: @escaping @Sendable (Input<Event, Output>, Env) async throws -> Void
  ) -> Effect {
    .run(id: id, overlap: overlap, priority: priority, operation)
  }
}
