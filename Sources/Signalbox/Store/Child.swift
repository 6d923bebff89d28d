/// Declares that a property of the state is the state of a child, which has an interactor or a
/// transducer of its own (C1, C10).
///
///     struct Station: Interactor {
///       func children(of store: MutatingStore<StationState, StationAction>)
///         -> Children<StationState>
///       {
///         Child(\.settings) { Settings() }
///         Child(\.editor) { Editor(onDone: { store.editor = nil }) }  // EditorState?
///         Each(\.rows) { id in Row(id: id, onDelete: { store.rows.removeAll { $0.id == id } }) }
///         Child(\.lamp) { Lamp.feature(env: env) }  // a transducer
///       }
///     }
///
/// A child has actions, hooks, names, `onError` and `onCancel` of its own (C2), and nothing of it is
/// repeated in the parent. If the property is optional, the child lives while there is a value (C4).
@MainActor public struct Child<State> {
  let declaration: ChildDeclaration<State>

  /// Declares a child that lives as long as its parent.
  ///
  /// - Parameters:
  ///   - keyPath: the state of the child.
  ///   - middleware: wraps the actions of the child, the first one outermost. It is kept as long as
  ///     the store.
  ///   - interactor: makes the interactor of the child, or the `feature` of a transducer. It is called
  ///     once, when the store is made, and kept as long as the store.
  public init<F: FeatureInstance>(
    _ keyPath: WritableKeyPath<State, F.State>, middleware: any Middleware<F.State, F.Action>...,
    interactor: @escaping @MainActor () -> F
  ) {
    declaration = ChildDeclaration {
      FixedSite(keyPath, F._kind, in: $0) { .child(interactor, middleware) }
    }
  }

  /// Declares a child that lives while an optional property has a value.
  ///
  /// If the state is `Identifiable`, a value with another `id` is another child (C14).
  ///
  /// - Parameters:
  ///   - keyPath: the state of the child.
  ///   - middleware: wraps the actions of the child, the first one outermost. It is kept as long as
  ///     the store.
  ///   - interactor: makes the interactor of the child. It is called in the commit in which the value
  ///     appears if the child has hooks or children, and otherwise when the child is asked for. If the
  ///     child has no hooks, it is also called for the first value, to find out whether the child has
  ///     children (C7). It is kept as long as the store.
  public init<F: FeatureInstance>(
    _ keyPath: WritableKeyPath<State, F.State?>, middleware: any Middleware<F.State, F.Action>...,
    interactor: @escaping @MainActor () -> F
  ) {
    declaration = ChildDeclaration {
      MovingSite(OptionalCollection(keyPath, of: $0.storage), F._kind, in: $0) { _ in
        .child(interactor, middleware)
      }
    }
  }

  /// Declares a child at an optional property, with an identity (C14).
  ///
  ///     Child(\.account, id: \.user) { AccountFeature() }
  ///
  /// A value with another identity is another child. The first child ends, and the other one begins in
  /// the same commit.
  ///
  /// - Parameters:
  ///   - keyPath: the state of the child.
  ///   - id: what tells one child from the next, in the state of the child. It takes the place of the
  ///     `id` of the state, if that has one.
  ///   - middleware: wraps the actions of the child, the first one outermost. It is kept as long as
  ///     the store.
  ///   - interactor: makes the interactor of the child, as without an `id`.
  public init<F: FeatureInstance, ID: Hashable>(
    _ keyPath: WritableKeyPath<State, F.State?>, id: KeyPath<F.State, ID>,
    middleware: any Middleware<F.State, F.Action>..., interactor: @escaping @MainActor () -> F
  ) {
    declaration = ChildDeclaration {
      MovingSite(
        OptionalCollection(keyPath, identity: ChildIdentity(id), of: $0.storage), F._kind, in: $0
      ) { _ in .child(interactor, middleware) }
    }
  }

  /// Declares a child that lives while an enum has a case, such as the screen of a route (C12).
  ///
  ///     enum Route { case login(Login), session(Session) }
  ///
  ///     Child(case: \.route, Route.session) { SessionFeature() }
  ///
  /// - Parameters:
  ///   - keyPath: a stored property with the enum, or an optional of it.
  ///   - enumCase: the case, whose associated value is the state of the child. Any other function that
  ///     makes a value of the enum is a mistake.
  ///   - middleware: wraps the actions of the child, the first one outermost. It is kept as long as
  ///     the store.
  ///   - interactor: makes the interactor of the child, as for an optional property.
  public init<Enum, F: FeatureInstance>(
    case keyPath: WritableKeyPath<State, Enum>, _ enumCase: @escaping (F.State) -> Enum,
    middleware: any Middleware<F.State, F.Action>..., interactor: @escaping @MainActor () -> F
  ) {
    declaration = ChildDeclaration {
      MovingSite(CaseCollection(keyPath, enumCase, of: $0.storage), F._kind, in: $0) { _ in
        .child(interactor, middleware)
      }
    }
  }
}

