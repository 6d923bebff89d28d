import Foundation

/// A search for what is not to be shown in a value that would describe itself (D4).
///
/// With a stack of its own: nothing recurses, however deep the value.
struct RedactionSearch {
  private let cursor: RedactionCursor
  private var left: Int
  /// The objects that were met, which may hold one another.
  private var met: Set<ObjectIdentifier> = []
  private var ahead: [Any]

  /// Whether something in a value is not to be shown.
  ///
  /// - Parameter most: how many parts to look at; a value that has more counts as holding one.
  static func isIn(_ value: Any, _ cursor: RedactionCursor, most: Int = 10_000) -> Bool {
    var search = RedactionSearch(cursor: cursor, left: most, ahead: [value])
    return search.finds()
  }

  /// Whether a value has `@Redacted` properties and a mirror of its own, which may show them by other
  /// names.
  static func isBehindMirror(of value: Any) -> Bool {
    value is any CustomReflectable && StoredProperties.areRedacted(in: value)
  }

  private init(cursor: RedactionCursor, left: Int, ahead: [Any]) {
    self.cursor = cursor
    self.left = left
    self.ahead = ahead
  }

  private mutating func finds() -> Bool {
    while let value = ahead.popLast() {
      left -= 1
      if left < 0 || cursor.begins(at: value) { return true }
      guard let core = OptionalUnwrapping.core(of: value) else { continue }
      if core is any RedactedValue || cursor.begins(at: core) { return true }
      if let known = core as? any Presentable {
        add(known)
      } else if Self.isBehindMirror(of: core) {
        return true
      } else {
        add(partsOf: core)
      }
    }
    return false
  }

  /// Some of these have mirrors that show nothing.
  private mutating func add(_ known: any Presentable) {
    guard type(of: known).mayHide(cursor) else { return }
    if let span = known as? any AnyRange {
      ahead += span.bounds
    } else if case .parts(let parts) = known.shape {
      // One more than may be looked at is enough to know that there are too many.
      ahead += parts.values(atMost: left + 1)
    }
  }

  private mutating func add(partsOf value: Any) {
    if type(of: value) is AnyClass,
      !met.insert(ObjectIdentifier(value as AnyObject)).inserted
    {
      return
    }
    if type(of: value) is NSError.Type, let error = value as? NSError {
      ahead += error.userInfo.values
    }
    var level: Mirror? = Mirror(reflecting: value)
    while let mirror = level {
      ahead += mirror.children.prefix(left + 1).map(\.value)
      level = mirror.superclassMirror
    }
  }
}

extension Presentable {
  static func mayHide(_ cursor: RedactionCursor) -> Bool { false }
}

extension RedactionCursor {
  /// Whether there may be something in values of a type that is not to be shown.
  func mayBeHidden(in type: Any.Type) -> Bool {
    begins(at: type) || (type as? any Presentable.Type)?.mayHide(self) ?? true
  }
}
