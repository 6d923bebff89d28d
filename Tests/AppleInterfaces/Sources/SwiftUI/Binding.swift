/// A value that is kept elsewhere, to be read and written.
@propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
  /// What a write is part of.
  public var transaction = Transaction()
  private let get: () -> Value
  private let set: (Value, Transaction) -> Void

  /// Makes a binding of closures that have the isolation of where they are written.
  @preconcurrency public init(
    @_inheritActorContext get: @escaping @isolated(any) @Sendable () -> Value,
    @_inheritActorContext set: @escaping @isolated(any) @Sendable (Value) -> Void
  ) {
    let set = unsafeBitCast(set, to: ((Value) -> Void).self)
    // They are called where they are isolated to; everything here is on the main actor.
    self.get = unsafeBitCast(get, to: (() -> Value).self)
    self.set = { value, _ in set(value) }
    // As SwiftUI does: a view that makes a binding of closures depends on what they read.
    _ = self.get()
  }

  /// Makes a binding whose writer is given the binding's transaction.
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

  /// The value of now.
  public var wrappedValue: Value {
    get { get() }
    nonmutating set { set(newValue, transaction) }
  }

  /// The binding itself.
  public var projectedValue: Binding<Value> { self }

  /// A part of the value.
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

  /// The same binding, whose writes are part of a transaction.
  public func transaction(_ transaction: Transaction) -> Binding<Value> {
    var binding = self
    binding.transaction = transaction
    return binding
  }

  /// The same binding, whose writes are animated.
  public func animation(_ animation: Animation? = .default) -> Binding<Value> {
    self.transaction(Transaction(animation: animation))
  }
}

extension Binding: DynamicProperty {}
extension Binding: @unchecked Sendable where Value: Sendable {}
