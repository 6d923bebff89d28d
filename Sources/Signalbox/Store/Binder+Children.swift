extension Binder {
  /// Makes a binding to the child at an optional property, such as the content of a sheet.
  ///
  ///     let editor = store.binder.child(\.editor, Editor.self)
  ///     editor.wrappedValue?.dispatch(.done)
  ///     editor.wrappedValue = nil  // ends the child (C4)
  ///
  /// Reading it gives a handle to the child (C6), and tracks whether the child is there and nothing
  /// of its state (M5). Writing `nil` removes the value. Writing a store does nothing, because only
  /// the state says which children there are.
  ///
  /// - Parameters:
  ///   - keyPath: the state of the child.
  ///   - interactor: the type of its interactor. A child that the store's interactor does not declare
  ///     traps.
  public func child<I: Interactor>(
    _ keyPath: WritableKeyPath<State, I.State?>, _ interactor: I.Type
  ) -> StateBinding<Store<I.State, I.Action>?> {
    child(keyPath, of: I.self)
  }

  /// Makes a binding to the child at an optional property, whose events a transducer handles (C10).
  ///
  /// It is read and written as one to the child of an interactor.
  ///
  /// - Parameters:
  ///   - keyPath: the state of the child.
  ///   - transducer: the transducer. A child that the store's interactor does not declare traps.
  public func child<T: Transducer>(
    _ keyPath: WritableKeyPath<State, T.State?>, transducer: T.Type
  ) -> StateBinding<Store<T.State, T.Event>?> {
    child(keyPath, of: T.self)
  }

  private func child<S, A>(
    _ keyPath: WritableKeyPath<State, S?>, of type: Any.Type
  ) -> StateBinding<Store<S, A>?> {
    let presence = keyPath.appending(path: \.hasValue)
    let find: @MainActor () -> Store<S, A>? = { [writer] in
      // The binder of a store has the scope of the store.
      guard let scope = writer as? Scope<State, Action> else { return nil }
      return scope.engine.child(keyPath, type, OnlyID(), for: scope)
    }
    return StateBinding(
      signal: StatePublisher(storage, presence, equality: Equality()).signal.map { _ in find() },
      get: { [storage] in storage.readTracked(computed: presence) ? find() : nil },
      set: { if $0 == nil { write(nil, to: keyPath) } })
  }

  /// Makes a binding to the value of one case of an enum, such as a destination.
  ///
  ///     enum Destination { case note(id: Int), settings(Settings) }
  ///
  ///     let settings = store.binder.case(\.destination, Destination.settings)
  ///     settings.wrappedValue?.volume = 3
  ///
  /// It is `nil` while the property has another case or no value. Writing a value makes it the
  /// property's. Writing `nil` removes the property's value if it has this case, and does nothing
  /// otherwise.
  ///
  /// - Parameters:
  ///   - keyPath: the property.
  ///   - embed: the case. Any other function that makes a value of the enum is a mistake.
  public func `case`<Enum, Value>(
    _ keyPath: WritableKeyPath<State, Enum?>, _ embed: @escaping (Value) -> Enum
  ) -> StateBinding<Value?> {
    let enumCase = EnumCase(embed: embed)
    let path = StatePath(keyPath)
    let extract: @MainActor (Enum?) -> Value? = { $0.flatMap(enumCase.extract) }
    var signal = StatePublisher(storage, keyPath).signal.map(extract)
    if let equality = Equality<Value?>.found() {
      signal = signal.removeDuplicates { equality.areEqual($0, $1) }
    }
    return StateBinding(
      signal: signal,
      get: { [storage] in extract(storage.readTracked(keyPath, path: path)) },
      set: { [storage] in
        if let value = $0 {
          write(embed(value), to: keyPath)
        } else if !storage.isClosed, extract(storage.read(keyPath)) != nil {
          write(nil, to: keyPath)
        }
      })
  }

  /// Makes a binding to whether an optional property has a given value, such as a case of an enum
  /// without associated values.
  ///
  /// Writing `true` makes it the property's value. Writing `false` removes the property's value if it
  /// is that one, and does nothing otherwise.
  ///
  /// - Parameters:
  ///   - keyPath: the property.
  ///   - value: the value.
  public func `case`<Enum: Equatable>(
    _ keyPath: WritableKeyPath<State, Enum?>, _ value: Enum
  ) -> StateBinding<Bool> {
    let path = StatePath(keyPath)
    return StateBinding(
      signal: StatePublisher(storage, keyPath).signal.map { $0 == value }.removeDuplicates(),
      get: { [storage] in storage.readTracked(keyPath, path: path) == value },
      set: { [storage] in
        if $0 {
          write(value, to: keyPath)
        } else if !storage.isClosed, storage.read(keyPath) == value {
          write(nil, to: keyPath)
        }
      })
  }

  private func write<T>(_ value: T?, to keyPath: WritableKeyPath<State, T?>) {
    if storage.isClosed { return }
    if isReadOnly { Self.trapReadOnly(keyPath) }
    storage.assign(value, to: keyPath, path: StatePath(keyPath), isForced: false, by: writer)
  }
}

extension Store {
  /// The ids of the elements of an array, in their order and each once.
  ///
  /// Reading them tracks the ids and nothing else of the elements (M5). While they are tracked, each
  /// commit compares them.
  package func ids<Element: Identifiable>(_ keyPath: KeyPath<State, [Element]>) -> [Element.ID] {
    engine.storage.readTracked(computed: keyPath.appending(path: \.ids))
  }
}

extension Optional {
  fileprivate var hasValue: Bool { self != nil }
}

extension Array where Element: Identifiable {
  /// Of two elements with one id, the first is the child (C8).
  fileprivate var ids: [Element.ID] {
    var known: Set<Element.ID> = []
    known.reserveCapacity(count)
    return compactMap { known.insert($0.id).inserted ? $0.id : nil }
  }
}

/// A case of an enum with associated values.
private struct EnumCase<Enum, Value> {
  let embed: (Value) -> Enum

  /// The associated values of a value that has this case.
  func extract(from value: Enum) -> Value? {
    // Reflection gives the name of the case as the label.
    guard let content = Mirror(reflecting: value).children.first,
      let payload = payload(in: content.value)
    else { return nil }
    return Mirror(reflecting: embed(payload)).children.first?.label == content.label
      ? payload : nil
  }

  private func payload(in content: Any) -> Value? {
    if let value = content as? Value { return value }
    // A single associated value with a label is a tuple of one element.
    let elements = Mirror(reflecting: content).children
    return elements.count == 1 ? elements.first?.value as? Value : nil
  }
}
