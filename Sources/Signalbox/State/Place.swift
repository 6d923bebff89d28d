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
  @usableFromInline let keyPath: AnyKeyPath
  @usableFromInline let lower: Int
  @usableFromInline let upper: Int
  let type: ObjectIdentifier

  @inlinable init<Root, Value>(_ keyPath: KeyPath<Root, Value>) {
    self.init(
      keyPath, offset: MemoryLayout<Root>.offset(of: keyPath), size: MemoryLayout<Value>.size,
      type: ObjectIdentifier(Value.self))
  }

  @usableFromInline init(_ keyPath: AnyKeyPath, offset: Int?, size: Int, type: ObjectIdentifier) {
    self.keyPath = keyPath
    self.type = type
    // Nothing to overlap with.
    let offset = size == 0 ? nil : offset
    lower = offset ?? -1
    upper = offset.map { $0 + size } ?? -1
  }

  var hasRange: Bool { lower >= 0 }

  /// Whether everything of the other place is part of this one.
  func contains(_ other: Place) -> Bool { lower <= other.lower && other.upper <= upper }

  /// Places in their order: from left to right, the wider one first.
  func precedes(_ other: Place) -> Bool {
    lower < other.lower || (lower == other.lower && upper > other.upper)
  }

  /// Whether both are the same part of the state, seen as the same type.
  func isSame(as other: Place) -> Bool {
    if hasRange { return lower == other.lower && upper == other.upper && type == other.type }
    return !other.hasRange && keyPath == other.keyPath
  }
}

extension Place: Hashable {
  @usableFromInline static func == (l: Place, r: Place) -> Bool { l.isSame(as: r) }

  @usableFromInline func hash(into hasher: inout Hasher) {
    if hasRange {
      hasher.combine(lower)
      hasher.combine(type)
    } else {
      hasher.combine(keyPath)
    }
  }
}
