/// Declares that the associated value of an enum case is the state of a child, for each screen of a
/// path that shows the case (N2).
///
///     enum Screen { case mailbox(Mailbox), message(Message), about }
///     var path: [Screen] = []
///
///     Each(\.path) {
///       Case(Screen.mailbox) { MailboxFeature() }
///       Case(Screen.message) { MessageFeature() }
///     }
///
/// The identity of a screen is its index, its case and, if its state is `Identifiable`, the `id`. So
/// the same screen twice is two children, and another message at the same index is another child. A
/// case that is not listed needs no feature.
@MainActor public struct Case<Screen> {
  private let feature: any CaseFeature<Screen>

  /// Declares the feature of a case.
  ///
  /// - Parameters:
  ///   - enumCase: the case, whose associated value is the state of the child. Any other function that
  ///     makes a value of the enum is a mistake.
  ///   - middleware: wraps the actions of each child, the first one outermost. It is kept as long as
  ///     the store.
  ///   - interactor: makes the interactor of a child, or the `feature` of a transducer. It is called in
  ///     the commit in which the screen appears if the child has hooks or children, and otherwise when
  ///     the child is asked for. It is kept as long as the store.
  public init<F: FeatureInstance>(
    _ enumCase: @escaping (F.State) -> Screen, middleware: any Middleware<F.State, F.Action>...,
    interactor: @escaping @MainActor () -> F
  ) {
    feature = FeatureOfCase(enumCase: enumCase, middleware: middleware, interactor: interactor)
  }

  fileprivate func declaration<State>(
    at keyPath: WritableKeyPath<State, [Screen]>
  ) -> ChildDeclaration<State> {
    ChildDeclaration { [feature] in feature.makeSite(keyPath, $0) }
  }
}

/// The feature of a case, without its type.
@MainActor private protocol CaseFeature<Screen> {
  associatedtype Screen
  func makeSite<Owner>(
    _ keyPath: WritableKeyPath<Owner, [Screen]>, _ owner: ChildOwner<Owner>
  ) -> ChildSite<Owner>
}

private struct FeatureOfCase<Screen, F: FeatureInstance>: CaseFeature {
  let enumCase: (F.State) -> Screen
  let middleware: [any Middleware<F.State, F.Action>]
  let interactor: @MainActor () -> F

  func makeSite<Owner>(
    _ keyPath: WritableKeyPath<Owner, [Screen]>, _ owner: ChildOwner<Owner>
  ) -> ChildSite<Owner> {
    let collection = ScreenCollection(keyPath, enumCase, of: owner.storage)
    return MovingSite(collection, F._kind, in: owner) { _ in .child(interactor, middleware) }
  }
}

extension Each {
  /// Declares the screens of a path as children, each by its case (N2).
  ///
  /// - Parameters:
  ///   - keyPath: a stored property with the path.
  ///   - cases: the cases whose screens have a feature.
  public init<Screen>(
    _ keyPath: WritableKeyPath<State, [Screen]>, @CasesBuilder<Screen> cases: () -> [Case<Screen>]
  ) {
    declarations = cases().map { $0.declaration(at: keyPath) }
  }
}

/// Builds the cases of the screens of a path.
@MainActor @resultBuilder public enum CasesBuilder<Screen> {
  /// One after the other.
  public static func buildBlock(_ cases: Case<Screen>...) -> [Case<Screen>] { cases }
}
