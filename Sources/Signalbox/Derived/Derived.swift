/// A value that is computed from a state, and computed again only when something that it has read has
/// changed.
///
///     extension Cart {
///       @MainActor static let total = Derived<Cart, Int> { cart in
///         cart.each(\.lines, \.price).reduce(0, +)
///       }
///     }
///     store[Cart.total]
///     store.publisher[Cart.total].sink { … }
///
/// It depends on what its last computation has read through the `Reader` (V2). If a new result equals
/// the last one, no observer is notified (V3). Results that are not `Equatable` never count as equal.
@MainActor public final class Derived<State, Value> {
  package let name: String
  let compute: @MainActor (Reader<State>) -> Value

  /// Makes a derived value.
  ///
  /// - Parameters:
  ///   - name: the name in texts. Without one, texts show the file and the line.
  ///   - fileID: the file that texts show.
  ///   - line: its line that texts show.
  ///   - compute: computes the value from what it reads through its argument. Of what else it reads,
  ///     only derived values of parents and children of the store count. A store may keep it until
  ///     something that it has read changes, so capture stores weakly. Writing or dispatching in it
  ///     traps (V6).
  public init(
    _ name: String? = nil, fileID: String = #fileID, line: Int = #line,
    _ compute: @escaping @MainActor (Reader<State>) -> Value
  ) {
    self.name = name ?? "\(fileID.split(separator: "/").last ?? ""):\(line)"
    self.compute = compute
  }
}

extension StateStorage {
  func read<Value>(_ derived: Derived<State, Value>, isTracked: Bool = false) -> Value {
    checkRead()
    let reading = Computation.current
    // In a comparison or a getter, the observed parts may be in use. Derived values were not
    // notified of the last value of a state that is gone.
    guard !home.isClosed, home.outer == nil || home.isReadable,
      reading?.isRecorded ?? (flags & Self.readOnly == 0)
    else {
      return computed(derived)
    }
    let part = part(for: derived)
    if let reading { return reading.read(part) }
    defer { transaction.releaseDiscarded() }
    return isTracked ? part.trackedValue : part.read()
  }

  /// Computes a derived value without keeping it.
  func computed<Value>(_ derived: Derived<State, Value>) -> Value {
    let key = DependentKey.value(ObjectIdentifier(derived), at: offset)
    return Computation(of: derived.name, key, in: home, isRecorded: false)
      .run(on: self, derived.compute)
  }

  func part<Value>(for derived: Derived<State, Value>) -> DerivedPart<State, Value> {
    let key = DependentKey.value(ObjectIdentifier(derived), at: offset)
    if let part = home.dependents[key] {
      // The key is that of one definition, which the part keeps, with its types.
      return unsafe unsafeDowncast(part, to: DerivedPart<State, Value>.self)
    }
    return DerivedPart(derived, key, of: self, .found())
  }

  func storage<Part>(of keyPath: KeyPath<State, Part>) -> StateStorage<Part> {
    guard let offset = MemoryLayout<State>.offset(of: keyPath) else {
      fatalError(
        """
        \(keyPath) is not a stored property of a struct without observers such as `didSet`, so it has no \
        parts of its own. Read it as a whole.
        """)
    }
    return StateStorage<Part>(within: self, at: keyPath, offset: offset)
  }
}
