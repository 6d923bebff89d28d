/// Reads a state for a derived value, and records what is read.
///
///     cart.taxRate                          // that property, and nothing else
///     cart.each(\.lines, \.price)           // one property of each element, as an array
///     cart[Cart.subtotal]                   // another derived value of the same state
///     cart.part(\.settings).currency        // a property of a stored property
///     cart.part(\.settings)[Settings.rate]  // a derived value of it
///
/// Reading a property counts as reading all of it: `cart.lines.count` depends on the elements, too.
/// Using a reader after the closure has returned traps.
@MainActor @dynamicMemberLookup public struct Reader<State> {
  private let storage: StateStorage<State>
  private let computation: Computation

  init(_ storage: StateStorage<State>, for computation: Computation) {
    self.storage = storage
    self.computation = computation
  }

  /// A property of the state.
  public subscript<T>(dynamicMember keyPath: KeyPath<State, T>) -> T {
    computation.checkIsRunning()
    if computation.isRecorded {
      storage.withTracked(keyPath, StatePath(keyPath), isNew: true) {
        computation.add($0.located.moved(by: storage.prefix), $1)
      }
    }
    return storage.read(keyPath)
  }

  /// Another derived value of the state; a cycle traps with the names on it (V6).
  public subscript<Value>(_ derived: Derived<State, Value>) -> Value {
    computation.checkIsRunning()
    return storage.read(derived)
  }

  /// Reads a stored property by its parts; any other property traps.
  public func part<Part>(_ keyPath: KeyPath<State, Part>) -> Reader<Part> {
    Reader<Part>(storage.storage(of: keyPath), for: computation)
  }

  /// Reads one property of each element of a collection, in the order of the elements (V7).
  ///
  /// A change of another property of an element changes nothing. The store keeps the values of the
  /// property for the comparison.
  @inlinable public func each<Elements: Collection, T: Equatable>(
    _ keyPath: KeyPath<State, Elements>, _ property: KeyPath<Elements.Element, T>
  ) -> [T] {
    // Inlined into the caller, so that the loops are specialised for the types.
    values(keyPath, property, { Self.values(of: property, in: $0) }, { $0 == $1 })
  }

  @usableFromInline func values<Elements, T>(
    _ keyPath: KeyPath<State, Elements>, _ property: AnyKeyPath,
    _ select: @escaping (Elements) -> [T], _ areEqual: @escaping ([T], [T]) -> Bool
  ) -> [T] {
    computation.checkIsRunning()
    guard computation.isRecorded else { return select(storage.read(keyPath)) }
    let key = DependentKey.elements(StatePath(keyPath).moved(by: storage.prefix), property)
    // It may have been made for a state around this one.
    if let part = storage.home.dependents[key] as? TypedPart<[T]> {
      return computation.read(part)
    }
    let values = Derived<State, [T]>("each") { select($0[dynamicMember: keyPath]) }
    return computation.read(DerivedPart(values, key, of: storage, Equality(areEqual)))
  }

  @inlinable nonisolated static func values<Elements: Collection, T>(
    of property: KeyPath<Elements.Element, T>, in elements: Elements
  ) -> [T] {
    typealias Element = Elements.Element
    guard let offset = MemoryLayout<Element>.offset(of: property) else {
      return elements.map { $0[keyPath: property] }
    }
    // `MemoryLayout` gave the offset of a value of exactly this type.
    let values = elements.withContiguousStorageIfAvailable { elements in
      elements.indices.map {
        unsafe (UnsafeRawPointer(elements.baseAddress.unsafelyUnwrapped + $0) + offset)
          .assumingMemoryBound(to: T.self).pointee
      }
    }
    return values ?? elements.map { $0[keyPath: property] }
  }
}
