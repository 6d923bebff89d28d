/// Logs actions, hooks, changes as diffs, dropped writes and errors of stores, with their causes
/// (D1).
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
/// The log calls a store by its name, or by the type of its state if it has none. Each line is
/// printed before the program continues. The log costs nothing while it is off (D5). `@Redacted`
/// values and the properties passed to `redact(_:)` never appear in it (D4).
@MainActor public enum DebugStore {
  /// Which stores are logged, by the types of their states.
  public enum Filter {
    /// Only stores with states of these types.
    case include([Any.Type])
    /// All stores except those with states of these types.
    case exclude([Any.Type])
  }

  /// Receives the text of each event, which may have several lines.
  ///
  /// It is called once for each event, on the main actor and in the order of the events. It is
  /// called before the program continues, so the log is in order with the program's own output. It
  /// may do anything to the store, and what it does is logged after the current text. By default,
  /// it prints to standard output.
  public static var print: @MainActor (String) -> Void {
    get { printer }
    set {
      let old = exchange(&printer, with: newValue)
      // Released last: an object that it captured may write to a store that is logged.
      withExtendedLifetime(old) {}
    }
  }

  private static var printer: @MainActor (String) -> Void = { Swift.print($0) }

  /// Starts the log.
  ///
  /// The log of an existing store starts with the next event of the store, preceded by the state at
  /// that time. A second call replaces the filter.
  ///
  /// - Parameter filter: the stores to log. `nil` means all stores.
  public static func enableLogging(_ filter: Filter? = nil) {
    let new = StoreLogger(filter)
    replaceLogger(by: new)
    StoreListening.add(new)
  }

  /// Ends the log, after which nothing is reflected, copied or formatted for it (D5).
  public static func disableLogging() { replaceLogger(by: nil) }

  private static var logger: StoreLogger?

  private static func replaceLogger(by new: StoreLogger?) {
    let old = exchange(&logger, with: new)
    if let old { StoreListening.remove(old) }
    // Released last: what the log's recorders hold may call back.
    withExtendedLifetime(old) {}
  }

  /// Keeps a property out of every text that the library makes (D4).
  ///
  ///     DebugStore.redact(\Session.password)
  ///
  /// Such texts are the log, dumps, diffs, the failures of a test, the lines of a
  /// `LoggingMiddleware`, and the message about an unhandled error. The redaction applies from now
  /// on to every `Session` in any state or action, and to the values that hooks receive from it.
  /// Call it before a recording begins, because a recording repeats the state that it has.
  ///
  /// - Parameter keyPath: a path of stored properties. Any other path traps. To hide a computed
  ///   property or an element, hide the stored property from which it is made.
  public static func redact<State, Value>(_ keyPath: KeyPath<State, Value>) {
    guard Redaction.hide(keyPath) else {
      fatalError(
        """
        DebugStore.redact(\(keyPath)): only stored properties have names that can be found in a \
        value, and a name with a dot cannot be found. Key paths treat a property with didSet, or one of a class that \
        is not final, like a computed property. Redact a stored property that contains this one or \
        from which it is made, or mark it @Redacted.
        """)
    }
  }

  /// Whether the value that a hook received comes from a redacted part of the state, or was made
  /// from one, because nothing tells how much of it an operator has kept.
  package static func hides<State, Action>(
    _ event: StoreEvent<State, Action>, in state: State
  ) -> Bool {
    let value: Any
    switch event.kind {
    case .hookFired(_, let new), .derived(_, _, let new): value = new
    default: return false
    }
    let redaction = Redaction.current
    let provenance = event.provenance
    if provenance.hasMore { return true }
    return provenance.paths.contains { path in
      // A value that was made of an earlier state is hidden, too, so what the type says decides.
      provenance.isTransformed && redaction.contents(of: type(of: path).valueType) == .redacted
        || redaction.hides(value, from: path, isTransformed: provenance.isTransformed, in: state)
    }
  }
}
