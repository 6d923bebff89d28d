/// Where in the state a key path points to.
///
///     struct State { var a: Int, user: User, b: Int }       \.a          0 ..< 8
///     struct User { var name: String, age: Int }            \.user       8 ..< 32
///                                                           \.user.name  8 ..< 24
///                                                           \.self       0 ..< 40
///
/// Stored properties have byte ranges, and two of them can only disturb one another where their
/// ranges overlap; as they lie within one another or apart, finding those is a binary search.
/// Computed properties, those behind a wrapper and those of a class have no range (M3).
@usableFromInline struct Place {
  let keyPath: AnyKeyPath
  let extent: Extent

  @usableFromInline init<Root, Value>(_ keyPath: KeyPath<Root, Value>) {
    self.keyPath = keyPath
    // A stored property cannot have the type of what it is a part of.
    extent = Extent(
      keyPath, isWhole: Root.self == Value.self && MemoryLayout<Root>.offset(of: keyPath) == 0)
  }

  var hasRange: Bool { extent.hasRange }
  var type: ObjectIdentifier { extent.type }

  /// How it is written; slow to find out.
  var path: String { keyPath.debugDescription }

  /// Whether both are the same part of the state, seen as the same type.
  func isSame(as other: Place) -> Bool {
    if hasRange { return extent == other.extent && type == other.type }
    return !other.hasRange && keyPath == other.keyPath
  }
}

extension Place: Hashable {
  @usableFromInline static func == (l: Place, r: Place) -> Bool { l.isSame(as: r) }

  @usableFromInline func hash(into hasher: inout Hasher) {
    if hasRange {
      hasher.combine(extent.lower)
      hasher.combine(type)
    } else {
      hasher.combine(keyPath)
    }
  }
}

/// The byte range of a stored property, and its type.
///
/// With a key path literal it is a constant. The type tells a property from the only one in it.
@usableFromInline struct Extent {
  @usableFromInline let lower: Int
  @usableFromInline let upper: Int
  @usableFromInline let type: ObjectIdentifier
  /// Whether it is the state as a whole.
  @usableFromInline let isWhole: Bool

  @inlinable @inline(__always)
  init<Root, Value>(_ keyPath: KeyPath<Root, Value>, isWhole: Bool = false) {
    self.isWhole = isWhole
    type = ObjectIdentifier(Value.self)
    // What has no size has nothing to overlap with.
    if MemoryLayout<Value>.size > 0, let offset = MemoryLayout<Root>.offset(of: keyPath) {
      lower = offset
      upper = offset + MemoryLayout<Value>.size
    } else {
      lower = -1
      upper = -1
    }
  }

  static func == (l: Extent, r: Extent) -> Bool { l.lower == r.lower && l.upper == r.upper }

  var hasRange: Bool { lower >= 0 }
  var size: Int { upper - lower }

  /// Whether everything of the other extent is part of this one.
  func contains(_ other: Extent) -> Bool { lower <= other.lower && other.upper <= upper }
}
