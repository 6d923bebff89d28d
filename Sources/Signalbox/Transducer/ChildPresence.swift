/// Tells whether the state of a child of `forward` is there, within the state of its parent.
///
/// The types of the states are known only to the parent, so effects carry it without them.
protocol AnyChildPresence: AnyObject, Sendable {}

/// Tells whether the state of a child of `forward` is there.
///
/// Unchecked, because a key path to a property that is isolated to the main actor is not sendable.
/// It is only used on the main actor.
class ChildPresence<State>: AnyChildPresence, @unchecked Sendable {
  func isThere(in state: State) -> Bool { true }
}

/// The presence of a child at an optional, and of a child within it.
final class OptionalPresence<State, Child>: ChildPresence<State>, @unchecked Sendable {
  private let keyPath: KeyPath<State, Child?>
  private let inner: ChildPresence<Child>?
  private lazy var shape = KeyPathShape(keyPath)

  init(_ keyPath: KeyPath<State, Child?>, inner: ChildPresence<Child>? = nil) {
    self.keyPath = keyPath
    self.inner = inner
  }

  /// The presence of a child of this child.
  func around(_ inner: (any AnyChildPresence)?) -> ChildPresence<State> {
    guard let inner = inner as? ChildPresence<Child> else { return self }
    return OptionalPresence(keyPath, inner: inner)
  }

  override func isThere(in state: State) -> Bool {
    guard let canRead = shape.canRead(in: state) else { return true }
    guard canRead, let child = state[keyPath: keyPath] else { return false }
    return inner?.isThere(in: child) ?? true
  }
}

/// The presence of a child at a property or an index, and of a child within it.
final class PropertyPresence<State, Child>: ChildPresence<State>, @unchecked Sendable {
  private let keyPath: KeyPath<State, Child>
  private let inner: ChildPresence<Child>?
  private lazy var shape = KeyPathShape(keyPath)
  private let mayGo: Bool

  init(_ keyPath: KeyPath<State, Child>) {
    self.keyPath = keyPath
    inner = nil
    // Most children are stored properties, which need no shape.
    guard MemoryLayout<State>.offset(of: keyPath) == nil else {
      mayGo = false
      return
    }
    let shape = KeyPathShape(keyPath)
    mayGo = shape.mayBeMissing && !shape.hidesItsEnd
  }

  private init(_ outer: PropertyPresence, inner: ChildPresence<Child>) {
    keyPath = outer.keyPath
    mayGo = outer.mayGo
    self.inner = inner
  }

  /// The presence of this child or of a child of this child; `nil` if it is always there.
  func around(_ inner: (any AnyChildPresence)?) -> ChildPresence<State>? {
    guard let inner = inner as? ChildPresence<Child> else { return mayGo ? self : nil }
    return PropertyPresence(self, inner: inner)
  }

  override func isThere(in state: State) -> Bool {
    guard let canRead = shape.canRead(in: state) else { return true }
    guard canRead, let inner else { return canRead }
    return inner.isThere(in: state[keyPath: keyPath])
  }
}

extension KeyPathShape {
  /// Whether a part can be read, which would end the program behind a missing element or value.
  ///
  /// `nil` if nothing can tell. Work at such a path goes on.
  fileprivate func canRead<Root>(in root: Root) -> Bool? {
    if hidesItsEnd { return nil }
    if !mayBeMissing { return true }
    return unsafe withUnsafePointer(to: root) { unsafe isThere(in: UnsafeRawPointer($0)) }
  }
}
