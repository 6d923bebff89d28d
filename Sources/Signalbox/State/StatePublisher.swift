/// A signal of the changes of one part of a store's state.
///
///     store.publisher.user.name.sink { print($0) }     // changes of the name only
///     store.publisher.sink { print($0) }               // every change of the state
///
/// A publisher is a state signal. It has a current value from the start and delivers changes only.
/// Add `includingCurrent()` to start with the current value (S9). If the values are `Equatable`, it
/// compares the values before and after each commit (S10). It finishes when the store is released
/// (S11).
///
/// A property of the state may have the name of an operator, such as `first` or `filter`. Only a
/// property named `signal` is hidden: use `store.publisher[dynamicMember: \.signal]`.
@MainActor @dynamicMemberLookup public struct StatePublisher<State, Value>: SignalConvertible {
  let storage: StateStorage<State>
  /// The path of the part; `nil` for the state as a whole, in which case `Value` is `State`.
  let keyPath: KeyPath<State, Value>?
  /// The comparison, or `nil` if it is looked up for each subscriber.
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

  /// The changes of a part whose type is not known to be `Equatable`.
  ///
  /// If its values cannot be compared at run time either, every write to it counts as a change (M3,
  /// M4).
  @_disfavoredOverload
  public subscript<T>(dynamicMember keyPath: KeyPath<Value, T>) -> StatePublisher<State, T> {
    StatePublisher<State, T>(storage, appending(keyPath))
  }

  /// The changes of a part of an optional; `nil` while there is no value.
  ///
  ///     store.publisher.user.name.sink { print($0 ?? "none") }  // `user` is optional
  ///
  /// It takes the place of `user?.name`, which Swift has for values only. The values are compared after
  /// each commit.
  @_disfavoredOverload
  public subscript<Wrapped, T>(dynamicMember keyPath: KeyPath<Wrapped, T>)
    -> StatePublisher<State, T?> where Value == Wrapped?
  {
    StatePublisher<State, T?>(storage, appending(\Value.[part: .observed(keyPath)]))
  }

  /// The changes of an optional part of an optional; `nil` while either has no value.
  @_disfavoredOverload
  public subscript<Wrapped, T>(dynamicMember keyPath: KeyPath<Wrapped, T?>)
    -> StatePublisher<State, T?> where Value == Wrapped?
  {
    StatePublisher<State, T?>(storage, appending(\Value.[optionalPart: .observed(keyPath)]))
  }

  /// The changes as a signal.
  ///
  /// The signal does not keep the store alive.
  public var signal: Signal<Value> {
    let keyPath = ownKeyPath
    let path = StatePath(keyPath)
    let part = { @MainActor [storage, equality] (attachment: Attachment?) in
      attachment?.add(keyPath, of: storage, storage.delegate?.origin)
      return storage.part(for: keyPath, path: path, equality: equality ?? .found())
    }
    return Signal(
      Derivation(
        isLeaf: true, attach: { LeafWatcher(part($0.attachment)).attach($0) }
      ) { watcher, attachment in
        let part = part(attachment)
        watcher.watch(part)
        return DerivationInstance(value: { part.value($0) }, change: { part.change($0) })
      })
  }

  /// Whether a change of the part, which must have a subscriber, may not have reached it yet.
  package var isUntold: Bool {
    storage.part(for: ownKeyPath, path: StatePath(ownKeyPath), equality: equality ?? .found())
      .isUntold
  }

  /// Calls a closure when the part has changed in the truth while changes are pending (O6).
  package func observeTruth(_ hasChanged: @escaping @MainActor () -> Void) -> Subscription {
    let (home, site) = (storage.home, TruthSite(storage, ownKeyPath, hasChanged))
    home.add([site])
    return Subscription { home.remove([site]) }
  }

  // Without a path, `Value` is `State`.
  private var ownKeyPath: KeyPath<State, Value> {
    unsafe keyPath ?? unsafeDowncast(storage.identity, to: KeyPath<State, Value>.self)
  }

  private func appending<T>(_ other: KeyPath<Value, T>) -> KeyPath<State, T> {
    // Without a key path, `Value` is `State`. Appending to `\.self` would be expensive.
    unsafe keyPath?.appending(path: other) ?? unsafeDowncast(other, to: KeyPath<State, T>.self)
  }
}

extension Optional {
  fileprivate subscript<T>(part path: MemberPath<Wrapped, T>) -> T? {
    flatMap { path.value(of: $0) }
  }

  fileprivate subscript<T>(optionalPart path: MemberPath<Wrapped, T?>) -> T? {
    flatMap { path.value(of: $0) ?? nil }
  }
}
