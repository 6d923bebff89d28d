internal import Signalbox

/// Who changed a property of a state last, back to what came from outside (R5).
///
///     print(store.why(\.isHeated))
///     // true ← hook cold ← celsius 20.0 → 17.0 ← hook measured ← outside
///
/// A store knows this while a `Recording` is in progress, or after `Why.start()`. The causes are
/// those of changes since then. In a debugger, `po store.why(\.isHeated)` prints the same.
public struct Why: Sendable, CustomStringConvertible, CustomDebugStringConvertible {
  /// An event on the way back.
  public struct Step: Sendable, Equatable {
    /// What kind of event it is.
    public enum Kind: Sendable, Equatable {
      /// A commit changed the state.
      case change
      /// A derived value changed with a commit.
      case derived
      /// An action was dispatched, or ended, or failed.
      case action
      /// A run started, or ended, or failed.
      case run
      /// A hook received a value.
      case hook
      /// Something else happened in the store, such as a loop that was stopped.
      case other
      /// What follows came from outside of the store.
      case outside
      /// Nothing has changed the property since its store began or was first recorded.
      case unchanged
      /// The events before are not known any more.
      case forgotten
    }

    /// What kind of event it is.
    public let kind: Kind
    /// The event on one line, as in `hook cold` or `celsius 20.0 → 17.0`.
    public let text: String
    /// The number of the event in its store, as in `StoreEvent.id`; `nil` if there is no event.
    public let event: Int?
  }

  /// Why there are no steps.
  public enum Gap: Sendable, Equatable {
    /// Neither a recording nor `Why.start()` was in progress when something last happened.
    case off
    /// The key path goes through a computed property or a subscript, which no change names.
    case noStoredProperty
  }

  /// The value of the property, as Swift source writes it.
  public let value: String
  /// The events, from the last change back to what came from outside.
  ///
  /// The first one is the change itself.
  public let steps: [Step]
  /// Why there are no steps; `nil` if there are.
  public let gap: Gap?

  /// The value and the events on one line, or how to get them.
  public var description: String {
    switch gap {
    case .off:
      "\(value) (why is off: call Why.start() or Recording.start(to:) before it changes)"
    case .noStoredProperty:
      "\(value) (no change names it: ask for the stored property that it is made of)"
    case nil where steps.first?.kind == .derived: steps.map(\.text).joined(separator: " ← ")
    case nil:
      ([value] + steps.dropFirst(steps.first?.kind == .change ? 1 : 0).map(\.text))
        .joined(separator: " ← ")
    }
  }

  /// The same as `description`.
  public var debugDescription: String { description }

  /// Lets all stores remember who changed what, from here on.
  ///
  /// A recording does so, too. It takes the time of a recording without its file, and memory for up to
  /// 4,000 events of each store, and for the last change of up to 1,000 elements of each collection
  /// with its causes. A second call does nothing.
  @MainActor public static func start() {
    // A recording in progress may end before the program asks.
    if listeners.allSatisfy(\.isRecording) { StoreListening.add(TraceListener(file: nil)) }
  }

  /// Ends what `start()` began, and forgets it.
  @MainActor public static func stop() {
    for listener in listeners where !listener.isRecording {
      StoreListening.remove(listener)
      listener.stop()
    }
  }

  @MainActor private static var listeners: [TraceListener] {
    StoreListening.all.compactMap { $0 as? TraceListener }
  }
}
