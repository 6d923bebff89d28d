/// Reads and writes a value that is stored elsewhere.
@propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
  /// The transaction of the writes.
  public var transaction = Transaction()
  let location: Location<Value>
  /// The value when the binding was made.
  private let cached: Value

  /// Creates a binding from closures that keep the isolation of their context.
  @preconcurrency public init(
    @_inheritActorContext get: @escaping @isolated(any) @Sendable () -> Value,
    @_inheritActorContext set: @escaping @isolated(any) @Sendable (Value) -> Void
  ) {
    let set = unsafeBitCast(set, to: ((Value) -> Void).self)
    // The closures run in the isolation of their context. All code here is on the main actor.
    self.init(
      FunctionalLocation(
        get: unsafeBitCast(get, to: (() -> Value).self), set: { value, _ in set(value) }))
  }

  /// Creates a binding whose setter receives the binding's transaction.
  @preconcurrency public init(
    @_inheritActorContext get: @escaping @isolated(any) @Sendable () -> Value,
    @_inheritActorContext set: @escaping @isolated(any) @Sendable (Value, Transaction) -> Void
  ) {
    self.init(
      FunctionalLocation(
        get: unsafeBitCast(get, to: (() -> Value).self),
        set: unsafeBitCast(set, to: ((Value, Transaction) -> Void).self)))
  }

  /// Creates a binding to a location.
  ///
  /// As in SwiftUI, a view that makes a binding depends on what the location reads.
  init(_ location: Location<Value>) { self.init(location, cached: location.get()) }

  init(_ location: Location<Value>, cached: Value) {
    self.location = location
    self.cached = cached
  }

  /// The current value.
  ///
  /// During an update of views, this is the value when the binding was made, except in the view that
  /// has the binding as a property.
  public var wrappedValue: Value {
    get {
      let identity = ObjectIdentifier(location)
      if MainActor.assumeIsolated({ Graph.current?.hasCached(identity) }) == true {
        location.wasRead()
        return cached
      }
      return location.get()
    }
    nonmutating set { location.set(newValue, transaction) }
  }

  /// The binding itself.
  public var projectedValue: Binding<Value> { self }

  /// Returns a binding to a part of the value.
  public subscript<Subject>(
    dynamicMember keyPath: WritableKeyPath<Value, Subject>
  ) -> Binding<Subject> {
    var part = Binding<Subject>(
      ProjectedLocation(location, keyPath), cached: cached[keyPath: keyPath])
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
    var binding = self
    binding.transaction.animation = animation
    return binding
  }
}

extension Binding: DynamicProperty {}
extension Binding: @unchecked Sendable where Value: Sendable {}

/// A binding of any type, as seen by the host.
protocol BindingProperty: ComparableProperty {
  var locationIdentity: ObjectIdentifier { get }
}

extension Binding: BindingProperty {
  var locationIdentity: ObjectIdentifier { ObjectIdentifier(location) }

  func isSame(as other: Any) -> Bool {
    guard let other = other as? Binding else { return false }
    return location.isEqual(to: other.location) && transaction == other.transaction
      && areSame(cached, other.cached)
  }
}

/// Makes bindings to the properties of an object.
@dynamicMemberLookup public struct Bindable<Value> {
  /// The object.
  public var wrappedValue: Value
}

extension Bindable where Value: AnyObject {
  /// Returns a binding to a property of the object.
  public subscript<Subject>(
    dynamicMember keyPath: ReferenceWritableKeyPath<Value, Subject>
  ) -> Binding<Subject> { Binding(ObjectLocation(wrappedValue, keyPath)) }
}

extension Bindable where Value: AnyObject & Observable {
  /// Makes bindings to the properties of an object.
  public init(_ wrappedValue: Value) { self.wrappedValue = wrappedValue }
}
