/// Something that happened in a child of a store, or in a child of a child (C8).
///
/// `flattened` makes one of each event of a store, too. The members of the event are members of this:
///
///     store.events.flattened.sink { event in
///       if case .finished(let action, let time) = event.kind {
///         analytics.log(feature: event.feature, action: "\(action)", duration: time)
///       }
///     }
@MainActor @dynamicMemberLookup public struct ChildEvent {
  /// Where the child lives in the state of the store, as in `\.rows[id: 3]`; empty for the store
  /// itself.
  ///
  /// An id that may be made of something redacted is `<redacted>` (D4).
  nonisolated public let path: String
  /// The name of the type of the interactor or the transducer, such as `RowFeature`.
  ///
  /// A store without one has the name of the type of its state.
  public var feature: String { "\(content.feature)" }
  /// The event of the child, whose action is a value of the child's `Action`.
  ///
  /// It has the number of the event that contains it.
  public var event: StoreEvent<Any, Any> { content.event }

  /// A property of the event.
  public subscript<T>(dynamicMember keyPath: KeyPath<StoreEvent<Any, Any>, T>) -> T {
    event[keyPath: keyPath]
  }

  let content: any ChildEventContent

  /// Whether the state of the child is a part of something redacted (D4).
  package var isHidden: Bool { content.isHidden }
  /// The child's state, if the event has a value of a hook or a derived value.
  var state: Any? { content.erasedState }

  /// The same event, seen from a store in whose state the child lives at `path`.
  func moved(into path: String) -> ChildEvent {
    ChildEvent(path: path + self.path.dropFirst(), content: content)
  }

  /// The same event, seen from the store around the child that now lives at `path`.
  package func seen(from path: String) -> ChildEvent {
    ChildEvent(path: "\\" + self.path.dropFirst(path.count), content: content)
  }

  /// Passes the event to a reader that knows its type.
  @MainActor package func read<R: ChildEventReader>(by reader: R) -> R.Result {
    content.read(by: reader)
  }
}

/// Reads an event of a child, whose type it does not know before.
@MainActor package protocol ChildEventReader {
  associatedtype Result

  /// - Parameter state: the child's state, if the event has a value of a hook or a derived value.
  func read<State, Action>(_ event: StoreEvent<State, Action>, in state: State?) -> Result
}

/// An event with its type.
@MainActor protocol ChildEventContent {
  var event: StoreEvent<Any, Any> { get }
  var feature: Any.Type { get }
  var erasedState: Any? { get }
  var isHidden: Bool { get }
  func read<R: ChildEventReader>(by reader: R) -> R.Result
}

struct TypedChildEvent<State, Action>: ChildEventContent {
  let typed: StoreEvent<State, Action>
  let state: State?
  let isHidden: Bool

  var event: StoreEvent<Any, Any> { typed.erased }
  var feature: Any.Type { typed.feature }
  var erasedState: Any? { state }

  func read<R: ChildEventReader>(by reader: R) -> R.Result { reader.read(typed, in: state) }
}

/// The log of a store that receives the events of its children.
@MainActor protocol ParentLog: AnyObject {
  /// The numbers of the events of the store and of all stores around and within it.
  var numbers: EventNumbers { get }
  var name: String? { get }
  var isWatched: Bool { get }
  /// Whether the outermost store was released.
  var rootIsReleased: Bool { get }
  /// Where the store lives in that of its parent, if it is a child.
  var path: String? { get }
  /// Where the store lives in the outermost one, if it is a child.
  var fullPath: String? { get }
  /// What `make` gives for the child and for each child around it, the outermost first.
  func steps<Step>(to child: ChildPath, _ make: (ChildPath, Any) -> [Step]?) -> [Step]?
  /// Whether no other element has the `id` of a child, or of a child around it.
  func isUnique(_ child: ChildPath) -> Bool
  /// Whether the state of a child is a part of something redacted; `nil` if that is not known now.
  func hides(_ child: ChildPath) -> Bool?

  func receive(_ event: ChildEvent, in context: Propagation.Context)
}

/// What joins the log of a store with the logs of its parent and its children.
@MainActor final class LogFamily {
  /// Weak, because late work keeps the log of a child, and must not keep the parent's state.
  private(set) weak var parent: (any ParentLog)?
  let path: ChildPath?
  /// Whether the log of the parent has receivers, which is pushed by the parent.
  var isParentWatched: Bool
  /// The last event before the store was made.
  let begin: Int
  /// The event with which the store ended, since when the parent pushes nothing; `nil` before.
  var end: Int?
  /// Stays true once the state was redacted: an operator in a hook may remember what it received.
  var wasHidden = false
  /// Called with whether the children of the store have to report their events.
  var onWatched: @MainActor (Bool) -> Void = { _ in }

  init(_ parent: (any ParentLog)?, _ path: ChildPath?) {
    self.parent = parent
    self.path = path
    begin = parent?.numbers.last ?? 0
    isParentWatched = parent?.isWatched ?? false
  }
}

/// Numbers the events of a store and of its children.
@MainActor package final class EventNumbers {
  private(set) var last = 0
  /// What follows from hooks that observe events.
  var runs = HookRuns()

  func next() -> Int {
    last += 1
    return last
  }
}
