/// What handles the actions of a store: an interactor or a transducer.
///
/// The type names a child, as in `store.child(\.lamp, Lamp.self)`.
public protocol Feature<State, Action> {
  /// The value that the store holds.
  associatedtype State
  /// What callers dispatch to the store.
  associatedtype Action
}

/// A feature with all that it needs: an interactor, or a transducer with its `Env`.
///
///     Child(\.settings) { Settings(service: service) }
///     Child(\.lamp) { Lamp.feature(env: env) }
///
/// `Interactor` is the only protocol to conform to.
@MainActor public protocol FeatureInstance<State, Action>: Feature {
  /// Names the feature, for the library alone.
  static var _kind: FeatureKind { get }
  /// Makes what handles the actions, for the library alone.
  func _handler(_ middleware: [any Middleware<State, Action>]) -> FeatureHandler<State, Action>
}

/// What the library has to know of a feature before a child is made.
public struct FeatureKind {
  let type: Any.Type
  let beginning: ChildBeginning
}

/// Handles the actions of a store, for the library alone.
@MainActor public struct FeatureHandler<State, Action> {
  let handler: ActionHandler<State, Action>
}

extension Interactor {
  /// Names the interactor, for the library alone.
  public static var _kind: FeatureKind {
    FeatureKind(type: Self.self, beginning: hooks.isEmpty ? .unknown : .always)
  }

  /// Makes what passes the actions to the interactor, for the library alone.
  public func _handler(
    _ middleware: [any Middleware<State, Action>]
  ) -> FeatureHandler<State, Action> {
    FeatureHandler(handler: .interactor(self, middleware))
  }
}
