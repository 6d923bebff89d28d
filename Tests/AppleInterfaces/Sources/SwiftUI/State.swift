/// A value that a view keeps for as long as the view has its identity.
///
/// A redraw of the parent makes the view and its states again. The host then connects the states to
/// the values that it has kept.
@propertyWrapper public struct State<Value>: DynamicProperty {
  private let handle: StateHandle<Value>

  /// Creates a state with an initial value.
  public init(wrappedValue value: Value) { handle = StateHandle(value) }

  /// The current value.
  public var wrappedValue: Value {
    get { handle.location.read() }
    nonmutating set { handle.location.write(newValue) }
  }

  /// A binding to the value.
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

/// A state of any type, as seen by the host.
protocol StateProperty: AnyObject {
  /// Connects the state to the kept value, or to none at first.
  ///
  /// - Returns: The value to keep.
  func connect(to kept: AnyObject?) -> AnyObject
}

protocol StatePropertyHolder {
  var property: any StateProperty { get }
}

extension State: StatePropertyHolder {
  var property: any StateProperty { handle }
}

/// The storage that the copies of a state share.
private final class StateHandle<Value>: StateProperty {
  private(set) var location: StateLocation<Value>

  init(_ value: Value) { location = StateLocation(value) }

  func connect(to kept: AnyObject?) -> AnyObject {
    if let kept = kept as? StateLocation<Value> { location = kept }
    return location
  }
}

/// A kept value, and the nodes that have read it.
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