/// Declares that each element of a collection is the state of a child.
///
/// The identity of a child is the key path and the id, so an element that moves stays the same child
/// (C5). Elements without hooks, children, work, handles and observers cost nothing (C7).
@MainActor public struct Each<State> {
  let declarations: [ChildDeclaration<State>]

  /// Declares the elements of an array as children.
  ///
  /// - Parameters:
  ///   - keyPath: the array. If two elements have one id, that is reported, and the first is the
  ///     child (C8).
  ///   - middleware: wraps the actions of each child, the first one outermost. It is kept as long as
  ///     the store.
  ///   - interactor: makes the interactor of the child with an id. It is called in the commit in which
  ///     the element appears if the children have hooks or children, and otherwise when the child is
  ///     asked for. If the children have no hooks, it is also called for the first element, to find out
  ///     whether they have children (C7). It is kept as long as the store.
  public init<F: FeatureInstance>(
    _ keyPath: WritableKeyPath<State, [F.State]>, middleware: any Middleware<F.State, F.Action>...,
    interactor: @escaping @MainActor (F.State.ID) -> F
  ) where F.State: Identifiable {
    declarations = [
      ChildDeclaration {
        MovingSite(ArrayCollection(keyPath, of: $0.storage), F._kind, in: $0) { id in
          .child({ interactor(id) }, middleware)
        }
      }
    ]
  }

  /// Declares the values of a dictionary as children.
  ///
  /// - Parameters:
  ///   - keyPath: the dictionary. Its keys are the ids of the children.
  ///   - middleware: wraps the actions of each child, the first one outermost. It is kept as long as
  ///     the store.
  ///   - interactor: makes the interactor of the child with an id. It is called in the commit in which
  ///     the value appears if the children have hooks or children, and otherwise when the child is
  ///     asked for. If the children have no hooks, it is also called for the first value, to find out
  ///     whether they have children (C7). It is kept as long as the store.
  public init<ID: Hashable, F: FeatureInstance>(
    _ keyPath: WritableKeyPath<State, [ID: F.State]>,
    middleware: any Middleware<F.State, F.Action>..., interactor: @escaping @MainActor (ID) -> F
  ) {
    declarations = [
      ChildDeclaration {
        MovingSite(DictionaryCollection(keyPath, of: $0.storage), F._kind, in: $0) { id in
          .child({ interactor(id) }, middleware)
        }
      }
    ]
  }
}

/// The children of a store, as its interactor declares them.
@MainActor public struct Children<State> {
  var declarations: [ChildDeclaration<State>] = []
  /// Whether this comes from an interactor that declares no children.
  var isDefault = false
}

extension ActionHandler {
  /// Makes the handler of a child, which acts for no work.
  static func child<F: FeatureInstance<State, Action>>(
    _ make: @MainActor () -> F, _ middleware: [any Middleware<State, Action>]
  ) -> ActionHandler {
    TaskOrigin.withoutCaller(make)._handler(middleware).handler
  }
}

/// A child or a collection of children, without the types of the child.
@MainActor struct ChildDeclaration<State> {
  let makeSite: (ChildOwner<State>) -> ChildSite<State>
}

/// Builds the children of a store.
@MainActor @resultBuilder public enum ChildrenBuilder<State> {
  /// A child.
  public static func buildExpression(_ child: Child<State>) -> Children<State> {
    Children(declarations: [child.declaration])
  }

  /// A collection of children.
  public static func buildExpression(_ children: Each<State>) -> Children<State> {
    Children(declarations: children.declarations)
  }

  /// Children that were built elsewhere.
  public static func buildExpression(_ children: Children<State>) -> Children<State> { children }

  /// One after the other.
  public static func buildBlock(_ children: Children<State>...) -> Children<State> {
    Children(declarations: children.flatMap { $0.declarations })
  }

  // Without these, the compiler would only say that there is no such function.

  /// Refuses `if`: whether a child exists is decided by its state (C15).
  @available(
    *, unavailable,
    message: """
      Whether a child exists is decided by its state. Declare it at an optional property, or at a case of \
      an enum with Child(case:).
      """
  )
  public static func buildOptional(_ children: Children<State>?) -> Children<State> { Children() }

  /// Refuses `if` and `switch`: whether a child exists is decided by its state (C15).
  @available(
    *, unavailable,
    message: """
      Whether a child exists is decided by its state. Declare it at an optional property, or at a case of \
      an enum with Child(case:).
      """
  )
  public static func buildEither(first children: Children<State>) -> Children<State> { children }

  /// Refuses `if` and `switch`: whether a child exists is decided by its state (C15).
  @available(
    *, unavailable,
    message: """
      Whether a child exists is decided by its state. Declare it at an optional property, or at a case of \
      an enum with Child(case:).
      """
  )
  public static func buildEither(second children: Children<State>) -> Children<State> { children }

  /// Refuses loops: how many children there are is decided by the state (C15).
  @available(
    *, unavailable,
    message: """
      How many children there are is decided by the state. Declare the collection of their states with Each.
      """
  )
  public static func buildArray(_ children: [Children<State>]) -> Children<State> { Children() }
}
