/// A value that a view keeps for as long as the view has its identity.
///
/// A redraw of the parent makes the view and its states again. The host then connects the states to
/// the values that it has kept.
@propertyWrapper public struct State<Value>: DynamicProperty {
  private let handle: StateHandle<Value>

  /// Creates a state with an initial value.
  public init(wrappedValue value: Value) { handle = StateHandle(value) }

  /// The current value.
  ///
  /// A write during an update of views is dropped.
  public var wrappedValue: Value {
    get { handle.location.get() }
    nonmutating set { handle.location.set(newValue, Transaction()) }
  }

  /// A binding to the value.
  public var projectedValue: Binding<Value> {
    Binding(handle.location, cached: handle.location.value)
  }
}

extension State: @unchecked Sendable where Value: Sendable {}

/// A state of any type, as seen by the host.
protocol StateProperty: AnyObject {
  /// Connects the state to the kept value, or to none at first.
  ///
  /// - Returns: The value to keep.
  func connect(to kept: AnyObject?, in node: WeakNode) -> AnyObject
}

protocol StatePropertyHolder: ComparableProperty {
  var property: any StateProperty { get }
}

extension State: StatePropertyHolder {
  var property: any StateProperty { handle }

  func isSame(as other: Any) -> Bool {
    guard let other = other as? State else { return false }
    return areSame(handle.initialValue, other.handle.initialValue)
  }
}

/// The storage that the copies of a state share.
private final class StateHandle<Value>: StateProperty {
  let initialValue: Value
  private(set) var location: StateLocation<Value>

  init(_ value: Value) {
    initialValue = value
    location = StateLocation(value)
  }

  func connect(to kept: AnyObject?, in node: WeakNode) -> AnyObject {
    if let kept = kept as? StateLocation<Value> { location = kept }
    location.owner = node
    return location
  }
}

/// A kept value, and the nodes that have read it.
private final class StateLocation<Value>: Location<Value> {
  private(set) var value: Value
  var owner: WeakNode?
  private var readers: [WeakNode] = []

  init(_ value: Value) { self.value = value }

  override func get() -> Value {
    if let reader = MainActor.assumeIsolated({ Graph.current?.reading }) {
      add(WeakNode(node: reader))
    }
    return value
  }

  // The view that uses the cached value of a binding is not redrawn. The view of the state is.
  override func wasRead() {
    if let owner { add(owner) }
  }

  override func set(_ newValue: Value, _ transaction: Transaction) {
    if MainActor.assumeIsolated({ Graph.current?.reportWrite() }) != nil { return }
    if areSame(value, newValue) { return }
    value = newValue
    let readers = readers
    self.readers = []
    withTransaction(transaction) {
      MainActor.assumeIsolated {
        for reader in readers { reader.node?.invalidate() }
      }
    }
  }

  private func add(_ reader: WeakNode) {
    if !readers.contains(where: { $0.node === reader.node }) { readers.append(reader) }
  }
}
