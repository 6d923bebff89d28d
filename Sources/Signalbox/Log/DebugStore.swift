/// Logs what happens in stores: actions, changes as diffs, hooks, drops and errors, each with its
/// cause (D1).
///
///     DebugStore.enableLogging()
///     let store = Store(state: ChatState(), interactor: ChatInteractor(service: service))
///     store.dispatch(.send)
///     // ChatState: started
///     //   ChatState(messages: [], draft: "hi")
///     // ChatState: ChatAction.send
///     // ChatState: changed ← ChatAction.send
///     //   ChatState(
///     // -   draft: "hi"
///     // +   draft: ""
///     //     … 1 unchanged
///     //   )
///     // ChatState: hook draftChanged: "" ← change ← ChatAction.send
///     // ChatState: ChatAction.send finished after 0.4 ms
///
/// A store is called by its name, or without one by the type of its state. Each line is printed
/// before the program goes on. The log costs nothing while it is off (D5). What is `@Redacted` or was
/// named to `redact(_:)` never reaches it (D4).
@MainActor public enum DebugStore {
  /// Which stores are logged, by the types of their states.
  public enum Filter {
    /// Only these.
    case include([Any.Type])
    /// All but these.
    case exclude([Any.Type])
  }

  /// Where the lines go, one call an event; each may have several lines.
  ///
  /// It is called on the main actor, in the order of the events, before the program goes on: what
  /// the program prints itself stays in order with it. It may do anything to the store; what happens
  /// on account of that is logged after the line in hand. It prints, unless it is set.
  public static var print: @MainActor (String) -> Void {
    get { printer }
    set {
      let old = exchange(&printer, with: newValue)
      // Released last: what it has captured may write to a store that is logged.
      withExtendedLifetime(old) {}
    }
  }

  private static var printer: @MainActor (String) -> Void = { Swift.print($0) }

  /// Begins to log.
  ///
  /// A store that is there already is logged from the next thing that happens in it; its state of
  /// then comes first. A second call replaces the filter.
  ///
  /// - Parameter filter: which stores; all of them without.
  public static func enableLogging(_ filter: Filter? = nil) {
    StoreListening.listen(by: StoreLogger(filter))
  }

  /// Ends the log; nothing more is reflected, copied or formatted for it.
  public static func disableLogging() { StoreListening.listen(by: nil) }

  /// Keeps what a key path leads to out of every text that the library makes (D4): the log, the
  /// failures of a test, the lines of a `LoggingMiddleware`, the sentence about an unhandled error.
  ///
  ///     DebugStore.redact(\Session.password)
  ///
  /// It holds for every `Session` from now on, wherever in a state or an action it is, and for what
  /// hooks receive from it.
  ///
  /// - Parameter keyPath: stored properties, one in another; to hide a computed property or an
  ///   element, hide what it is made of.
  public static func redact<State, Value>(_ keyPath: KeyPath<State, Value>) {
    guard Redaction.hide(keyPath) else {
      fatalError(
        """
        DebugStore.redact(\(keyPath)): only stored properties have names that can be found in a \
        value, and those with didSet, or of a class that is not final, are reached like computed \
        ones. Redact what this one is a part of or is made of, or mark it @Redacted.
        """)
    }
  }

  /// Whether the value that a hook has received comes from something that is not to be shown.
  ///
  /// What an operator has made of it is hidden as well: nobody can tell what is left of it.
  package static func hides<State, Action>(
    _ event: StoreEvent<State, Action>, in state: State
  ) -> Bool {
    guard case .hookFired(_, let value) = event.kind else { return false }
    let redaction = Redaction.current
    let isTransformed = event.paths.contains(ReadPaths.transformation)
    return event.paths.contains { path in
      path != ReadPaths.transformation
        && redaction.hides(value, from: path, isTransformed: isTransformed, in: state)
    }
  }
}
