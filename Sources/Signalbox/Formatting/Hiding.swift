import Foundation

/// A search for what is not to be shown in a value that would describe itself (D4).
///
/// With a stack of its own: nothing recurses, however deep the value.
struct Hiding {
  private let lookout: Lookout
  private var left: Int
  /// The objects that were met, which may hold one another.
  private var met: Set<ObjectIdentifier> = []
  private var ahead: [Any]

  /// Whether something in a value is not to be shown.
  ///
  /// - Parameter most: how many parts to look at; a value that has more counts as holding one.
  static func isIn(_ value: Any, _ lookout: Lookout, most: Int = 10_000) -> Bool {
    var search = Hiding(lookout: lookout, left: most, ahead: [value])
    return search.finds()
  }

  /// Whether a value has `@Redacted` properties and a mirror of its own, which may show them by other
  /// names.
  static func isBehindMirror(of value: Any) -> Bool {
    value is any CustomReflectable && StoredProperties.areRedacted(in: value)
  }

  private init(lookout: Lookout, left: Int, ahead: [Any]) {
    self.lookout = lookout
    self.left = left
    self.ahead = ahead
  }

  private mutating func finds() -> Bool {
    while let value = ahead.popLast() {
      left -= 1
      if left < 0 || lookout.begins(at: value) { return true }
      guard let core = Wrapping.core(of: value) else { continue }
      if core is any Hidden || lookout.begins(at: core) { return true }
      if let known = core as? any Seen {
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
  private mutating func add(_ known: any Seen) {
    guard type(of: known).mayHide(lookout) else { return }
    if let span = known as? any Span {
      ahead += span.bounds
    } else if case .parts(let parts) = known.look {
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

extension Seen {
  static func mayHide(_ lookout: Lookout) -> Bool { false }
}

extension Lookout {
  /// Whether there may be something in values of a type that is not to be shown.
  func mayBeHidden(in type: Any.Type) -> Bool {
    begins(at: type) || (type as? any Seen.Type)?.mayHide(self) ?? true
  }
}
