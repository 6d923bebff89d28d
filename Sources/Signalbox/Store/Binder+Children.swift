extension Binder {
  /// Makes a binding to the child at an optional property, such as the content of a sheet.
  ///
  ///     let editor = store.binder.child(\.editor, Editor.self)
  ///     editor.wrappedValue?.dispatch(.done)
  ///     editor.wrappedValue = nil  // ends the child (C4)
  ///
  /// Reading it gives a handle to the child (C6), and tracks which child is there and nothing else of
  /// its state (M5). Writing `nil` removes the value. Writing a store does nothing, because only
  /// the state says which children there are.
  ///
  /// - Parameters:
  ///   - keyPath: the state of the child.
  ///   - feature: the interactor or the transducer of the child. A child that the store's interactor
  ///     does not declare traps.
  public func child<F: Feature>(
    _ keyPath: WritableKeyPath<State, F.State?>, _ feature: F.Type
  ) -> StateBinding<Store<F.State, F.Action>?> {
    // The binder of a store has the scope of the store.
    let scope = writer as? Scope<State, Action>
    let identity = scope?.engine.identity(of: keyPath, F.self)
    let presence = keyPath.appending(path: \.[onlyID: identity])
    let find: @MainActor () -> Store<F.State, F.Action>? = {
      scope.flatMap { $0.engine.child(keyPath, F.self, OnlyID?.none, for: $0, asShown: true) }
    }
    return StateBinding(
      signal: StatePublisher(storage, presence, equality: Equality()).signal.map { _ in find() },
      get: { [storage] in storage.readTracked(computed: presence) == nil ? nil : find() },
      set: { if $0 == nil { self[dynamicMember: keyPath].remove { _ in true } } })
  }

  /// Makes a binding to the child in a case of an optional enum, such as a destination (C12).
  ///
  /// Reading it tracks which case there is and nothing of the payload but its `id`. Writing `nil`
  /// removes the property's value if it has this case, and writing a store does nothing.
  ///
  /// - Parameters:
  ///   - keyPath: the property.
  ///   - enumCase: the case, as it was declared.
  ///   - feature: the interactor or the transducer of the child. A child that the store's interactor
  ///     does not declare traps.
  public func child<Enum, F: Feature>(
    case keyPath: WritableKeyPath<State, Enum?>, _ enumCase: @escaping (F.State) -> Enum,
    _ feature: F.Type
  ) -> StateBinding<Store<F.State, F.Action>?> {
    let scope = writer as? Scope<State, Action>
    let presence = keyPath.appending(path: \.caseIdentity)
    let find: @MainActor () -> Store<F.State, F.Action>? = {
      scope.flatMap {
        $0.engine.child(case: keyPath, { enumCase($0) }, F.self, for: $0, asShown: true)
      }
    }
    let payload = EnumCase<Enum?, F.State> { enumCase($0) }
    return StateBinding(
      signal: StatePublisher(storage, presence, equality: Equality()).signal
        .map { _ in find() }
        // The `id` of another case's payload may change.
        .removeDuplicates { $0 == nil && $1 == nil },
      get: { [storage] in storage.readTracked(computed: presence) == nil ? nil : find() },
      set: {
        if $0 == nil {
          self[dynamicMember: keyPath].remove { payload.payload(of: $0) != nil }
        }
      })
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
    let enumCase = EnumCase<Enum?, Value> { embed($0) }
    let path = StatePath(keyPath)
    let extract: @MainActor (Enum?) -> Value? = { enumCase.payload(of: $0) }
    var signal = StatePublisher(storage, keyPath).signal.map(extract)
    if let equality = Equality<Value?>.found() {
      signal = signal.removeDuplicates { equality.areEqual($0, $1) }
    }
    return StateBinding(
      signal: signal,
      get: { [storage] in extract(storage.readTracked(keyPath, path: path)) },
      set: {
        let property = self[dynamicMember: keyPath]
        if let value = $0 {
          property.wrappedValue = embed(value)
        } else {
          property.remove { extract($0) != nil }
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
      set: {
        let property = self[dynamicMember: keyPath]
        if $0 { property.wrappedValue = value } else { property.remove { $0 == value } }
      })
  }
}

extension Store {
  /// The ids of an array's elements, each once; tracked alone (M5) and compared by each commit.
  package func ids<Element: Identifiable>(_ keyPath: KeyPath<State, [Element]>) -> [Element.ID] {
    engine.storage.readTracked(computed: keyPath.appending(path: \.ids))
  }
}
