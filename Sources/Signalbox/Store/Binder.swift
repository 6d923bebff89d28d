/// Reads and writes single properties of a store for user interfaces.
///
///     let draft = store.binder.draft
///     draft.wrappedValue = "hello"
///     let search = store.binder.binding(get: \.query) { .search($0) }
///
/// It does not keep the store alive. Writes to a store that was released do nothing.
@MainActor @dynamicMemberLookup public struct Binder<State, Action> {
  let storage: StateStorage<State>
  let writer: any Writer
  package let isReadOnly: Bool
  package let dispatch: @MainActor (Action) -> Void

  /// A property that can be read, written to and subscribed to.
  public subscript<T: Equatable>(
    dynamicMember keyPath: WritableKeyPath<State, T>
  ) -> StateBinding<T> {
    property(keyPath, equality: Equality())
  }

  /// A property of a type that is not known to be `Equatable`.
  ///
  /// If its values cannot be compared at run time either, every write to it counts as a change (M3,
  /// M4).
  @_disfavoredOverload
  public subscript<T>(dynamicMember keyPath: WritableKeyPath<State, T>) -> StateBinding<T> {
    property(keyPath, equality: .found())
  }

  private func property<T>(
    _ keyPath: WritableKeyPath<State, T>, equality: Equality<T>?
  ) -> StateBinding<T> {
    let path = StatePath(keyPath)
    let shape = MemberPath(keyPath).shape
    let isThere: @MainActor () -> Bool = { [storage] in shape.map { storage.isThere($0) } ?? true }
    // A user interface may read and write a row once more that is already gone.
    let last = shape.map { _ in LastValue(isThere() ? storage.read(keyPath) : nil) }
    return StateBinding(
      signal: StatePublisher(storage, keyPath, equality: equality).signal,
      get: { [storage] in
        guard let last else { return storage.readTracked(keyPath, path: path) }
        // Also while it is missing, because it may come back.
        storage.track(keyPath, path)
        return last.read(isThere() ? storage.read(keyPath) : nil)
      },
      set: { [storage, writer, isReadOnly] in
        if storage.isClosed { return }
        if isReadOnly { Self.trapReadOnly(keyPath) }
        if let shape, !isInTruth(shape) { return writeNowhere($0, to: keyPath) }
        storage.assign(
          $0, to: keyPath, path, isForced: false, by: writer, equality?.areEqual)
        last?.hasWritten($0)
      },
      identity: BindingIdentity(writer: ObjectIdentifier(writer), keyPath: keyPath),
      members: BoundProperty(binder: self, keyPath: keyPath))
  }

  private func isInTruth(_ shape: KeyPathShape) -> Bool {
    storage.isInTruth(shape) && !storage.isElsewhereInTruth(shape)
  }

  /// The value in the truth; `nil` if it is not there, or the store was released.
  fileprivate func truth<T>(_ keyPath: WritableKeyPath<State, T>) -> T? {
    if storage.isClosed || !storage.isPresent { return nil }
    if let shape = MemberPath(keyPath).shape, !isInTruth(shape) { return nil }
    return storage.readingTruth { storage.read(keyPath) }
  }

  /// Reports a write to what only a pending change shows, which is not in the truth (O3).
  fileprivate func writeNowhere<T>(_ value: T, to keyPath: WritableKeyPath<State, T>) {
    if isReadOnly { Self.trapReadOnly(keyPath) }
    if MemberPath(keyPath).shape.map({ storage.isThere($0) }) ?? true {
      storage.updateNowhere(by: writer) { $0[keyPath: keyPath] = value }
    }
  }

  static func trapReadOnly(_ keyPath: PartialKeyPath<State>) -> Never {
    fatalError(
      """
      The binder wrote to \(keyPath), but only update may change the state of a transducer's store \
      (X1). Use binder.binding(get:action:), which turns a written value into an event.
      """)
  }

  /// Makes a binding that reads one property and turns a written value into an action (M6).
  ///
  /// Reading it tracks that property alone (M5).
  ///
  /// - Parameters:
  ///   - keyPath: the property that is read.
  ///   - action: makes the action that is dispatched for a written value. The binding itself does
  ///     not change the state.
  public func binding<T>(
    get keyPath: KeyPath<State, T>, action: @escaping @MainActor (T) -> Action
  ) -> StateBinding<T> {
    let path = StatePath(keyPath)
    return StateBinding(
      signal: StatePublisher(storage, keyPath).signal,
      get: { [storage] in storage.readTracked(keyPath, path: path) },
      set: { [dispatch] in dispatch(action($0)) })
  }

