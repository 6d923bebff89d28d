/// Reads and writes a value that is stored elsewhere.
@propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
  /// The transaction of the writes.
  public var transaction = Transaction()
  private let get: () -> Value
  private let set: (Value, Transaction) -> Void

  /// Creates a binding from closures that keep the isolation of their context.
  @preconcurrency public init(
    @_inheritActorContext get: @escaping @isolated(any) @Sendable () -> Value,
    @_inheritActorContext set: @escaping @isolated(any) @Sendable (Value) -> Void
  ) {
    let set = unsafeBitCast(set, to: ((Value) -> Void).self)
    // The closures run in the isolation of their context. All code here is on the main actor.
    self.get = unsafeBitCast(get, to: (() -> Value).self)
    self.set = { value, _ in set(value) }
    // As in SwiftUI, a view that makes a binding from closures depends on what they read.
    _ = self.get()
  }

  /// Creates a binding whose setter receives the binding's transaction.
  @preconcurrency public init(
    @_inheritActorContext get: @escaping @isolated(any) @Sendable () -> Value,
    @_inheritActorContext set: @escaping @isolated(any) @Sendable (Value, Transaction) -> Void
  ) {
    self.get = unsafeBitCast(get, to: (() -> Value).self)
    self.set = unsafeBitCast(set, to: ((Value, Transaction) -> Void).self)
    _ = self.get()
  }

  init(reading get: @escaping () -> Value, writing set: @escaping (Value, Transaction) -> Void) {
    self.get = get
    self.set = set
  }

  /// The current value.
  public var wrappedValue: Value {
    get { get() }
    nonmutating set { set(newValue, transaction) }
  }

  /// The binding itself.
  public var projectedValue: Binding<Value> { self }

  /// Returns a binding to a part of the value.
  public subscript<Subject>(
    dynamicMember keyPath: WritableKeyPath<Value, Subject>
  ) -> Binding<Subject> {
    var part = Binding<Subject>(
      reading: { get()[keyPath: keyPath] },
      writing: { value, transaction in
        var whole = get()
        whole[keyPath: keyPath] = value
        set(whole, transaction)
      })
    part.transaction = transaction
    return part
  }

  /// Returns the same binding, whose writes belong to a transaction.
  public func transaction(_ transaction: Transaction) -> Binding<Value> {
    var binding = self
    binding.transaction = transaction
    return binding
  }

  /// Returns the same binding, whose writes are animated.
  public func animation(_ animation: Animation? = .default) -> Binding<Value> {
    self.transaction(Transaction(animation: animation))
  }
}

extension Binding: DynamicProperty {}
extension Binding: @unchecked Sendable where Value: Sendable {}
