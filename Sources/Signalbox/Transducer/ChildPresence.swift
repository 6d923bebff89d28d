/// Tells whether the state of a child of `forward` is there, within the state of its parent.
///
/// Effects carry it without the types of the states, which only the parent knows. Unchecked,
/// because a key path to an isolated property is not sendable; it is used only on the main actor.
final class ChildPresence: @unchecked Sendable {
  let isThere: (_ parent: Any) -> Bool

  init<State, Child>(optional keyPath: KeyPath<State, Child?>, inner: ChildPresence?) {
    lazy var shape = KeyPathShape(keyPath)
    let isStored = MemoryLayout<State>.offset(of: keyPath) != nil
    isThere = { parent in
      guard let parent = parent as? State else { return false }
      if !isStored {
        // Nothing can tell, so the work goes on.
        if shape.hidesItsEnd { return true }
        guard shape.canRead(in: parent) else { return false }
      }
      guard let child = parent[keyPath: keyPath] else { return false }
      return inner?.isThere(child) ?? true
    }
  }

  /// Returns `nil` if the child is always there, or if nothing can tell.
  init?<State, Child>(_ keyPath: KeyPath<State, Child>, inner: ChildPresence?) {
    // Most children are stored properties, which need no shape.
    let isStored = MemoryLayout<State>.offset(of: keyPath) != nil
    let shape = isStored ? nil : KeyPathShape(keyPath)
    if shape?.hidesItsEnd == true || inner == nil && shape?.mayBeMissing != true { return nil }
    isThere = { parent in
      guard let parent = parent as? State, shape?.canRead(in: parent) ?? true else { return false }
      return inner?.isThere(parent[keyPath: keyPath]) ?? true
    }
  }
}

extension KeyPathShape {
  /// Whether a part can be read, which would end the program behind a missing element or value.
  fileprivate func canRead<Root>(in root: Root) -> Bool {
    if !mayBeMissing { return true }
    return unsafe withUnsafePointer(to: root) { unsafe isThere(in: UnsafeRawPointer($0)) }
  }
}
