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
  private let storage: StateStorage<State>
  /// Where to; `nil` for the state as a whole, which is the `Value` then.
  private let keyPath: KeyPath<State, Value>?
  /// `nil`: to be looked for, when somebody subscribes.
  private let equality: Equality<Value>?

  init(
    _ storage: StateStorage<State>, _ keyPath: KeyPath<State, Value>,
    equality: Equality<Value>? = nil
  ) {
    self.storage = storage
    self.keyPath = keyPath
    self.equality = equality
  }

  init(_ storage: StateStorage<State>) where Value == State {
    self.storage = storage
    keyPath = nil
    equality = nil
  }

  /// The changes of a part that can be compared.
  public subscript<T: Equatable>(dynamicMember keyPath: KeyPath<Value, T>)
    -> StatePublisher<State, T>
  {
    StatePublisher<State, T>(storage, appending(keyPath), equality: Equality())
  }

  /// The changes of a part that cannot be compared: told whenever it is written to (M3, M4).
  @_disfavoredOverload
  public subscript<T>(dynamicMember keyPath: KeyPath<Value, T>) -> StatePublisher<State, T> {
    StatePublisher<State, T>(storage, appending(keyPath))
  }

  /// The changes as a signal.
  ///
  /// It does not keep the store alive.
  public var signal: Signal<Value> {
    // Without a path, `Value` is `State`.
    let keyPath = unsafe keyPath ?? unsafeDowncast(storage.identity, to: KeyPath<State, Value>.self)
    let path = StatePath(keyPath)
    let part = { [storage, equality] in
      Propagation.readPaths?.append(keyPath)
      return storage.part(for: keyPath, path: path, equality: equality ?? .found())
    }
    return Signal(
      Derivation(isLeaf: true, attach: { LeafWatcher.attach($0, to: part()) }) { watcher in
        let part = part()
        watcher.watch(part)
        return Derived(value: { part.value($0) }, change: { part.told($0) })
      })
  }

  private func appending<T>(_ other: KeyPath<Value, T>) -> KeyPath<State, T> {
    // Without a key path, `Value` is `State`. Appending to `\.self` would be expensive.
    unsafe keyPath?.appending(path: other) ?? unsafeDowncast(other, to: KeyPath<State, T>.self)
  }
}
