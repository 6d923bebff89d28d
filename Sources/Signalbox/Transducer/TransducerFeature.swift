/// A transducer with its `Env`.
struct TransducerFeature<T: Transducer>: FeatureInstance {
  typealias State = T.State
  typealias Action = T.Event

  let env: T.Env

  static var _kind: FeatureKind { FeatureKind(type: T.self, beginning: .onDemand) }

  func _handler(
    _ middleware: [any Middleware<T.State, T.Event>]
  ) -> FeatureHandler<T.State, T.Event> {
    if !middleware.isEmpty {
      fatalError(
        """
        \(T.self) was declared with middleware, which wraps the actions of interactors only. Do in \
        update what the middleware does.
        """)
    }
    return FeatureHandler(handler: TransducerHandler<T>(env: env))
  }
}

extension Transducer {
  /// The transducer with its `Env`, for the declaration of a child (C10).
  ///
  ///     Child(\.lamp) { Lamp.feature(env: env) }
  ///     Each(\.lamps) { id in Lamp.feature(env: env) }
  ///
  /// - Parameter env: what the effects of the transducer need. It is released with the child.
  @MainActor public static func feature(env: Env) -> some FeatureInstance<State, Event> {
    TransducerFeature<Self>(env: env)
  }
}

extension Transducer where Env == Void {
  /// The transducer, for the declaration of a child (C10).
  ///
  ///     Child(\.counter) { Counter.feature() }
  @MainActor public static func feature() -> some FeatureInstance<State, Event> {
    TransducerFeature<Self>(env: ())
  }
}
