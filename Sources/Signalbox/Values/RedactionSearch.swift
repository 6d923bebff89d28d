import Foundation

/// Searches a value of any depth for redacted parts, with a work list instead of recursion (D4).
struct RedactionSearch {
  private let cursor: RedactionCursor
  private var left: Int
  /// The objects that have been searched, because objects may refer to one another.
  private var met: Set<ObjectIdentifier> = []
  private var ahead: [Any]

  /// Whether something in a value is redacted, or it has too many parts to tell.
  static func isIn(_ value: Any, _ cursor: RedactionCursor, most: Int = 10_000) -> Bool {
    var search = RedactionSearch(cursor: cursor, left: most, ahead: [value])
    return search.finds()
  }

  private mutating func finds() -> Bool {
    while let value = ahead.popLast() {
      left -= 1
      if left < 0 || cursor.begins(at: value) { return true }
      guard let core = OptionalUnwrapping.core(of: value) else { continue }
      if core is any RedactedValue || cursor.begins(at: core) { return true }
      if cursor.isVeiled(core) { return true }
      if let known = core as? any Presentable {
        add(known)
      } else {
        add(partsOf: core)
      }
    }
    return false
  }

  /// Adds the parts of a known type, some of which have mirrors without children.
  private mutating func add(_ known: any Presentable) {
    guard cursor.mayBeHidden(in: type(of: known)) else { return }
    if let range = known as? any AnyRange {
      ahead += range.bounds
    } else if case .parts(let parts) = known.shape {
      // One part more than the limit is enough to know that there are too many.
      ahead += parts.values(atMost: left + 1)
    }
  }

  private mutating func add(partsOf value: Any) {
    // Only the actor itself may read its contents, and no text shows them.
    if type(of: value) is AnyClass, value is any Actor { return }
    if type(of: value) is AnyClass,
      !met.insert(ObjectIdentifier(value as AnyObject)).inserted
    {
      return
    }
    if type(of: value) is NSError.Type, let error = value as? NSError {
      ahead += error.userInfo.values
    }
    for mirror in Mirror(reflecting: value).levels {
      ahead += mirror.children.prefix(left + 1).map(\.value)
    }
  }
}

extension Presentable {
  static var partTypes: [Any.Type] { [] }
}

extension RedactionCursor {
  fileprivate func mayBeHidden(in type: Any.Type) -> Bool {
    if redaction.begins(at: type) { return true }
    guard let known = type as? any Presentable.Type else { return true }
    return known.partTypes.contains { mayBeHidden(in: $0) }
  }

  /// Whether a value's description may show something redacted that its own mirror does not (D6).
  func isVeiled(_ value: Any) -> Bool {
    guard value is any CustomReflectable, !(value is any Presentable),
      !isFromSystem(type(of: value))
    else { return false }
    let mirror = Mirror(reflecting: value)
    return mirror.children.isEmpty && mirror.superclassMirror?.children.isEmpty != false
      && redaction.contents(of: type(of: value)) != .open
  }
}
