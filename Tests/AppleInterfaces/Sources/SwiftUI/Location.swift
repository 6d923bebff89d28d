/// Where a binding reads and writes its value.
class Location<Value> {
  func get() -> Value { fatalError("a location overrides get()") }

  func set(_ value: Value, _ transaction: Transaction) {
    fatalError("a location overrides set(_:_:)")
  }

  /// Notes that a body has used a value that a binding had cached.
  func wasRead() {}

  /// Whether a view that receives one location after the other has received the same.
  func isEqual(to other: Location) -> Bool { self === other }
}

/// The location of closures, which is equal to no other, because closures cannot be compared.
final class FunctionalLocation<Value>: Location<Value> {
  private let read: () -> Value
  private let write: (Value, Transaction) -> Void

  init(get read: @escaping () -> Value, set write: @escaping (Value, Transaction) -> Void) {
    self.read = read
    self.write = write
  }

  override func get() -> Value { read() }
  override func set(_ value: Value, _ transaction: Transaction) { write(value, transaction) }
}

/// The location of a property of an object.
final class ObjectLocation<Root: AnyObject, Value>: Location<Value> {
  private let root: Root
  private let keyPath: ReferenceWritableKeyPath<Root, Value>

  init(_ root: Root, _ keyPath: ReferenceWritableKeyPath<Root, Value>) {
    self.root = root
    self.keyPath = keyPath
  }

  override func get() -> Value { root[keyPath: keyPath] }

  override func set(_ value: Value, _ transaction: Transaction) {
    withTransaction(transaction) { root[keyPath: keyPath] = value }
  }

  override func isEqual(to other: Location<Value>) -> Bool {
    guard let other = other as? ObjectLocation else { return false }
    return root === other.root && keyPath == other.keyPath
  }
}

/// The location of a part of a value.
final class ProjectedLocation<Whole, Value>: Location<Value> {
  private let whole: Location<Whole>
  private let keyPath: WritableKeyPath<Whole, Value>

  init(_ whole: Location<Whole>, _ keyPath: WritableKeyPath<Whole, Value>) {
    self.whole = whole
    self.keyPath = keyPath
  }

  override func get() -> Value { whole.get()[keyPath: keyPath] }

  override func set(_ value: Value, _ transaction: Transaction) {
    var changed = whole.get()
    changed[keyPath: keyPath] = value
    whole.set(changed, transaction)
  }

  override func wasRead() { whole.wasRead() }

  override func isEqual(to other: Location<Value>) -> Bool {
    guard let other = other as? ProjectedLocation else { return false }
    return whole.isEqual(to: other.whole) && keyPath == other.keyPath
  }
}
