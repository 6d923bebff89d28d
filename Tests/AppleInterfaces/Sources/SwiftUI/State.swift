/// A value that a view keeps for as long as it has its identity.
///
/// A view is made anew at each redraw of its parent, and this with it; the host connects it to the
/// value that it has kept.
@propertyWrapper public struct State<Value>: DynamicProperty {
  private let handle: StateHandle<Value>

  /// Makes a state with the value that it begins with.
  public init(wrappedValue value: Value) { handle = StateHandle(value) }

  /// The value of now.
  public var wrappedValue: Value {
    get { handle.location.read() }
    nonmutating set { handle.location.write(newValue) }
  }

  /// The value, to be read and written by others.
  public var projectedValue: Binding<Value> {
    let location = handle.location
    return Binding(
      reading: { location.read() },
      writing: { value, transaction in
        if transaction.animation == nil {
          location.write(value)
        } else {
          withTransaction(transaction) { location.write(value) }
        }
      })
  }
}

extension State: @unchecked Sendable where Value: Sendable {}

/// A state of any type, as the host sees it.
protocol StateProperty: AnyObject {
  /// Connects it to what was kept for it; at first that is nothing.
  ///
  /// - Returns: what is to be kept.
  func connect(to kept: AnyObject?) -> AnyObject
}

protocol StatePropertyHolder {
  var property: any StateProperty { get }
}

extension State: StatePropertyHolder {
  var property: any StateProperty { handle }
}

/// What the copies of a state share.
private final class StateHandle<Value>: StateProperty {
  private(set) var location: StateLocation<Value>

  init(_ value: Value) { location = StateLocation(value) }

  func connect(to kept: AnyObject?) -> AnyObject {
    if let kept = kept as? StateLocation<Value> { location = kept }
    return location
  }
}

/// Where a value is kept, and who has read it.
private final class StateLocation<Value> {
  private var value: Value
  private var readers: [WeakNode] = []

  init(_ value: Value) { self.value = value }

  func read() -> Value {
    if let reader = MainActor.assumeIsolated({ Graph.current?.reading }),
      !readers.contains(where: { $0.node === reader })
    {
      readers.append(WeakNode(node: reader))
    }
    return value
  }

  func write(_ newValue: Value) {
    value = newValue
    let readers = readers
    self.readers = []
    MainActor.assumeIsolated {
      for reader in readers { reader.node?.invalidate() }
    }
  }
}
