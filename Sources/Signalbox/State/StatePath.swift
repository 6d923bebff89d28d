/// The part of a state that a key path points to.
///
///     struct State { var a: Int, user: User, b: Int }       \.a          0 ..< 8
///     struct User { var name: String, age: Int }            \.user       8 ..< 32
///                                                           \.user.name  8 ..< 24
///                                                           \.self       0 ..< 40
///
/// A write to a stored property can change another one only if their byte ranges overlap. Two
/// ranges are disjoint or nested, so a binary search finds those that overlap. Computed properties,
/// and those of a class or behind a wrapper, have no range (M3).
@usableFromInline struct StatePath {
  let keyPath: AnyKeyPath
  let range: ByteRange
  /// Where the root of the key path lies; `nil` if that is the state as a whole.
  let prefix: PathPrefix?

  @usableFromInline init<Root, Value>(_ keyPath: KeyPath<Root, Value>) {
    self.keyPath = keyPath
    prefix = nil
    // A stored property cannot have the type of the value that contains it.
    range = ByteRange(
      keyPath, isWhole: Root.self == Value.self && MemoryLayout<Root>.offset(of: keyPath) == 0)
  }

  init<Root>(whole keyPath: KeyPath<Root, Root>) {
    self.init(keyPath, ByteRange(whole: Root.self), nil)
  }

  init(computedFrom keyPath: AnyKeyPath) { self.init(keyPath, .anywhere, nil) }

  private init(_ keyPath: AnyKeyPath, _ range: ByteRange, _ prefix: PathPrefix?) {
    self.keyPath = keyPath
    self.range = range
    self.prefix = prefix
  }

  /// The same path, seen from the state that contains its root.
  func moved(by prefix: PathPrefix?) -> StatePath {
    guard let prefix else { return self }
    let isWhole = range.isWhole && prefix.isWhole
    return StatePath(keyPath, range.moved(by: prefix.offset, isWhole: isWhole), prefix)
  }

  var hasRange: Bool { range.hasRange }
  var type: ObjectIdentifier { range.type }

  /// The text of the key path, which is slow to compute.
  var text: String { keyPath.debugDescription }

  /// Whether both are the same part of the state, with the same type.
  func isSame(as other: StatePath) -> Bool {
    if hasRange { return range == other.range && type == other.type }
    return !other.hasRange && offset == other.offset && keyPath == other.keyPath
  }

  /// The same path, with a range also for a stored property for which `MemoryLayout` has none.
  // It has another form in memory than as a value, as a function has.
  var located: StatePath {
    guard !hasRange, prefix == nil else { return self }
    let shape = KeyPathShape(keyPath)
    guard shape.isStored, let part = shape.storedParts.last else { return self }
    let range = ByteRange(part.offset, of: part.type, isWhole: false)
    return range.size > 0 ? StatePath(keyPath, range, nil) : self
  }

  /// The innermost stored property that contains a path without a range, and its type.
  // A write to the path changes nothing outside of that property.
  var container: (path: StatePath, type: Any.Type) {
    let parts = KeyPathShape(keyPath).storedParts
    let root = Swift.type(of: keyPath).rootType
    guard let part = parts.last else {
      let range = ByteRange(offset, of: root, isWhole: prefix?.isWhole ?? true)
      return (StatePath(keyPath, range, prefix), root)
    }
    let range = ByteRange(offset + part.offset, of: part.type, isWhole: false)
    return (StatePath(keyPath, range, prefix), part.type)
  }

  /// Whether this is the only property of another path, which has the same byte range.
  func isOnlyProperty(of other: StatePath) -> Bool {
    storedParts.dropLast().contains {
      $0.offset == other.range.lower && ObjectIdentifier($0.type) == other.type
    }
  }

  fileprivate var storedParts: [(offset: Int, type: Any.Type)] {
    let own = KeyPathShape(keyPath).storedParts
    guard let prefix else { return own }
    return prefix.storedParts + own.map { ($0.offset + prefix.offset, $0.type) }
  }

  private var offset: Int { prefix?.offset ?? 0 }
}

/// Where a state lies that is a stored property of a wider one.
final class PathPrefix {
  let offset: Int
  /// Whether the state is the wider one itself, which the path `\.self` leads to.
  fileprivate let isWhole: Bool
  fileprivate let storedParts: [(offset: Int, type: Any.Type)]

  /// The path has a range unless the state has no size.
  init(_ path: StatePath, at offset: Int) {
    self.offset = offset
    isWhole = path.range.isWhole
    storedParts = path.storedParts
  }
}

extension StatePath: Hashable {
  @usableFromInline static func == (l: StatePath, r: StatePath) -> Bool { l.isSame(as: r) }

  @usableFromInline func hash(into hasher: inout Hasher) {
    if hasRange {
      hasher.combine(range.lower)
      hasher.combine(type)
    } else {
      hasher.combine(offset)
      hasher.combine(keyPath)
    }
  }
}

/// The byte range of a stored property, which is a constant for a key path literal.
// The type distinguishes a value from its only property, which has the same bytes.
@usableFromInline struct ByteRange {
  @usableFromInline let lower: Int
  @usableFromInline let upper: Int
  @usableFromInline let type: ObjectIdentifier
  /// Whether it is the range of the state as a whole.
  @usableFromInline let isWhole: Bool

  @inlinable @inline(__always)
  init<Root, Value>(_ keyPath: KeyPath<Root, Value>, isWhole: Bool = false) {
    self.isWhole = isWhole
    type = ObjectIdentifier(Value.self)
    // A value without a size cannot overlap with another one.
    if MemoryLayout<Value>.size > 0, let offset = MemoryLayout<Root>.offset(of: keyPath) {
      lower = offset
      upper = offset + MemoryLayout<Value>.size
    } else {
      lower = -1
      upper = -1
    }
  }

  /// The range of a stored property whose type is known only at run time.
  init(_ offset: Int, of type: Any.Type, isWhole: Bool) {
    func size<T>(of type: T.Type) -> Int { MemoryLayout<T>.size }
    lower = offset
    upper = offset + size(of: type)
    self.type = ObjectIdentifier(type)
    self.isWhole = isWhole
  }

  init<Root>(whole type: Root.Type) {
    let size = MemoryLayout<Root>.size
    lower = size > 0 ? 0 : -1
    upper = size > 0 ? size : -1
    self.type = ObjectIdentifier(type)
    isWhole = true
  }

  /// The range of a change that may change anything.
  static var anywhere: ByteRange { ByteRange(-1, -1, of: ObjectIdentifier(Never.self)) }

  private init(_ lower: Int, _ upper: Int, of type: ObjectIdentifier, isWhole: Bool = false) {
    self.lower = lower
    self.upper = upper
    self.type = type
    self.isWhole = isWhole
  }

  /// The range of the same property in a wider state, in which its own state begins at an offset.
  func moved(by offset: Int, isWhole: Bool = false) -> ByteRange {
    hasRange ? ByteRange(lower + offset, upper + offset, of: type, isWhole: isWhole) : self
  }

  static func == (l: ByteRange, r: ByteRange) -> Bool { l.lower == r.lower && l.upper == r.upper }

  @inlinable @inline(__always) var hasRange: Bool { lower >= 0 }
  var size: Int { upper - lower }

  /// Whether a change of one may change the other; without a range, it may change anything.
  func overlaps(_ other: ByteRange) -> Bool {
    !hasRange || !other.hasRange || contains(other) || other.contains(self)
  }

  func contains(_ other: ByteRange) -> Bool { lower <= other.lower && other.upper <= upper }
}
