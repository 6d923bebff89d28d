/// Declares that a property of the state is the state of a child, which has an interactor of its own
/// (C1).
///
///     struct Station: Interactor {
///       func children(of store: MutatingStore<StationState, StationAction>)
///         -> Children<StationState>
///       {
///         Child(\.settings) { Settings() }
///         Child(\.editor) { Editor(onDone: { store.editor = nil }) }  // EditorState?
///         Each(\.rows) { id in Row(id: id, onDelete: { store.rows.removeAll { $0.id == id } }) }
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
  ///   - interactor: makes the interactor of the child. It is called once, when the store is made,
  ///     and kept as long as the store.
  public init<I: Interactor>(
    _ keyPath: WritableKeyPath<State, I.State>, _ interactor: @escaping @MainActor () -> I
  ) {
    declaration = ChildDeclaration { FixedSite(keyPath, .interactor(interactor), I.self, in: $0) }
  }

  /// Declares a child that lives while an optional property has a value.
  ///
  /// - Parameters:
  ///   - keyPath: the state of the child.
  ///   - interactor: makes the interactor of the child. It is called in the commit in which the value
  ///     appears if the child has hooks or children, and otherwise when the child is asked for. If the
  ///     child has no hooks, it is also called for the first value, to find out whether the child has
  ///     children (C7). It is kept as long as the store.
  public init<I: Interactor>(
    _ keyPath: WritableKeyPath<State, I.State?>, _ interactor: @escaping @MainActor () -> I
  ) {
    declaration = ChildDeclaration {
      MovingSite(
        OptionalCollection(keyPath, of: $0.storage), { _ in .interactor(interactor) }, I.self,
        in: $0)
    }
  }
}

/// Declares that each element of a collection is the state of a child.
///
/// The identity of a child is the key path and the id, so an element that moves stays the same child
/// (C5). Elements without hooks, children, work, handles and observers cost nothing (C7).
@MainActor public struct Each<State> {
  let declaration: ChildDeclaration<State>

  /// Declares the elements of an array as children.
  ///
  /// - Parameters:
  ///   - keyPath: the array. If two elements have one id, that is reported, and the first is the
  ///     child (C8).
  ///   - interactor: makes the interactor of the child with an id. It is called in the commit in which
  ///     the element appears if the children have hooks or children, and otherwise when the child is
  ///     asked for. If the children have no hooks, it is also called for the first element, to find out
  ///     whether they have children (C7). It is kept as long as the store.
  public init<I: Interactor>(
    _ keyPath: WritableKeyPath<State, [I.State]>,
    _ interactor: @escaping @MainActor (I.State.ID) -> I
  ) where I.State: Identifiable {
    declaration = ChildDeclaration {
      MovingSite(
        ArrayCollection(keyPath, of: $0.storage), { id in .interactor { interactor(id) } }, I.self,
        in: $0)
    }
  }

  /// Declares the values of a dictionary as children.
  ///
  /// - Parameters:
  ///   - keyPath: the dictionary. Its keys are the ids of the children.
  ///   - interactor: makes the interactor of the child with an id. It is called in the commit in which
  ///     the value appears if the children have hooks or children, and otherwise when the child is
  ///     asked for. If the children have no hooks, it is also called for the first value, to find out
  ///     whether they have children (C7). It is kept as long as the store.
  public init<ID: Hashable, I: Interactor>(
    _ keyPath: WritableKeyPath<State, [ID: I.State]>,
    _ interactor: @escaping @MainActor (ID) -> I
  ) {
    declaration = ChildDeclaration {
      MovingSite(
        DictionaryCollection(keyPath, of: $0.storage), { id in .interactor { interactor(id) } },
        I.self, in: $0)
    }
  }
}

/// The children of a store, as its interactor declares them.
@MainActor public struct Children<State> {
  var declarations: [ChildDeclaration<State>] = []
  /// Whether this comes from an interactor that declares no children.
  var isDefault = false
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
    Children(declarations: [children.declaration])
  }

  /// Children that were built elsewhere.
  public static func buildExpression(_ children: Children<State>) -> Children<State> { children }

  /// One after the other.
  public static func buildBlock(_ children: Children<State>...) -> Children<State> {
    Children(declarations: children.flatMap { $0.declarations })
  }

  /// A condition, which is decided once.
  public static func buildOptional(_ children: Children<State>?) -> Children<State> {
    children ?? Children()
  }

  /// The first branch of a condition.
  public static func buildEither(first children: Children<State>) -> Children<State> { children }

  /// The second branch of a condition.
  public static func buildEither(second children: Children<State>) -> Children<State> { children }

  /// A loop, which runs once.
  public static func buildArray(_ children: [Children<State>]) -> Children<State> {
    Children(declarations: children.flatMap { $0.declarations })
  }

  /// Children that are available.
  public static func buildLimitedAvailability(_ children: Children<State>) -> Children<State> {
    children
  }
}

extension Interactor {
  /// Declares no children.
  public func children(of store: MutatingStore<State, Action>) -> Children<State> {
    Children(isDefault: true)
  }
}