  /// Makes a binding that reads from the state and turns a written value into an action (M6).
  ///
  /// Reading it tracks the state as a whole, because the closure may read any part (M5).
  ///
  /// - Parameters:
  ///   - get: computes the value. It should depend only on the state.
  ///   - action: makes the action that is dispatched for a written value. The binding itself does
  ///     not change the state.
  public func binding<T>(
    get: @escaping @MainActor (State) -> T, action: @escaping @MainActor (T) -> Action
  ) -> StateBinding<T> {
    let path = StatePath(\State.self)
    var signal = StatePublisher(storage).signal.map(get)
    if let equality = Equality<T>.found() {
      signal = signal.removeDuplicates { equality.areEqual($0, $1) }
    }
    return StateBinding(
      signal: signal,
      get: { [storage] in get(storage.readTracked(\.self, path: path)) },
      set: { [dispatch] in dispatch(action($0)) })
  }
}

/// A value of a store's state that can be read, written to and subscribed to.
///
///     let letter = store.binder.letter
///     letter.isStarred.wrappedValue = true  // the binding of a member
///
/// As a signal, it is a state signal that delivers changes only.
@MainActor @dynamicMemberLookup public struct StateBinding<Value>: SignalConvertible {
  /// The changes of the value.
  public let signal: Signal<Value>
  /// Equal for bindings of the same property; `nil` for a binding of closures.
  package let identity: BindingIdentity?
  /// The property that this binds, whose members are those of the state; `nil` for closures.
  private let members: (any MemberBinder<Value>)?
  private let get: @MainActor () -> Value
  private let set: @MainActor (Value) -> Void

  init(
    signal: Signal<Value>, get: @escaping @MainActor () -> Value,
    set: @escaping @MainActor (Value) -> Void, identity: BindingIdentity? = nil,
    members: (any MemberBinder<Value>)? = nil
  ) {
    self.signal = signal
    self.identity = identity
    self.members = members
    self.get = get
    self.set = set
  }

  /// The current value.
  ///
  /// Writing it changes the state or dispatches the binding's action.
  public var wrappedValue: Value {
    get { get() }
    nonmutating set { set(newValue) }
  }

  /// The value without pending changes, if it is in the truth.
  package var truth: Value { members?.truth ?? get() }

  /// Reports a write to what only a pending change shows, which changes nothing (O3).
  package func writeNowhere(_ value: Value) { members?.writeNowhere(value) }

  /// Changes the value if it is what a user has seen, without the pending changes that show it.
  package func change(where isMeant: (Value) -> Bool, _ body: (inout Value) -> Void) {
    var value = truth
    if isMeant(value) {
      body(&value)
      return set(value)
    }
    value = get()
    guard isMeant(value) else { return }
    body(&value)
    writeNowhere(value)
  }

  /// Makes the value `nil` if it is what a user has seen.
  package func remove<T>(where isMeant: (T) -> Bool) where Value == T? {
    change(where: { $0.map(isMeant) ?? false }, { $0 = nil })
  }

  /// A member of the value.
  ///
  /// The member of a property is a property of the state, of which a read tracks that part alone (M5).
  /// In a binding that turns written values into actions, writing a member passes on a whole value in
  /// which it is changed.
  public subscript<T>(dynamicMember keyPath: WritableKeyPath<Value, T>) -> StateBinding<T> {
    if let members { return members.member(keyPath) }
    let path = MemberPath(keyPath)
    // Kept only if it may be missing, because a kept array would be copied by the next change (M2).
    let last = path.shape.map { _ in LastValue(path.value(of: get())) }
    let read: @MainActor (Value) -> T = { last?.read(path.value(of: $0)) ?? $0[keyPath: keyPath] }
    var signal = signal.map(read)
    if let equality = Equality<T>.found() {
      signal = signal.removeDuplicates { equality.areEqual($0, $1) }
    }
    return StateBinding<T>(
      signal: signal, get: { [get] in read(get()) },
      set: { [get, set] in
        var value = get()
        guard path.isThere(in: value) else { return }
        value[keyPath: keyPath] = $0
        set(value)
      })
  }
}

/// Makes the bindings of the members of a value, and tells it from what is shown.
@MainActor protocol MemberBinder<Value> {
  associatedtype Value
  var truth: Value? { get }
  func writeNowhere(_ value: Value)
  func member<T>(_ keyPath: WritableKeyPath<Value, T>) -> StateBinding<T>
}

/// A property that is bound, without the type of its state.
private struct BoundProperty<State, Action, Value>: MemberBinder {
  let binder: Binder<State, Action>
  let keyPath: WritableKeyPath<State, Value>

  var truth: Value? { binder.truth(keyPath) }

  func writeNowhere(_ value: Value) { binder.writeNowhere(value, to: keyPath) }

  func member<T>(_ member: WritableKeyPath<Value, T>) -> StateBinding<T> {
    binder[dynamicMember: keyPath.appending(path: member)]
  }
}

/// Which property a binding reads and writes.
package struct BindingIdentity: Hashable {
  /// The writer of the binding, which the binding keeps alive.
  let writer: ObjectIdentifier
  let keyPath: AnyKeyPath
}
