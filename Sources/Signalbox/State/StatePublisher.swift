/// The changes of one part of a store's state; further key paths lead deeper.
///
///     store.publisher.user.name.sink { print($0) }     // changes of the name, and only those
///     store.publisher.sink { print($0) }               // every change of the state
///
/// A state signal: it has a current value from the start and gives changes only; add
/// `includingCurrent()` to start with the value of now (S9). It compares the values before and
/// after each commit if they are `Equatable`, and finishes when the store dies (S10, S11).
@MainActor @dynamicMemberLookup public struct StatePublisher<State, Value>: SignalConvertible {
  let model: Model<State>
  let keyPath: KeyPath<State, Value>
  let equality: Equality<Value>?

  /// The changes of a part that can be compared.
  public subscript<T: Equatable>(dynamicMember keyPath: KeyPath<Value, T>)
    -> StatePublisher<State, T>
  {
    StatePublisher<State, T>(
      model: model, keyPath: self.keyPath.appending(path: keyPath), equality: Equality())
  }

  /// The changes of a part that cannot be compared: told whenever it is written to (M3, M4).
  @_disfavoredOverload
  public subscript<T>(dynamicMember keyPath: KeyPath<Value, T>) -> StatePublisher<State, T> {
    StatePublisher<State, T>(
      model: model, keyPath: self.keyPath.appending(path: keyPath), equality: .found())
  }

  /// The changes as a signal.
  ///
  /// It does not keep the store alive.
  public var signal: Signal<Value> {
    let place = Place(keyPath)
    let node = { [model, keyPath, equality] in
      model.node(for: keyPath, place: place, equality: equality)
    }
    return Signal(
      Derivation(isLeaf: true, attach: { LeafWatcher.attach($0, to: node()) }) { watcher in
        let node = node()
        watcher.watch(node)
        return Derived(value: { node.value($0) }, change: { node.told($0) })
      })
  }
}
