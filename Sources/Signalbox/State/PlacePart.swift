/// A part of a state without a fixed address.
///
/// While its state is gone, it has the last value.
final class PlacePart<State, Value>: TypedPart<Value> {
  /// How the value is found in the state.
  enum Access {
    case keyPath(KeyPath<State, Value>)
    /// The offset of a stored property of exactly this type.
    case offset(Int)
  }

  private let state: StateStorage<State>
  private let access: Access
  /// Set only if the part may be missing.
  private let shape: KeyPathShape?

  init(
    _ path: StatePath, of state: StateStorage<State>, _ access: Access, equality: Equality<Value>?
  ) {
    self.state = state
    self.access = access
    let shape = path.hasRange ? nil : KeyPathShape(path.keyPath)
    if shape?.hidesItsEnd == true { path.trapHidden() }
    self.shape = shape?.mayBeMissing == true ? shape : nil
    super.init(path, in: state.home, equality: equality)
  }

  override var isThere: Bool {
    guard let shape else { return true }
    storage.checkRead()
    return unsafe withUnsafePointer(to: state.current) {
      unsafe shape.isThere(in: UnsafeRawPointer($0))
    }
  }

  override var keepsValue: Bool { super.keepsValue || shape != nil }

  override func read() -> Value {
    storage.checkRead()
    return storage.reading {
      switch access {
      case .keyPath(let keyPath): state.current[keyPath: keyPath]
      case .offset(let offset):
        unsafe withUnsafePointer(to: state.current) {
          unsafe (UnsafeRawPointer($0) + offset).assumingMemoryBound(to: Value.self).pointee
        }
      }
    }
  }
}
