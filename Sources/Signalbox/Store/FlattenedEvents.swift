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
  var erased: StoreEvent<Any, Any> {
    StoreEvent<Any, Any>(
      id: id, cause: cause, work: work,
      cancellation: cancellation.map { StoreEvent<Any, Any>.Cancellation($0) },
      storeName: storeName, kind: kind.erased, provenance: provenance, feature: feature)
  }
}

extension StoreEvent {
  /// The event as one of a child; `nil` if it tells nothing about the child.
  ///
  /// - Parameters:
  ///   - path: where the child lives in the state of this store.
  ///   - part: the state of the child in that of this store.
  @MainActor package func seen<S: Equatable, A>(
    at path: String, _ part: (State) -> S?, as type: A.Type
  ) -> StoreEvent<S, A>? {
    switch kind {
    case .started(let state): return part(state).map { with(.started($0)) }
    case .stateChanged(let old, let new):
      guard let new = part(new) else { return nil }
      guard let old = part(old) else { return with(.started(new)) }
      return old == new ? nil : with(.stateChanged(from: old, to: new))
    case .child(let event) where event.path == path: return event.read(by: TypedReader())
    case .child(let event) where event.path.hasPrefix(path + "."):
      return with(
        .child(ChildEvent(path: "\\" + event.path.dropFirst(path.count), content: event.content)))
    default: return nil
    }
  }

  private func with<S, A>(_ kind: StoreEvent<S, A>.Kind) -> StoreEvent<S, A> {
    StoreEvent<S, A>(
      id: id, cause: cause, work: work,
      cancellation: cancellation.map { StoreEvent<S, A>.Cancellation($0) },
      storeName: storeName, kind: kind, provenance: provenance, feature: feature)
  }
}

private struct TypedReader<S, A>: ChildEventReader {
  func read<State, Action>(
    _ event: StoreEvent<State, Action>, in state: State?
  ) -> StoreEvent<S, A>? {
    event as? StoreEvent<S, A>
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
