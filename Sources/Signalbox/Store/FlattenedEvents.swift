/// An event of a store, whatever the types of its state and its actions.
@MainActor public protocol StoreEventProtocol {
  /// The event with its place, and with its state and its action as `Any`.
  ///
  /// An event of a child is the child's.
  var flattened: ChildEvent { get }
}

extension StoreEvent: StoreEventProtocol {
  /// The event with its place, and with its state and its action as `Any`.
  @MainActor public var flattened: ChildEvent {
    if case .child(let event) = kind { return event }
    return ChildEvent(
      path: "", content: TypedChildEvent(typed: self, state: nil, isHidden: false))
  }
}

extension Signal where Value: StoreEventProtocol {
  /// The events of a store and of all its children, each with its place (C16).
  ///
  ///     store.events.flattened.sink { print($0.path, $0.feature, $0.action ?? "") }
  public var flattened: Signal<ChildEvent> { map { $0.flattened } }
}

extension StoreEvent {
  /// The action that the event is about; `nil` if it is about something else.
  public var action: Action? {
    switch kind {
    case .dispatched(let action), .finished(let action, _), .cancelled(let action): action
    case .failed(let action, _), .dropped(.action(let action)): action
    case .unhandled(_, let action): action
    default: nil
    }
  }

  /// The event with its state and its action as `Any`.
  var erased: StoreEvent<Any, Any> { with(kind.erased) }

  /// The event as one of a store of other types.
  package func with<S, A>(_ kind: StoreEvent<S, A>.Kind) -> StoreEvent<S, A> {
    StoreEvent<S, A>(
      id: id, cause: cause, work: work,
      cancellation: cancellation, storeName: storeName, kind: kind, provenance: provenance,
      feature: feature)
  }
}

extension StoreEvent.Kind {
  fileprivate var erased: StoreEvent<Any, Any>.Kind {
    switch self {
    case .started(let state): .started(state)
    case .dispatched(let action): .dispatched(action)
    case .finished(let action, let time): .finished(action, time)
    case .cancelled(let action): .cancelled(action)
    case .failed(let action, let error): .failed(action, error)
    case .runStarted(let id): .runStarted(id: id)
    case .runFinished(let id, let time): .runFinished(id: id, time)
    case .runCancelled(let id): .runCancelled(id: id)
    case .runFailed(let id, let error): .runFailed(id: id, error)
    case .hookFired(let name, let value): .hookFired(name: name, value: value)
    case .stateChanged(let old, let new): .stateChanged(from: old, to: new)
    case .pending: .pending
    case .confirmed: .confirmed
    case .takenBack: .takenBack
    case .derived(let name, let old, let new): .derived(name: name, from: old, to: new)
    case .unhandled(let error, let action): .unhandled(error, action)
    case .dropped(.change(let old, let new)): .dropped(.change(from: old, to: new))
    case .dropped(.action(let action)): .dropped(.action(action))
    case .dropped(.run): .dropped(.run)
    case .dropped(.cancel): .dropped(.cancel)
    case .loopStopped(let chain): .loopStopped(chain)
    case .child(let event): .child(event)
    case .duplicateChild(let place): .duplicateChild(place)
    }
  }
}
