/// The way to a part of a value that may be missing, as `\.rows[1].name` may.
package struct MemberPath<Root, Value>: Hashable {
  private let keyPath: KeyPath<Root, Value>
  /// Set only if the part may be missing.
  let shape: KeyPathShape?

  package init(_ keyPath: KeyPath<Root, Value>) {
    self.keyPath = keyPath
    // A property with an offset is always there.
    let shape = MemoryLayout<Root>.offset(of: keyPath) == nil ? KeyPathShape(keyPath) : nil
    self.shape = shape?.mayBeMissing == true ? shape : nil
  }

  /// The way to an observed part; traps if nothing can tell whether the part is there (S10).
  static func observed(_ keyPath: KeyPath<Root, Value>) -> MemberPath {
    if KeyPathShape(keyPath).hidesItsEnd { StatePath(keyPath).trapHidden() }
    return MemberPath(keyPath)
  }

  package func isThere(in root: Root) -> Bool {
    guard let shape else { return true }
    return unsafe withUnsafePointer(to: root) { unsafe shape.isThere(in: UnsafeRawPointer($0)) }
  }

  func value(of root: Root) -> Value? { isThere(in: root) ? root[keyPath: keyPath] : nil }

  package static func == (a: MemberPath, b: MemberPath) -> Bool { a.keyPath == b.keyPath }

  package func hash(into hasher: inout Hasher) { hasher.combine(keyPath) }
}

/// The value of a part that may be missing, which keeps the one that was read or written last.
@MainActor final class LastValue<Value> {
  private var last: Value?

  init(_ value: Value?) { last = value }

  func hasWritten(_ value: Value) { last = value }

  /// `now` is `nil` while the part is missing.
  func read(_ now: Value?) -> Value {
    last = now ?? last
    if let last { return last }
    fatalError(
      """
      A binding was made and read while its path leads to no value, such as an element of an array that \
      is gone. Make it while the value is there.
      """)
  }
}
