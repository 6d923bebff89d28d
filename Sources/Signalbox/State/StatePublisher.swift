/// The changes of one part of a store's state; further key paths lead deeper.
///
///     store.publisher.user.name.sink { print($0) }     // changes of the name, and only those
///     store.publisher.sink { print($0) }               // every change of the state
///
/// A state signal: it has a current value from the start and gives changes only; add
/// `includingCurrent()` to start with the value of now (S9). It compares the values before and
/// after each commit if they are `Equatable`, and finishes when the store dies (S10, S11).
///
/// A property that is called like a member of signals, such as `first` or `values`, is hidden by
/// it: `store.publisher[dynamicMember: \.first]` gives its changes.
@MainActor @dynamicMemberLookup public struct StatePublisher<State, Value>: SignalConvertible {
  private let model: Model<State>
  /// Where to; `nil` for the state as a whole, which is the `Value` then.
  private let path: KeyPath<State, Value>?
  /// `nil`: to be looked for, when somebody subscribes.
  private let equality: Equality<Value>?

  init(_ model: Model<State>, _ path: KeyPath<State, Value>, equality: Equality<Value>? = nil) {
    self.model = model
    self.path = path
    self.equality = equality
  }

  init(_ model: Model<State>) where Value == State {
    self.model = model
    path = nil
    equality = nil
  }

  /// The changes of a part that can be compared.
  public subscript<T: Equatable>(dynamicMember keyPath: KeyPath<Value, T>)
    -> StatePublisher<State, T>
  {
    StatePublisher<State, T>(model, path(to: keyPath), equality: Equality())
  }

  /// The changes of a part that cannot be compared: told whenever it is written to (M3, M4).
  @_disfavoredOverload
  public subscript<T>(dynamicMember keyPath: KeyPath<Value, T>) -> StatePublisher<State, T> {
    StatePublisher<State, T>(model, path(to: keyPath))
  }

  /// The changes as a signal.
  ///
  /// It does not keep the store alive.
  public var signal: Signal<Value> {
    // Without a path, `Value` is `State`.
    let path = unsafe path ?? unsafeDowncast(model.identity, to: KeyPath<State, Value>.self)
    let place = Place(path)
    let node = { [model, equality] in
      Propagation.readPaths?.append(path)
      return model.node(for: path, place: place, equality: equality ?? .found())
    }
    return Signal(
      Derivation(isLeaf: true, attach: { LeafWatcher.attach($0, to: node()) }) { watcher in
        let node = node()
        watcher.watch(node)
        return Derived(value: { node.value($0) }, change: { node.told($0) })
      })
  }

  private func path<T>(to keyPath: KeyPath<Value, T>) -> KeyPath<State, T> {
    // Without a path, `Value` is `State`, and to append to `\.self` would only be dear.
    unsafe path?.appending(path: keyPath) ?? unsafeDowncast(keyPath, to: KeyPath<State, T>.self)
  }
}
